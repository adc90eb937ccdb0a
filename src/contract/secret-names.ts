// The rule by which values are shown as `***`: the name of a value makes it a secret. Audit entries, the service log,
// slots and lists of queries use it.

import type { Json } from '#kernel/json/canonical-json.ts';
import { isRawNumber } from '#kernel/json/exact-json.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';

export const MASK = '***';

const SECRET_WORDS = /password|passwd|secret|apikey|token|credential|authorization/;

/** Names that have been looked at: those of the service log are the same few in every line. */
const known = new BoundedMap<string, boolean>({ max: 1000, evicts: 'refuse' });
/** Callers choose some of the names. */
const MAX_KNOWN_LENGTH = 64;

/** `Api-Key`, `api_key` and `API.KEY` are one name. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const isSecret = SECRET_WORDS.test(name.toLowerCase().replace(/[-_.]/g, ''));
  if (name.length <= MAX_KNOWN_LENGTH) known.set(name, isSecret);
  return isSecret;
}

/** Custom masking for members whose name is not a secret's, but whose value holds one. */
export type ShownMembers = Readonly<Record<string, (value: Json) => Json>>;

/** The value with its secrets masked, at any depth; the value itself if it has none. */
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

/** A login failure of PostgreSQL, without the user name from the database url. */
export const maskDatabaseUser = (text: string): string => text.replace(/\b(user|role) "[^"]*"/g, `$1 "${MASK}"`);
