// The window of time that a run of a batch rule analyses, and slots that wait in line until a run covers their windows
// (`is_queued` is 2). Nodes of the version before know 1 only and leave those that wait to the others.

import type { Migration } from './migration.ts';

export const slotWindows: Migration = {
  name: 'slot windows',
  statements: () => [
    'alter table schedule_slots add column window_from bigint',
    'alter table schedule_slots add column window_to bigint',
    'alter table schedule_slots add column covered_by integer',
    'alter table schedule_slots add column interruptions integer not null default 0',
    'create index schedule_slots_in_line on schedule_slots (kind, guid, slot_time) where is_queued = 2',
    'create index schedule_slots_covered on schedule_slots (covered_by) where covered_by is not null',
  ],
};
