// The record of an audit entry: the stored values under the names of the contract, with labels in one language.

import type { SealedEntry } from '#audit/entry.ts';
import type { Wanted } from '#audit/search/filter.ts';
import { labelsOf } from '#contract/labels/catalogue.ts';
import type { Locale } from '#contract/values.ts';
import { epoch, guidText, int32, map, optional, record, string, type TypeOf } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { anyText, type InputOf, words } from '#operations/params/params.ts';
import { time } from '#operations/params/time-params.ts';

export const entryFields = {
  id: int32('Number of the entry, without gaps.'),
  user_guid: optional(guidText('GUID of the user; absent where the account is not known.')),
  user_name: string('Login name of the account.', 'kim'),
  remote_ip: string('Address that the request came from.', '10.0.0.7'),
  module: string('First part of the code of the action.', 'users'),
  method: string('Second part of the code of the action.', 'create'),
  params: optional(map('Parameters of the request; the values of secrets are masked.', { login: 'lee' })),
  msg_params: optional(map('Values of the message.', { login: 'lee' })),
  error: optional(string('Text of the refusal; absent on success.', 'no-permission')),
  created_at: epoch('Time of the entry.'),
  user: string('The same as `user_name`.', 'kim'),
  time: epoch('The same as `created_at`.'),
  result: string('Label of the result.', 'Success'),
  category: optional(string('Label of the category; absent where the action is not defined.', 'User')),
  action: optional(string('Label of the action; absent where it is not defined.', 'Create user')),
  msg: optional(string('Message of the entry; absent where the action is not defined.', 'Creation of user lee')),
};

export const entryRecord = record('AuditEntry', entryFields);

export function toRecord(entry: SealedEntry, locale: Locale): TypeOf<typeof entryRecord> {
  const { hash, company_guid, ...stored } = entry;
  const { result, action } = labelsOf(entry, locale);
  return { ...stored, user: entry.user_name, time: entry.created_at, result, ...action };
}

/** The filters of the contract, in its order. */
export const filters = {
  keywords: described(words, 'Texts that an entry contains, all of them, in capital or small letters.'),
  categories: described(words, 'Labels or codes of the categories to list.'),
  actions: described(words, 'Labels or codes of the actions to list.'),
  company_guids: described(words, 'GUIDs of the companies whose entries are listed.'),
  from: described(time, 'Earliest time of an entry, inclusive.'),
  to: described(time, 'Latest time of an entry, inclusive.'),
  locale: described(anyText, 'Language of labels and messages; that of the account where absent.'),
};

export function filterOf(input: InputOf<typeof filters>): Wanted {
  return {
    keywords: input.keywords ?? [],
    categories: input.categories,
    actions: input.actions,
    companies: input.company_guids?.map((guid) => guid.toLowerCase()),
    from: input.from,
    to: input.to,
  };
}
