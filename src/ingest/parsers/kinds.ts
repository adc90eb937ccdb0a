// The kinds of stored parsers. Those of the built-in parsers are configured like them.

import { flag, orElse, required, text } from '#operations/params/params.ts';
import { parsedValue } from '#query/values/formats/parsed-text.ts';
import { csv } from './csv.ts';
import { keyValue } from './key-value.ts';
import { described, type Parser, parser } from './parser.ts';
import { regex } from './regex.ts';

export const PARSER_KINDS = ['regex', 'csv', 'key-value', 'json', 'xml', 'query'] as const;
export type ParserKind = (typeof PARSER_KINDS)[number];

const json = parser({
  code: 'json',
  name: 'JSON',
  description: 'Each line is a JSON object.',
  configs: {
    flatten: orElse(described(flag, 'whether paths of objects and lists become names joined by `_`'), false),
    lenient: orElse(described(flag, 'whether single-quoted strings and bare keys are read too'), false),
  },
  example: { line: '{"user":"kim"}', fields: { user: 'kim' } },
  compile:
    async ({ flatten, lenient }, zone) =>
    (line) => {
      const fields = parsedValue(line, { format: 'json', flatten, lenient }, { field: 'line', zone });
      return fields && { fields };
    },
});

const xml = parser({
  code: 'xml',
  name: 'XML',
  description: 'Each line is an XML document.',
  configs: {},
  example: { line: '<e><user>kim</user></e>', fields: { user: 'kim' } },
  compile: async (_, zone) => (line) => {
    const fields = parsedValue(line, { format: 'xml' }, { field: 'line', zone });
    return fields && { fields };
  },
});

/** What a pipeline is configured with; it is compiled with the parsers that it names (`compileLineParser`). */
const query = parser({
  code: 'query',
  name: 'Query',
  description: 'A pipeline of commands over the field `line`.',
  configs: { query: required(described(text(65_535), 'the commands')) },
  example: { line: '{"user":"kim"}', fields: { user: 'kim' } },
  compile: async () => {
    throw new Error('a pipeline is compiled with the parsers that it names');
  },
});

export const KINDS: Readonly<Record<ParserKind, Parser>> = { regex, csv, 'key-value': keyValue, json, xml, query };

export const isKind = (kind: string): kind is ParserKind => PARSER_KINDS.some((known) => known === kind);
