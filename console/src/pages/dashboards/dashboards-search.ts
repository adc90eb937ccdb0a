// The state of the page in its address.

import { numberIn, present, type RawSearch, textIn } from '#console/pages/search-values.ts';

/** Seconds between two automatic refreshes that are offered; 0 is none. */
export const REFRESHES = [0, 10, 30, 60, 300] as const;
export type Refresh = (typeof REFRESHES)[number];

export interface DashboardsSearch {
  /** The GUID of the dashboard; the first where absent. */
  readonly dashboard?: string | undefined;
  /** In place of the time range of the dashboard. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly refresh?: Refresh | undefined;
  readonly edit?: true | undefined;
}

export const readDashboardsSearch = (search: RawSearch): DashboardsSearch =>
  present({
    dashboard: textIn(search, 'dashboard'),
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
    refresh: REFRESHES.find((seconds) => seconds === numberIn(search, 'refresh')),
    edit: search.edit === true ? (true as const) : undefined,
  });
