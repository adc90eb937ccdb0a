// The form of the columns of each segment: 0 where a field has one column and its values of other types are in `_rest`, as in
// earlier versions, which could not read the others; 1 where a field has a column for each type.

import type { Migration } from './migration.ts';

export const segmentForms: Migration = {
  name: 'segment-forms',
  statements: () => ['alter table log_segments add column form integer not null default 0'],
};
