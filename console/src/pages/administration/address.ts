// The state of the page in its address.

import { addressOf, choice, text } from '#console/address/address.ts';

export const FAMILY_IDS = [
  'users',
  'groups',
  'companies',
  'keys',
  'address-groups',
  'alarm-groups',
  'ticket-repos',
  'rule-categories',
  'audit-categories',
  'datasets',
  'procedures',
  'lookups',
  'table-groups',
  'log-schemas',
  'parsers',
  'logger-models',
  'logger-groups',
  'crypto-profiles',
  'connection-profiles',
  'queries',
  'nodes',
  'settings',
] as const;
export type FamilyId = (typeof FAMILY_IDS)[number];

/** What stands over the page: the form of a new or of the open record, or its content. */
const DIALOGS = ['new', 'change', 'content'] as const;

export const readAdministrationSearch = addressOf({
  family: choice(FAMILY_IDS),
  keywords: text,
  /** What the list is of, where a family has several lists. */
  of: text,
  /** The key of the open record. */
  record: text,
  dialog: choice(DIALOGS),
});
export type AdministrationSearch = ReturnType<typeof readAdministrationSearch>;
