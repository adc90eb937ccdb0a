// Parsers as `parse NAME` runs them: from the kind and the stored configuration, whose keys are those of the REST interface.

import type { Json } from '#kernel/canonical-json.ts';
import type { KnownParser } from './query-context.ts';

type Configs = Readonly<Record<string, Json>>;

/** Undefined for a kind that does not exist, or without a value that it needs. */
export function storedParser(kind: string, configs: Configs): KnownParser | undefined {
  const text = (key: string, otherwise: string) => (typeof configs[key] === 'string' ? configs[key] : otherwise);
  const flag = (key: string, otherwise: boolean) => (typeof configs[key] === 'boolean' ? configs[key] : otherwise);
  switch (kind) {
    case 'regex':
      return typeof configs.pattern === 'string' ? { kind, pattern: configs.pattern } : undefined;
    case 'csv': {
      const columns = namesIn(configs.columns);
      return columns && { kind, columns, delimiter: text('delimiter', ','), quote: text('quote', '"') };
    }
    case 'key-value': {
      const [pairDelimiter, keyDelimiter] = [text('pair_delimiter', ' '), text('key_delimiter', '=')];
      return { kind, pairDelimiter, keyDelimiter, quoted: flag('quoted', true) };
    }
    case 'json':
      return { kind, flatten: flag('flatten', false), lenient: flag('lenient', false) };
    case 'xml':
    case 'syslog':
    case 'text':
      return { kind };
    case 'query':
      return typeof configs.query === 'string' ? { kind, query: configs.query } : undefined;
    default:
      return undefined;
  }
}

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
