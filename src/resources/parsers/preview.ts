// POST /parsers/preview

import * as refuse from '#contract/errors.ts';
import { REASONS } from '#ingest/decode/record.ts';
import { parserNamed } from '#ingest/parsers/index.ts';
import { isKind, KINDS, PARSER_KINDS } from '#ingest/parsers/kinds.ts';
import { configsFor } from '#ingest/parsers/parser.ts';
import type { PreviewedParser, Previews } from '#ingest/reading/previews/previews.ts';
import { arrayOf, choice, map, orNull, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { asText, type JsonObject, json, map as mapParam } from '#operations/params/json-params.ts';
import { type Earlier, oneOf, type Reader, required, text } from '#operations/params/params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { findParser } from '#store/rows/parsers.ts';

const MAX_LINES = 10;
const MAX_CHARACTERS = 65_536;
/** More than all lines take as JSON. */
const MAX_BYTES = 16 * 2 ** 20;

interface Needs extends Call {
  readonly queries: LiveQueries;
  readonly previews: Previews;
}

const EXAMPLE = 'Failed password for user kim from 10.0.0.1';

const lines = asText(
  json(
    {
      type: 'array',
      items: { type: 'string', maxLength: MAX_CHARACTERS },
      minItems: 1,
      maxItems: MAX_LINES,
      examples: [[EXAMPLE]],
    },
    (value, name): readonly string[] => {
      if (!Array.isArray(value)) throw refuse.notJson(name);
      if (value.length === 0) throw refuse.missing(name);
      if (value.length > MAX_LINES) throw refuse.tooManyItems(name, MAX_LINES);
      return value.map((line: unknown) => {
        if (typeof line !== 'string') throw refuse.notJson(name);
        if (line.length > MAX_CHARACTERS && [...line].length > MAX_CHARACTERS)
          throw refuse.tooLong(name, MAX_CHARACTERS);
        return line;
      });
    },
    MAX_BYTES,
  ),
);

/** Read by the parser, which stands before it: that of the code, else the kind. A stored one has its own. */
const configs: Reader<JsonObject | undefined> = {
  ...mapParam,
  schema: { ...mapParam.schema, examples: [{ pattern: 'user (?<user>\\S+) from (?<ip>[\\d.]+)' }] },
  read(given, name, context, earlier: Earlier = {}) {
    const { parser_code: code, factory_name: kind } = earlier;
    if (code === undefined && kind === undefined) throw refuse.missing('parser_code');
    const kept = mapParam.read(given, name, context);
    const parser = typeof code === 'string' ? parserNamed(code) : kindNamed(kind);
    if (parser) configsFor(parser, kept ?? {}, context, name);
    return kept;
  },
};

const kindNamed = (kind: unknown) => (typeof kind === 'string' && isKind(kind) ? KINDS[kind] : undefined);

export const preview = endpoint({
  title: 'Preview parser',
  notes:
    'Shows the records that a parser makes of at most ten lines, each as it would be kept, or the reason why a line ' +
    'would be rejected; a blank line is no log and has neither. `parser_code` names a built-in or a stored parser and ' +
    'goes before `factory_name`, the kind of a parser that is being written; `configs` belongs to the built-in parser ' +
    'or to the kind. Nothing is stored or audited. After five seconds the preview ends.',
  method: 'POST',
  path: '/api/core/parsers/preview',
  access: 'MEMBER',
  isUnit: false,
  params: {
    lines: required(lines, 'Lines of text, each one log.'),
    parser_code: described(text(50), 'Code of the parser.', 'syslog'),
    factory_name: described(oneOf(PARSER_KINDS), 'Kind of a parser that is being written.'),
    configs: described(configs, 'Configuration of the parser, by its code or kind.'),
  },
  answer: record({
    results: arrayOf(
      record({
        line: string('The line.', EXAMPLE),
        record: orNull(map)('Record that would be kept; null for a line that is rejected.', {
          _time: '2024-03-01 09:00:00+0900',
          user: 'kim',
          ip: '10.0.0.1',
        }),
        reason: orNull(choice(REASONS))('Code of the reason why the line is rejected; null where it is not.'),
      }),
    )('One result for each line, in the same order.'),
  }),

  async run(input, needs: Needs) {
    const { caller, previews, gone } = needs;
    const parser = await parserOf(input, needs);
    const results = await previews.run({ account: caller.userGuid, lines: input.lines, parser, signal: gone });
    // Results are JSON already.
    return new Answer<never>(`{"results":[${results.join(',')}]}`);
  },
});

type Input = Parameters<typeof preview.run>[0];

async function parserOf(
  {
    parser_code: code,
    factory_name: kind,
    configs: given = {},
  }: Pick<Input, 'parser_code' | 'factory_name' | 'configs'>,
  { db, queries, caller }: Needs,
): Promise<PreviewedParser> {
  if (code !== undefined) {
    if (!parserNamed(code) && !(await findParser(db, code))) throw refuse.notFound('parser', code);
    return { code, configs: given };
  }
  if (kind === undefined) throw refuse.missing('parser_code');
  if (kind === 'query') await queries.validateParser({ caller, text: String(given.query ?? '') });
  return { kind, configs: given };
}
