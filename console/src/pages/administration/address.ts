// The state of the page in its address.

import { choiceIn, present, type RawSearch, textIn } from '#console/pages/search-values.ts';

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

export interface AdministrationSearch {
  readonly family?: FamilyId | undefined;
  readonly keywords?: string | undefined;
  /** What the list is of, where a family has several lists. */
  readonly of?: string | undefined;
  /** The key of the open record. */
  readonly record?: string | undefined;
  readonly dialog?: (typeof DIALOGS)[number] | undefined;
}

export const readAdministrationSearch = (search: RawSearch): AdministrationSearch =>
  present({
    family: choiceIn(search, 'family', FAMILY_IDS),
    keywords: textIn(search, 'keywords'),
    of: textIn(search, 'of'),
    record: textIn(search, 'record'),
    dialog: choiceIn(search, 'dialog', DIALOGS),
  });
