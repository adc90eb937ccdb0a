// The one rule by which values are shown as `***`: their names tell. Audit entries, the service log, slots and lists of
// queries go by it.

import type { Json } from '#kernel/canonical-json.ts';
import { isRawNumber } from '#kernel/exact-json.ts';

export const MASK = '***';

const SECRET_WORDS = /password|passwd|secret|apikey|token|credential|authorization/;

/** `Api-Key`, `api_key` and `API.KEY` are one name. */
export const isSecretName = (name: string): boolean => SECRET_WORDS.test(name.toLowerCase().replace(/[-_.]/g, ''));

/** How members of a name are shown that is no secret's, but holds one. */
export type ShownMembers = Readonly<Record<string, (value: Json) => Json>>;

/** The value with its secrets masked, at any depth; the value itself where it has none. */
export function maskSecrets(value: Json, others: ShownMembers = {}): Json {
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => maskSecrets(item, others));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value);
  const shown = entries.map(([name, item]) => [name, shownMember(name, item, others)] as const);
  return shown.every(([, item], at) => item === entries[at]?.[1]) ? value : Object.fromEntries(shown);
}

function shownMember(name: string, value: Json, others: ShownMembers): Json {
  if (value === null) return value;
  if (isSecretName(name)) return MASK;
  const other = Object.hasOwn(others, name) ? others[name] : undefined;
  return other ? other(value) : maskSecrets(value, others);
}

/** What PostgreSQL says of who may not log in, without the user of the database's url. */
export const maskDatabaseUser = (text: string): string => text.replace(/\b(user|role) "[^"]*"/g, `$1 "${MASK}"`);
