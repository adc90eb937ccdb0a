// The record of an audit entry: the stored values under the names of the contract, with labels in one language.

import type { SealedEntry } from '#audit/entry.ts';
import type { Wanted } from '#audit/filter.ts';
import { labelsOf } from '#contract/labels/catalogue.ts';
import type { Locale } from '#contract/values.ts';
import { anyText, type InputOf, words } from '#http/params.ts';
import { epoch, guidText, int32, map, optional, record, string, type TypeOf } from '#http/shapes.ts';
import { time } from '#http/time-params.ts';

export const entryFields = {
  id: int32,
  user_guid: optional(guidText),
  user_name: string,
  remote_ip: string,
  module: string,
  method: string,
  params: optional(map),
  msg_params: optional(map),
  error: optional(string),
  created_at: epoch,
  user: string,
  time: epoch,
  result: string,
  category: optional(string),
  action: optional(string),
  msg: optional(string),
};

export const entryRecord = record('AuditEntry', entryFields);

export function toRecord(entry: SealedEntry, locale: Locale): TypeOf<typeof entryRecord> {
  const { hash, company_guid, ...stored } = entry;
  const { result, action } = labelsOf(entry, locale);
  return { ...stored, user: entry.user_name, time: entry.created_at, result, ...action };
}

/** The filters of the contract, in its order. */
export const filters = {
  keywords: words,
  categories: words,
  actions: words,
  company_guids: words,
  from: time,
  to: time,
  locale: anyText,
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
