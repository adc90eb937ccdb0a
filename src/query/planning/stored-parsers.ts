// Parsers as `parse NAME` runs them: from the kind and the stored configuration, whose keys are those of the REST interface.

import type { Json } from '#kernel/json/canonical-json.ts';
import type { KnownParser } from './query-context.ts';

type Configs = Readonly<Record<string, Json>>;

/** Undefined for a kind that does not exist, or without a value that it needs. */
export const storedParser = (kind: string, configs: Configs): KnownParser | undefined =>
  Object.hasOwn(KINDS, kind) ? KINDS[kind]?.(configs) : undefined;

const KINDS: Readonly<Record<string, (configs: Configs) => KnownParser | undefined>> = {
  regex: ({ pattern }) => (typeof pattern === 'string' ? { kind: 'regex', pattern } : undefined),
  csv({ columns, delimiter, quote }) {
    const names = namesIn(columns);
    return names && { kind: 'csv', columns: names, delimiter: textOr(delimiter, ','), quote: textOr(quote, '"') };
  },
  'key-value': ({ pair_delimiter, key_delimiter, quoted }) => ({
    kind: 'key-value',
    pairDelimiter: textOr(pair_delimiter, ' '),
    keyDelimiter: textOr(key_delimiter, '='),
    quoted: flagOr(quoted, true),
  }),
  json: ({ flatten, lenient }) => ({ kind: 'json', flatten: flagOr(flatten, false), lenient: flagOr(lenient, false) }),
  xml: () => ({ kind: 'xml' }),
  syslog: () => ({ kind: 'syslog' }),
  text: () => ({ kind: 'text' }),
  query: ({ query }) => (typeof query === 'string' ? { kind: 'query', query } : undefined),
};

const textOr = (value: Json | undefined, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** A map of a form may hold the text of a flag. */
const flagOr = (value: Json | undefined, otherwise: boolean): boolean =>
  typeof value === 'boolean' || typeof value === 'string' ? String(value).toLowerCase() === 'true' : otherwise;

/** A list, or its items with commas between them. */
function namesIn(columns: Json | undefined): string[] | undefined {
  const items = typeof columns === 'string' ? columns.split(',').map((name) => name.trim()) : columns;
  return Array.isArray(items) ? items.map(String) : undefined;
}

/** Those that need no configuration, by code. */
export const BUILT_IN_PARSERS: ReadonlyMap<string, KnownParser> = new Map(
  ['json', 'key-value', 'syslog', 'text'].flatMap((code) => {
    const parser = storedParser(code, {});
    return parser ? [[code, parser] as const] : [];
  }),
);
