// Constants of a run: the `params` of the caller, and how records show them together with the constants of the text.

import { maskSecrets } from '#contract/secret-names.ts';
import { fromTimeText, toStamp } from '#contract/times.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { isRawNumber } from '#kernel/json/exact-json.ts';
import { keysOf } from '#kernel/json/large-objects.ts';
import type { PlanReferences } from '#query/analysis/references.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { TimeRange } from '#query/model/times.ts';
import { LONG_MAX, LONG_MIN, type Value } from '#query/model/values.ts';
import type { Plan } from '#query/plan-nodes/plan.ts';
import type { CheckedQuery } from '#query/query.ts';

export type Constants = ReadonlyMap<string, Value>;

export type DeclaredParams = { readonly [name: string]: Json };

/** Reserved names that a caller may set: the bounds of a time range. */
const RANGE = ['_from', '_to'];

/** The range of a caller as constants. */
export const constantsOfRange = ({ from, to }: Bounds): Constants =>
  new Map([...(from ? [['_from', from] as const] : []), ...(to ? [['_to', to] as const] : [])]);

interface Bounds {
  readonly from: Temporal.Instant | undefined;
  readonly to: Temporal.Instant | undefined;
}

/** The range that a caller gives by its constants; undefined without any. */
export function rangeOfConstants(constants: Constants): TimeRange | undefined {
  const [from, to] = RANGE.map((name) => constants.get(name)).map((bound) =>
    bound instanceof Temporal.Instant ? bound : undefined,
  );
  return from || to ? { ...(from ? { from } : {}), ...(to ? { to } : {}) } : undefined;
}

/** Maximum of values in `params`, lists and maps included: every statement of the engine spells them out. */
const MAX_VALUES = 50_000;

/** Throws a QueryError for an invalid name or value. */
export function constantsOf(params: DeclaredParams, zone: string): Constants {
  requireMaxValues(params);
  return new Map(
    keysOf(params).map((name) => {
      const value = params[name] ?? null;
      return [name, name.startsWith('_') ? rangeBound(name, value, zone) : toValue(value)];
    }),
  );
}

function requireMaxValues(params: DeclaredParams): void {
  let count = 0;
  const look = (container: object): void => {
    const keys = Array.isArray(container) ? undefined : keysOf(container);
    count += keys?.length ?? (container as readonly Json[]).length;
    // Reports the first value beyond the limit; the rest is not counted.
    if (count > MAX_VALUES)
      throw new QueryError(
        90009,
        { begin: 0, end: 0 },
        { what: { term: 'values' }, n: MAX_VALUES + 1, max: MAX_VALUES },
      );
    const items = keys?.map((key) => (container as DeclaredParams)[key] ?? null) ?? (container as readonly Json[]);
    for (const item of items) if (item !== null && typeof item === 'object' && !isRawNumber(item)) look(item);
  };
  look(params);
}

function rangeBound(name: string, value: Json, zone: string): Value {
  const moment = RANGE.includes(name) && typeof value === 'string' ? fromTimeText(value, zone) : undefined;
  if (moment === undefined) throw new QueryError(90402, { begin: 0, end: 0 }, { name });
  return Temporal.Instant.fromEpochMilliseconds(moment);
}

/** Whole numbers that fit are long, all others double. */
function toValue(value: Json): Value {
  if (isRawNumber(value)) return exactNumber(JSON.stringify(value));
  if (typeof value === 'number') return numberOf(value);
  if (Array.isArray(value)) return value.map(toValue);
  if (value === null || typeof value !== 'object') return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, toValue(item)]));
}

/** A number that is not finite is null, as in records. */
function exactNumber(digits: string): Value {
  const whole = /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
  if (whole !== undefined && whole >= LONG_MIN && whole <= LONG_MAX) return whole;
  return Number.isFinite(Number(digits)) ? Number(digits) : null;
}

function numberOf(value: number): Value {
  if (!Number.isInteger(value)) return value;
  const whole = BigInt(value);
  return whole >= LONG_MIN && whole <= LONG_MAX ? whole : value;
}

/** Constants of the caller, constants that the text sets, as far as known, and arguments of its procedures. */
export function knownConstants(given: Constants, { plan, references }: CheckedQuery): Constants {
  const known = new Map(given);
  for (const step of [...plan.earlier, plan].flatMap(({ constants }) => constants)) {
    if (step.kind === 'set' && step.value.kind === 'literal') known.set(step.name, step.value.value);
    if (step.kind === 'setq') for (const [name, value] of constantsOfSetq(step.query, step.row)) known.set(name, value);
  }
  for (const [name, value] of procedureArguments(references)) if (!known.has(name)) known.set(name, value);
  return known;
}

/** Arguments of the procedures that the text itself calls, in its order; nested calls belong to the owners. */
function procedureArguments({ procedures }: PlanReferences): readonly (readonly [string, Value])[] {
  const calls = procedures.toSorted((one, other) => one.begin - other.begin);
  return calls.flatMap(({ constants }) =>
    [...constants].flatMap(([name, arg]) => (arg.kind === 'literal' ? [[name, arg.value] as const] : [])),
  );
}

/** Constants as JSON, for the account of the query. */
export const shownConstants = (constants: Constants, zone: string): Record<string, Json> =>
  Object.fromEntries([...constants].map(([name, value]) => [name, shownValue(value, zone)]));

/** Constants as JSON with masked secrets, for lists and other accounts. The cast holds: masking keeps names and JSON. */
export const maskedConstants = (constants: Constants, zone: string): Record<string, Json> =>
  maskSecrets(shownConstants(constants, zone)) as Record<string, Json>;

/** The fields of the row of a setq; each known column is null where the row lacks it. */
function constantsOfSetq(query: Plan, row: ReadonlyMap<string, Value> | undefined): [string, Value][] {
  if (!row) return [];
  const columns = query.result.rows.columns.map(({ name }): [string, Value] => [name, null]);
  return [...columns, ...row].filter(([name]) => !name.startsWith('_'));
}

/** As JSON shows it: long numbers keep their digits, dates are stamps. */
function shownValue(value: Value, zone: string): Json {
  // Raw JSON is a number to whoever reads the text.
  if (typeof value === 'bigint') return JSON.rawJSON(String(value)) as unknown as Json;
  if (value instanceof Temporal.Instant) return toStamp(value, zone);
  if (value instanceof Uint8Array) return value.toBase64();
  if (Array.isArray(value)) return value.map((item: Value) => shownValue(item, zone));
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, shownValue(item, zone)]));
  return value as string | number | boolean | null; // Array.isArray does not narrow a readonly array away.
}
