// What a logger model says about reading logs, made ready: its parser, its rules, and the schemas that the rules name.

import { notFound } from '#contract/errors.ts';
import { parserNamed } from '#ingest/parsers/index.ts';
import { configsFor, type ReadLine } from '#ingest/parsers/parser.ts';
import { NO_PARSERS, type StoredParsers, storedReadLine } from '#ingest/parsers/stored.ts';
import type { Target } from '#ingest/target.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { JsonObject } from '#operations/params/json-params.ts';
import type { AddressGroup } from '#query/values/addresses/address-group.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { everyParser } from '#store/rows/parsers.ts';
import type { Store } from '#store/store.ts';
import { guidsIn } from './model-groups.ts';
import type { ModelRule, Normalize } from './normalize.ts';
import type { SchemaField } from './schema-values.ts';
import type { WorkLimit } from './work-limit.ts';

/** As it is kept with its model. */
export interface KeptRule {
  readonly guid: string;
  readonly name: string;
  readonly log_schema_code: string;
  readonly parser_code?: string;
  readonly stream_query?: string;
  readonly stream_interval?: number;
}

export interface Model {
  readonly parserCode: string;
  readonly configs: JsonObject;
  readonly rules: readonly KeptRule[];
}

/** By their codes. */
export type Schemas = ReadonlyMap<string, readonly SchemaField[]>;

/** The user of rules: user() in a rule gives it. */
const SERVICE = 'system';

export interface CompiledModel {
  /** Undefined for lines that are records already. */
  readonly read: ReadLine | undefined;
  /** Undefined where the model has no rules. */
  readonly normalize: Normalize | undefined;
  /** Whether it copies lines as they are. */
  readonly isCopying: boolean;
  readonly isWhole: boolean;
  readonly limit: WorkLimit;
}

/** The part of a target that says how its logs are read. */
export type ModelSource = Pick<Target, 'model_guid' | 'parser_code' | 'parser_configs' | 'model_rules'>;

/** For text that comes without a logger: a parser by its code, with its own configuration or none. */
export const parsedBy = (code: string): ModelSource => ({
  model_guid: '',
  parser_code: code,
  parser_configs: null,
  model_rules: null,
});

export function modelOf({ model_guid, parser_code, parser_configs, model_rules }: ModelSource): Model {
  if (parser_code === null) throw notFound('logger model', model_guid);
  return {
    parserCode: parser_code,
    configs: JSON.parse(parser_configs ?? '{}'),
    rules: JSON.parse(model_rules ?? '[]'),
  };
}

/** The address groups that its rules and parsers may refer to. */
export const groupsIn = ({ rules }: Model, parsers: StoredParsers): string[] => [
  ...new Set([
    ...rules.flatMap(({ stream_query = '' }) => guidsIn(stream_query)),
    ...parsers.values().flatMap(({ configs }) => guidsIn(configs ?? '')),
  ]),
];

/** A schema that has gone converts nothing. */
export async function schemasOf(store: Store, { rules }: Model): Promise<Schemas> {
  if (rules.length === 0) return new Map();
  const codes = [...new Set(rules.map(({ log_schema_code }) => log_schema_code))];
  const rows = await store.read((db) =>
    db.selectFrom('log_schemas').select(['code', 'fields']).where('code', 'in', codes).orderBy('code').execute(),
  );
  return new Map(rows.map(({ code, fields }) => [code, JSON.parse(fields)]));
}

/** Those that the model may run; read only where it names one that is not built in. */
export async function parsersOf(store: Store, model: Model): Promise<StoredParsers> {
  const codes = [model.parserCode, ...model.rules.flatMap(({ parser_code = [] }) => parser_code)];
  if (codes.every((code) => parserNamed(code))) return NO_PARSERS;
  const rows = await store.read(everyParser);
  return new Map(rows.map((row) => [row.code, row]));
}

interface ModelContext {
  readonly zone: string;
  readonly clock: Clock;
  readonly limit: WorkLimit;
  readonly parsers: StoredParsers;
  groups(): ReadonlyMap<string, AddressGroup>;
}

export async function compiledModel(model: Model, schemas: Schemas, context: ModelContext): Promise<CompiledModel> {
  const { limit } = context;
  const { isOfRecords = false, isCopying = false } = parserNamed(model.parserCode) ?? {};
  const read = isOfRecords ? undefined : await readLineOf(model.parserCode, model, context);
  if (model.rules.length === 0) return { read, normalize: undefined, isCopying, isWhole: true, limit };
  const { compileRules } = await import('./normalize.ts');
  const rules: ModelRule[] = [];
  for (const { name, parser_code, log_schema_code, stream_query } of model.rules) {
    rules.push({
      name,
      log_schema_code,
      stream_query,
      read: parser_code === undefined ? undefined : await readLineOf(parser_code, model, context),
      schema: schemas.get(log_schema_code) ?? [],
    });
  }
  const { zone, clock } = context;
  const { StepMeter } = await import('#query/values/steps.ts');
  const moment = { now: () => clock.now(), groups: () => context.groups() };
  const steps = new StepMeter(limit.ruleSteps);
  const compiling = compileRules(rules, { zone, user: SERVICE, ...moment, steps, limit });
  const compiled = await eventLoop.runInSlots(compiling);
  return { read, ...compiled, isCopying: false, limit };
}

/** A built-in parser shares the configuration of the model; a stored one has its own. */
async function readLineOf(code: string, { configs }: Model, context: ModelContext): Promise<ReadLine> {
  const { zone, clock, parsers, limit } = context;
  const parser = parserNamed(code);
  if (parser) {
    return await parser.compile(
      configsFor(parser, configs, { now: clock.now(), maxGuids: Number.POSITIVE_INFINITY }),
      zone,
      limit,
    );
  }
  const stored = parsers.get(code);
  const read = stored && (await storedReadLine(stored, context));
  if (!read) throw notFound('parser', code);
  return read;
}
