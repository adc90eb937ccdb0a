// Rules of a logger model (7.7): how its logs become logs of a schema. They are tried in their order, and the first that
// lets a log pass decides: what came out of it is kept, with the code of the schema in `_schema`. No record can stop a
// rule. Loaded with the first model that has rules, because it brings the language along.

import { markRepaired, ordinaryFields } from '#ingest/decode/repair.ts';
import type { Log } from '#ingest/intake.ts';
import type { Parsed, ReadLine } from '#ingest/parsers/parser.ts';
import { ownTime } from '#ingest/parsers/time-configs.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { isStorable } from '#kernel/time/storable-time.ts';
import { RowRecords } from '#logs/row-record.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { compileRule } from '#query/rules/condition.ts';
import type { RuleContext } from '#query/rules/record-facts.ts';
import { StepsExceeded } from '#query/values/failures.ts';
import type { StepMeter } from '#query/values/steps.ts';
import { inSchema, type SchemaField } from './schema-values.ts';
import type { WorkLimit } from './work-limit.ts';

export interface ModelRule {
  readonly name: string;
  readonly log_schema_code: string;
  readonly stream_query: string | undefined;
  /** Of the parser that it names. */
  readonly read: ReadLine | undefined;
  readonly schema: readonly SchemaField[];
}

/** A log before any rule has seen it. */
export interface Unruled {
  /** Without the time. */
  readonly values: MapValue;
  /** What a rule's parser reads. */
  readonly line: string | undefined;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Whether that is when the log arrived, because nothing has named another time yet. */
  readonly isOfArrival: boolean;
  readonly table: string;
}

/** What rules make of a log. */
export interface Ruled {
  /** Undefined where no rule lets it pass. */
  readonly log: Log | undefined;
  /** The rules that took too many steps for it, by name: they do not let it pass. */
  readonly exceeded: readonly string[];
}

export type Normalize = (log: Unruled) => Ruled;

/** One rule alone; undefined where it does not let the log pass. */
type Rule = (log: Unruled) => Log | undefined;

export type QueryContext = Omit<RuleContext, 'constants' | 'steps'> & {
  readonly steps: StepMeter;
  readonly limit: WorkLimit;
};

export interface Normalizer {
  readonly normalize: Normalize;
  /** False where a rule refers to what is not there: it lets nothing pass, until that comes back. */
  readonly isWhole: boolean;
}

export function* compileRules(rules: readonly ModelRule[], context: QueryContext): SlicedWork<Normalizer> {
  const compiled: { readonly name: string; readonly pass: Rule | undefined }[] = [];
  for (const rule of rules) compiled.push({ name: rule.name, pass: yield* compiledRule(rule, context) });
  const working = compiled.flatMap(({ name, pass }) => (pass ? [{ name, pass }] : []));
  const { steps, limit } = context;
  const normalize = (log: Unruled): Ruled => {
    const exceeded: string[] = [];
    steps.beginRecord();
    for (const { name, pass } of working) {
      limit.check();
      steps.beginRule();
      const found = passed(pass, log);
      if (found === 'exceeded') exceeded.push(name);
      else if (found) return { log: found, exceeded };
    }
    return { log: undefined, exceeded };
  };
  return { normalize, isWhole: working.length === compiled.length };
}

function passed(rule: Rule, log: Unruled): Log | 'exceeded' | undefined {
  try {
    return rule(log);
  } catch (failure) {
    if (failure instanceof StepsExceeded) return 'exceeded';
    throw failure;
  }
}

function* compiledRule(
  { log_schema_code, read, stream_query, schema }: ModelRule,
  context: QueryContext,
): SlicedWork<Rule | undefined> {
  const judge = stream_query === undefined ? (record: MapValue) => record : yield* judgeOf(stream_query, context);
  if (!judge) return undefined;
  const converted = inSchema(schema, context.zone);
  const records = new RowRecords();
  return (log) => {
    const parsed = read && log.line !== undefined ? read(log.line, log.time) : undefined;
    if (read && !parsed) return undefined;
    const time = (parsed && log.isOfArrival ? timeOf(parsed, context.zone) : undefined) ?? log.time;
    const outcome = judge(rowOf(log, parsed?.fields, time));
    if (!outcome) return undefined;
    const values = converted(outcome);
    // What a row has of its own is no part of the record.
    for (const name of ['_node', '_schema']) values.delete(name);
    const { fields, isRepaired } = ordinaryFields(values.set('_schema', log_schema_code));
    const record = records.of(fields, timeIn(outcome, time));
    return { ...(isRepaired ? markRepaired(record) : record), schema: log_schema_code };
  };
}

/** Undefined for a text that was valid when the rule was written, and no longer is. */
function* judgeOf(
  text: string,
  context: QueryContext,
): SlicedWork<((record: MapValue) => MapValue | undefined) | undefined> {
  try {
    return (yield* compileRule(text, { ...context, constants: new Map() })).judge;
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

function rowOf({ values, table }: Unruled, parsed: MapValue | undefined, time: number): MapValue {
  const row = new Map<string, Value>([
    ['_time', Temporal.Instant.fromEpochMilliseconds(time)],
    ['_table', table],
    ...values,
  ]);
  for (const [name, value] of parsed ?? []) if (name !== '_time') row.set(name, value);
  return row;
}

function timeOf({ fields, time }: Parsed, zone: string): number | undefined {
  const own = ownTime(fields, zone);
  return typeof own === 'number' ? own : time;
}

/** A query may change the time to another one. */
function timeIn(outcome: MapValue, time: number): number {
  const made = outcome.get('_time');
  if (!(made instanceof Temporal.Instant)) return time;
  return isStorable(made.epochMilliseconds) ? made.epochMilliseconds : time;
}
