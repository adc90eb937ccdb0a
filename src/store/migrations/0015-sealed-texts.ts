// Sealed columns: urls of webhooks, and texts of events and tickets from encrypted tables. Plain urls of earlier
// versions stay in `target` until a start with the master secret seals them: a migration has no keys.

import type { Migration } from './migration.ts';

export const sealedTexts: Migration = {
  name: 'sealed-texts',
  statements: ({ text }) => [
    'alter table alarm_members rename column url to target',
    `alter table alarm_members add column url_box ${text}`,
    'alter table alarms rename column url to target',
    `alter table events add column sealed ${text}`,
    'create index events_sealed on events (id) where sealed is not null',
    `alter table tickets add column sealed ${text}`,
    'create index tickets_sealed on tickets (id) where sealed is not null',
  ],
};
