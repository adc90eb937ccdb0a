// The parser that the reader is choosing or writing.

import type { AnswerFor } from '#client/call.ts';
import type { Labels } from '#console/labels/en.ts';

export interface ParserDraft {
  /** A code, or one of the two kinds that need a configuration. */
  readonly parser: string;
  /** Of a new parser. */
  readonly code: string;
  readonly pattern: string;
  /** Separated by commas. */
  readonly columns: string;
}

export type Previewed =
  | { readonly isNew: false; readonly parser: { readonly parser_code: string } }
  | {
      readonly isNew: true;
      readonly parser: {
        readonly factory_name: 'regex' | 'csv';
        readonly configs: { readonly pattern: string } | { readonly columns: readonly string[] };
      };
    };

/** Undefined while something is missing. */
export function previewedOf({ parser, pattern, columns }: ParserDraft): Previewed | undefined {
  if (parser === 'regex') {
    return pattern === '' ? undefined : { isNew: true, parser: { factory_name: 'regex', configs: { pattern } } };
  }
  if (parser !== 'csv') return { isNew: false, parser: { parser_code: parser } };
  const names = columns
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? undefined : { isNew: true, parser: { factory_name: 'csv', configs: { columns: names } } };
}

type Parsers = AnswerFor<'GET /api/core/parsers'>['parsers'];

export function parserOptions(parsers: Parsers, labels: Labels['sources']) {
  const own: Readonly<Record<string, string>> = { regex: labels.newRegex, csv: labels.newCsv };
  return parsers.map(({ code, name, builtin }) => ({
    value: code,
    label: builtin ? (own[code] ?? name) : `${name} (${code})`,
  }));
}
