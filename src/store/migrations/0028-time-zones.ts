// The zone in which times are shown to a user. Null is the zone of the service.

import type { Migration } from './migration.ts';

export const timeZones: Migration = {
  name: 'time-zones',
  statements: ({ text }) => [`alter table users add column time_zone ${text}`],
};
