// The record of a parser, and the parameters that it is written with.

import { notFound, wrongLookupName } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { PARSERS } from '#ingest/parsers/index.ts';
import { KINDS, PARSER_KINDS, type ParserKind } from '#ingest/parsers/kinds.ts';
import { configsFor, type Parser } from '#ingest/parsers/parser.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { findingsBeside } from '#operations/answers/finding-shapes.ts';
import { boolean, map, optional, record, stamp, string, type TypeOf } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import type { Call } from '#operations/endpoint.ts';
import { type JsonObject, map as mapParam } from '#operations/params/json-params.ts';
import { type Earlier, oneOf, type Reader, required, text, textLike } from '#operations/params/params.ts';
import type { AnswerFindings } from '#queries/check/text-check.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Db } from '#store/kysely.ts';
import { exists } from '#store/rows/resolve.ts';
import type { ParserRow } from '#store/schema/schema.ts';

export const parserRecord = record('Parser', {
  code: string('Code of the parser.', 'login'),
  name: string('Name of the parser.', 'Logins'),
  description: optional(string('Description of the parser.', 'Reads the user of a login.')),
  factory_name: string('Kind of the parser.', 'regex'),
  builtin: boolean('Whether the parser belongs to the service.'),
  schema_code: optional(string('Code of the log schema of the parsed logs; absent where there is none.', 'web')),
  configs: optional(map('Configuration of the parser; absent for a built-in one.', { pattern: 'user=(?<user>\\S+)' })),
  created: optional(stamp('Time when the parser was created; absent for a built-in one.')),
  updated: optional(stamp('Time of the last change of the parser; absent for a built-in one.')),
});

export const builtInRecord = ({ code, name, description }: Parser): TypeOf<typeof parserRecord> => ({
  code,
  name,
  description,
  factory_name: code,
  builtin: true,
});

export function storedRecord(row: ParserRow, zone: string): TypeOf<typeof parserRecord> {
  const stampOf = (at: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  return {
    code: row.code,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    factory_name: row.factory_name,
    builtin: false,
    ...(row.schema_code === null ? {} : { schema_code: row.schema_code }),
    configs: JSON.parse(row.configs ?? '{}'),
    created: stampOf(row.created_at),
    updated: stampOf(row.updated_at),
  };
}

const CODE = /^[\p{L}\p{M}\p{Nd}_-]+$/u;

export const newCode = required(
  textLike(50, CODE, (value) => wrongLookupName('code', value)),
  'Code of the parser, its name in queries: letters, digits, `_` and `-`.',
);

/** Read by the kind, which stands before it. */
const configs: Reader<JsonObject | undefined> = {
  ...mapParam,
  schema: { ...mapParam.schema, examples: [{ pattern: 'user=(?<user>\\S+)' }] },
  read(given, name, context, earlier: Earlier = {}) {
    const kept = mapParam.read(given, name, context);
    const kind = earlier.factory_name;
    // The reader of the kind refuses all others.
    if (typeof kind === 'string') configsFor(KINDS[kind as ParserKind], kept ?? {}, context, name);
    return kept;
  },
};

export const parserFields = {
  name: required(text(255), 'Name of the parser.'),
  description: described(text(2000), 'Description of the parser, for people.', 'Reads the user of a login.'),
  factory_name: required(oneOf(PARSER_KINDS), 'Kind of the parser.'),
  configs: described(configs, 'Configuration of the parser, by its kind.'),
  schema_code: described(text(50), 'Code of the log schema of the parsed logs.', 'web'),
};

export interface ParserInput {
  readonly name: string;
  readonly description: string | undefined;
  readonly factory_name: (typeof PARSER_KINDS)[number];
  readonly configs: JsonObject | undefined;
  readonly schema_code: string | undefined;
}

export interface ParserNeeds extends Call {
  readonly clock: Clock;
  readonly queries: LiveQueries;
  readonly collectors: { changed(): Promise<void> };
}

/** The text of a parser that is a pipeline is checked like a query; its warnings and hints are for the answer. */
export async function validateText(
  { factory_name, configs: given }: ParserInput,
  { queries, caller }: ParserNeeds,
): Promise<AnswerFindings> {
  if (factory_name !== 'query') return {};
  return await queries.validateParser({ caller, text: String(given?.query ?? '') });
}

export const writtenParser = record({ code: string('Code of the parser.', 'login'), ...findingsBeside });

export async function requireSchema(db: Db, { schema_code }: ParserInput): Promise<void> {
  if (schema_code !== undefined && !(await exists(db, 'log schema', schema_code))) {
    throw notFound('log schema', schema_code);
  }
}

export const columnsOf = ({ name, description, factory_name, configs: given, schema_code }: ParserInput) => ({
  name,
  description: description ?? null,
  factory_name,
  configs: JSON.stringify(given ?? {}),
  schema_code: schema_code ?? null,
});

export const builtIn = (code: string): Parser | undefined => PARSERS.find((parser) => parser.code === code);
