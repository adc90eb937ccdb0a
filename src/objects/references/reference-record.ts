// A reference from one object to another, as answers show it.

import { arrayOf, choice, record, string, type TypeOf } from '#operations/answers/shapes.ts';

const REFERRER_KINDS = [
  'batch-rule',
  'dataset',
  'logger',
  'logger-model',
  'parser',
  'procedure',
  'scheduled-query',
  'stream-rule',
  'table',
  'ticket',
] as const;
export type ReferrerKind = (typeof REFERRER_KINDS)[number];

const reference = record('Reference', {
  id: string('Key of the object that is referred to, as the request gave it.', '8d0b0f6c-3b52-4e0d-9f3a-0e3b4f6f7c11'),
  kind: choice(REFERRER_KINDS)('Kind of the object that refers to it.'),
  guid: string(
    'GUID of the object that refers to it; of a table its name, of a parser its code.',
    '5b0c2f4e-8d1a-4c3b-9f6e-2a7d8e9c0b1f',
  ),
  name: string('Name of the object that refers to it.', 'Failed logins'),
  field: string('Field that holds the reference.', 'category_guid'),
});
export type Reference = TypeOf<typeof reference>;

export const references = arrayOf(reference)('Objects that refer to those given; answered with `dry_run`.');
