// A reference from one object to another, as answers show it.

import { arrayOf, choice, record, string, type TypeOf } from '#http/shapes.ts';

const REFERRER_KINDS = [
  'batch-rule',
  'dataset',
  'logger',
  'logger-model',
  'procedure',
  'scheduled-query',
  'stream-rule',
  'table',
  'ticket',
] as const;
export type ReferrerKind = (typeof REFERRER_KINDS)[number];

const reference = record('Reference', {
  id: string,
  kind: choice(REFERRER_KINDS),
  guid: string,
  name: string,
  field: string,
});
export type Reference = TypeOf<typeof reference>;

export const references = arrayOf(reference);
