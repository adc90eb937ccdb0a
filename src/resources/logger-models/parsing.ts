// Parsing settings of a logger model: the configuration of its parser, and the rules that normalise parsed logs. Parsers of
// rules are configured like that of the model.

import type { Caller } from '#access/caller.ts';
import { duplicatedGuid, notFound, tooManyCharacters } from '#contract/errors.ts';
import { parserNamed } from '#ingest/parsers/index.ts';
import { configsFor } from '#ingest/parsers/parser.ts';
import type { KeptRule } from '#ingest/reading/model.ts';
import { newGuid } from '#kernel/guid.ts';
import { arrayOf, guidText, int32, optional, orNull, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { array, type JsonObject, map, members, reading } from '#operations/params/json-params.ts';
import { type Earlier, guid, int, type ReadContext, type Reader, required, text } from '#operations/params/params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Db } from '#store/kysely.ts';
import { exists, resolveReferences } from '#store/rows/resolve.ts';

export const words = (most: number) => text(most, tooManyCharacters);

/** Unknown parsers are not refused here: references are checked later. */
export const parserConfigs: Reader<JsonObject | undefined> = {
  ...map,
  schema: { ...map.schema, $comment: 'The keys of each parser: docs/reference/parsers.md.' },
  read(given, name, context, earlier = {}) {
    const configs = map.read(given, name, context);
    requireConfigs(earlier.parser_code, configs, context);
    return configs;
  },
};

function requireConfigs(code: unknown, configs: unknown, context: ReadContext): void {
  const parser = typeof code === 'string' ? parserNamed(code) : undefined;
  // The reader of the field returns a map or undefined.
  if (parser) configsFor(parser, (configs ?? {}) as JsonObject, context);
}

const rule = members({
  guid: described(guid, 'GUID of the rule; made where it is absent.'),
  name: required(words(50), 'Name of the rule.'),
  log_schema_code: required(words(50), 'Code of the log schema of the logs.'),
  parser_code: described(words(50), 'Code of a parser other than that of the model.', 'json'),
  stream_query: described(words(65_535), 'Query that a log passes.', 'search status >= 500'),
  stream_interval: described(int(1n), 'Interval of the query.', 1000),
});

const schema = {
  $comment: 'The first rule whose query lets a log pass decides.',
  examples: [[{ name: 'failures', log_schema_code: 'web', stream_query: 'search status >= 500' }]],
};

const keptRule = reading(rule, (item, name, context): KeptRule => {
  const { guid = newGuid(), name: own, log_schema_code, ...others } = rule(item, name, context);
  const set = Object.entries(others).filter(([, value]) => value !== undefined);
  return { guid, name: own, log_schema_code, ...Object.fromEntries(set) };
});

const given = array(schema, keptRule);

/** A rule without a GUID gets a new one. */
export const modelRules: Reader<readonly KeptRule[] | undefined> = {
  ...given,
  read(raw, name, context, earlier: Earlier = {}) {
    const rules = given.read(raw, name, context);
    for (const { parser_code } of rules ?? []) requireConfigs(parser_code, earlier.parser_configs, context);
    return rules;
  },
};

export const ruleRecords = arrayOf(
  record({
    guid: guidText('GUID of the rule.'),
    name: string('Name of the rule.', 'failures'),
    log_schema_code: string('Code of the log schema that the rule assigns.', 'web'),
    log_schema_name: orNull(string)('Name of that log schema; null where it has been removed.', 'Web access'),
    parser_code: optional(string('Code of a further parser for the logs of the rule.', 'json')),
    stream_query: optional(string('Commands that a log must pass.', 'search status >= 500')),
    stream_interval: optional(int32('Interval in seconds; stored with the rule and not used by the service.')),
  }),
);

export const rulesIn = (kept: unknown): readonly KeptRule[] => (typeof kept === 'string' ? JSON.parse(kept) : []);

export async function validateQueries(
  rules: readonly KeptRule[] = [],
  { queries, caller }: { queries: LiveQueries; caller: Caller },
): Promise<void> {
  for (const { stream_query } of rules) {
    if (stream_query !== undefined) await queries.validateCondition({ caller, text: stream_query });
  }
}

export const parserExists = async (db: Db, code: string): Promise<boolean> =>
  parserNamed(code) !== undefined || (await exists(db, 'parser', code));

/** Refuses the first missing reference. */
export async function requireReferences(db: Db, rules: readonly KeptRule[] = []): Promise<void> {
  const { missing } = await resolveReferences(db, schemasOf(rules));
  const gone = new Set(missing.map(({ key }) => key));
  const guids = new Set<string>();
  for (const { guid, log_schema_code, parser_code } of rules) {
    if (guids.has(guid)) throw duplicatedGuid(guid);
    guids.add(guid);
    if (gone.has(log_schema_code)) throw notFound('log schema', log_schema_code);
    if (parser_code !== undefined && !(await parserExists(db, parser_code))) throw notFound('parser', parser_code);
  }
}

/** The rules of each model with the names of their schemas; null for a removed schema. */
export async function shownRules(db: Db, models: readonly (readonly KeptRule[])[]): Promise<object[][]> {
  const names = await resolveReferences(db, schemasOf(models.flat()));
  return models.map((rules) =>
    rules.map(({ guid, name, log_schema_code, ...others }) => {
      const log_schema_name = names.nameOf({ thing: 'log schema', key: log_schema_code }) ?? null;
      return { guid, name, log_schema_code, log_schema_name, ...others };
    }),
  );
}

const schemasOf = (rules: readonly KeptRule[]) =>
  rules.map(({ log_schema_code }) => ({ thing: 'log schema', key: log_schema_code }) as const);
