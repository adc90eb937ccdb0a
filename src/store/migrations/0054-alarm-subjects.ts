// What a failure that a webhook is told of is about: its alarms are delivered one after the other.

import type { Migration } from './migration.ts';

export const alarmSubjects: Migration = {
  name: 'alarm-subjects',
  statements: ({ text }) => [
    `alter table alarms add column subject ${text}`,
    'create index alarms_by_subject on alarms (target, subject, id) where subject is not null',
  ],
};
