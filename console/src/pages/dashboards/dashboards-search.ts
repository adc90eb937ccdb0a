// The state of the page in its address.

import { addressOf, choice, flag, text } from '#console/address/address.ts';

/** Seconds between two automatic refreshes that are offered; 0 is none. */
export const REFRESHES = [0, 10, 30, 60, 300] as const;
export type Refresh = (typeof REFRESHES)[number];

export const readDashboardsSearch = addressOf({
  /** The GUID of the dashboard; the first where absent. */
  dashboard: text,
  /** In place of the time range of the dashboard. */
  from: text,
  to: text,
  refresh: choice(REFRESHES),
  edit: flag,
});
export type DashboardsSearch = ReturnType<typeof readDashboardsSearch>;
