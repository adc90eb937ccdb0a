// What a logger model says about reading logs, made ready: its parser, its rules, and the schemas that the rules name.

import { notFound } from '#contract/errors.ts';
import type { JsonObject } from '#http/json-params.ts';
import type { Clock } from '#kernel/clock.ts';
import type { AddressGroup } from '#query/values/address-group.ts';
import type { Store } from '#store/store.ts';
import { guidsIn } from './model-groups.ts';
import type { ModelRule, Normalize } from './normalize.ts';
import { parserNamed } from './parsers/index.ts';
import { configsFor, type Parser, type ReadLine } from './parsers/parser.ts';
import type { SchemaField } from './schema-values.ts';
import type { Target } from './target.ts';

/** As it is kept with its model. */
export interface KeptRule {
  readonly guid: string;
  readonly name: string;
  readonly log_schema_code: string;
  readonly parser_code?: string;
  readonly stream_query?: string;
  readonly stream_interval?: number;
}

interface Model {
  readonly parserCode: string;
  readonly configs: JsonObject;
  readonly rules: readonly KeptRule[];
}

/** By their codes. */
type Schemas = ReadonlyMap<string, readonly SchemaField[]>;

/** The user of rules: user() in a rule gives it. */
const SERVICE = 'system';

export interface CompiledModel {
  /** Undefined for lines that are records already. */
  readonly read: ReadLine | undefined;
  /** Undefined where the model has no rules. */
  readonly normalize: Normalize | undefined;
  readonly isWhole: boolean;
}

export function modelOf({ model_guid, parser_code, parser_configs, model_rules }: Target): Model {
  if (parser_code === null) throw notFound('logger model', model_guid);
  return {
    parserCode: parser_code,
    configs: JSON.parse(parser_configs ?? '{}'),
    rules: JSON.parse(model_rules ?? '[]'),
  };
}

/** The address groups that its rules may refer to. */
export const groupsIn = ({ rules }: Model): string[] => [
  ...new Set(rules.flatMap(({ stream_query = '' }) => guidsIn(stream_query))),
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

interface ModelContext {
  readonly zone: string;
  readonly clock: Clock;
  /** Of one rule for one log. */
  readonly ruleSteps: number;
  groups(): ReadonlyMap<string, AddressGroup>;
}

export async function compiledModel(model: Model, schemas: Schemas, context: ModelContext): Promise<CompiledModel> {
  const { isOfRecords } = requiredParser(model.parserCode);
  const read = isOfRecords ? undefined : await readLineOf(model.parserCode, model, context);
  if (model.rules.length === 0) return { read, normalize: undefined, isWhole: true };
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
  const { zone, clock, ruleSteps } = context;
  const { StepMeter } = await import('#query/values/steps.ts');
  const moment = { now: () => clock.now(), groups: () => context.groups() };
  return { read, ...compileRules(rules, { zone, user: SERVICE, ...moment, steps: new StepMeter(ruleSteps) }) };
}

/** Of the model's own parser and of those of its rules: they share its configuration. */
const readLineOf = (code: string, { configs }: Model, { zone, clock }: ModelContext): Promise<ReadLine> => {
  const parser = requiredParser(code);
  return parser.compile(configsFor(parser, configs, { now: clock.now(), maxGuids: Number.POSITIVE_INFINITY }), zone);
};

function requiredParser(code: string): Parser {
  const parser = parserNamed(code);
  if (!parser) throw notFound('parser', code);
  return parser;
}
