// One audit entry as it is stored, hashed and shown. Localized texts are never stored; they are made when read.

import { outcomeLabels, outcomeOf } from '#contract/labels/catalogue.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical-json.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import { searchText } from '#kernel/text/search-text.ts';

export type Params = { readonly [name: string]: Json };

/** Fields known to the caller; id, time and hash are assigned when the entry is sealed. */
export interface Draft {
  readonly user_guid?: string;
  readonly user_name: string;
  readonly company_guid?: string;
  readonly remote_ip: string;
  readonly module: string;
  readonly method: string;
  readonly params?: Params;
  readonly msg_params?: Params;
  readonly error?: string;
}

export interface Entry extends Draft {
  readonly id: number;
  readonly created_at: number;
}

export interface SealedEntry extends Entry {
  readonly hash: string;
}

const MAX_CHARACTERS = 2000;

/** A text as an entry holds it: its first 2,000 characters. */
export function truncateText(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return [...text.slice(0, 2 * MAX_CHARACTERS)].slice(0, MAX_CHARACTERS).join('');
}

/** The user name of an unauthenticated request. */
export const NO_USER = '-';

/** Columns of `audit_entries`, in the order of `entryRow`. */
export const ENTRY_COLUMNS = [
  'id',
  'user_guid',
  'user_name',
  'company_guid',
  'remote_ip',
  'module',
  'method',
  'params',
  'msg_params',
  'error',
  'created_at',
  'hash',
] as const;

export function entryRow(entry: SealedEntry): (string | number | null)[] {
  const { params, msg_params } = entry;
  return [
    entry.id,
    entry.user_guid ?? null,
    entry.user_name,
    entry.company_guid ?? null,
    entry.remote_ip,
    entry.module,
    entry.method,
    params ? canonicalJson(params) : null,
    msg_params ? canonicalJson(msg_params) : null,
    entry.error ?? null,
    entry.created_at,
    entry.hash,
  ];
}

/** The inverse of `entryRow`: fields that are null in the database are absent. */
export function entryOfRow(row: Record<string, unknown>): SealedEntry {
  const fields = ENTRY_COLUMNS.filter((column) => row[column] !== null && row[column] !== undefined).map((column) => {
    const value = row[column];
    return [column, column === 'params' || column === 'msg_params' ? parseJson(String(value)) : value];
  });
  // The columns are exactly the fields of an entry, and `not null` holds for those that are not optional.
  return Object.fromEntries(fields) as SealedEntry;
}

/**
 * The searchable text of an entry: every stored key and value. The id of the request is left out, because its digits
 * would match any short keyword. The label of a partial outcome is added, because no column holds it.
 */
export function entrySearchText(entry: Entry): string {
  const lines: string[] = [];
  collect(entry.id, lines);
  for (const field of [entry.user_guid, entry.user_name, entry.company_guid, entry.remote_ip]) collect(field, lines);
  for (const field of [entry.module, entry.method, entry.error, entry.created_at]) collect(field, lines);
  collect(entry.params, lines);
  const { request_id: _, ...noted } = entry.msg_params ?? {};
  collect(noted, lines);
  if (outcomeOf(entry) === 'partial') lines.push(...outcomeLabels('partial'));
  return searchText(lines);
}

function collect(value: Json | undefined, lines: string[]): void {
  if (value === undefined || value === null) return;
  if (typeof value !== 'object') {
    lines.push(String(value));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) lines.push(key);
    collect(item, lines);
  }
}
