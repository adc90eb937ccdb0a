// A pipeline without a driver, over single records (13): each goes through by itself and comes out or not.

import type { Expression, FieldRead } from '#query/model/expression.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { Overflow, ParseFields, ParseMethod, PlanNode, Rows } from '#query/nodes/plan.ts';
import { textOf } from '#query/values/conversions.ts';
import { compileCondition, compileExpression, type EvaluationScope } from '#query/values/evaluator.ts';
import { RunFailure, StepsExceeded } from '#query/values/failures.ts';
import { laidOver, parsedValue } from '#query/values/parsed-text.ts';
import { captures, regexOf } from '#query/values/regexes.ts';
import { JSON_WEIGHT, type StepMeter, UnlimitedSteps } from '#query/values/steps.ts';

/** Values by column id; an overflow is a map. Made for one record and changed in place, as no id is given twice. */
export type Row = Value[];
/** Whether the row goes on. */
type Step = (row: Row) => boolean;

export interface Facts extends Pick<EvaluationScope<Row>, 'run' | 'constants'> {
  /**
   * Of records that come by themselves: what cannot be worked out, because it is too large or too deep, is null in place of
   * an end, and what is null is left out of what comes out.
   */
  readonly isLenient?: true;
}

/** One node alone. */
export const compileStep = (node: PlanNode, facts: Facts): Step => new Steps(facts).step(node);

/** The record as it comes out; undefined where a step keeps it back. */
export function compileSteps(result: PlanNode, facts: Facts): (record: MapValue) => MapValue | undefined {
  const [given, ...nodes] = nodesOf(result);
  if (given?.kind !== 'given') throw new Error(`${given?.command} makes rows`);
  const tests = leadingTests(nodes).map((node) => recordTest(node, given.rows, facts));
  const steps = new Steps(facts);
  const others = nodes.slice(tests.length).map((node) => steps.step(node));
  const meter = meterOf(facts);
  return (record) => {
    for (const test of tests) if (!test(record)) return undefined;
    if (others.length === 0) return record;
    meter.takeShallow(record, FIELD_WEIGHT);
    const row = rowOf(record, given.rows);
    for (const step of others) if (!step(row)) return undefined;
    return recordOf(row, result.rows, facts);
  };
}

const meterOf = ({ run }: Facts): StepMeter => run.steps ?? new UnlimitedSteps();

/** Of copying the fields of a record. */
const FIELD_WEIGHT = 16;

/** Whether whatever comes out is the record as it went in. */
export const isOnlyTest = (result: PlanNode): boolean => {
  const [, ...nodes] = nodesOf(result);
  return leadingTests(nodes).length === nodes.length;
};

/** From the records that it begins with. */
export function nodesOf(result: PlanNode): PlanNode[] {
  const nodes = [result];
  for (let node = result; 'input' in node && node.input; node = node.input) nodes.unshift(node.input);
  return nodes;
}

type Test = Extract<PlanNode, { kind: 'filter' | 'matchnet' }>;

/** Those before anything is made of the record. */
function leadingTests(nodes: readonly PlanNode[]): Test[] {
  const tests: Test[] = [];
  for (const node of nodes) {
    if (node.kind !== 'filter' && (node.kind !== 'matchnet' || node.tag)) break;
    tests.push(node);
  }
  return tests;
}

/** Before anything is made of it a record is asked as it is: most end here. */
function recordTest(node: Test, rows: Rows, facts: Facts): (record: MapValue) => boolean {
  const scope = { ...facts, field: recordField(rows) };
  if (node.kind === 'filter') return lenient(compileCondition(node.condition, scope), facts, false);
  const { source, guid, invert } = node;
  const { run } = facts;
  const read = compileExpression(source, scope);
  const text = lenient(textIn(read, facts), facts, null);
  return (record) => (run.groups.get(guid)?.has(text(record) ?? '') ?? false) !== invert;
}

/** The text of what is read, whatever it is. */
function textIn<RawValue>(read: (given: RawValue) => Value, facts: Facts): (given: RawValue) => string | null {
  const meter = meterOf(facts);
  const { zone } = facts.run;
  return (given) => {
    const value = read(given);
    meter.take(1);
    meter.takeDeep(value, typeof value === 'string' ? 1 : JSON_WEIGHT);
    return textOf(value, zone);
  };
}

/** How a field of the record is read where nothing has been made of it. */
export function recordField({ columns }: Rows): (field: FieldRead) => (record: MapValue) => Value {
  const names = new Map(columns.map(({ id, name }) => [id, name]));
  return ({ name, source }) => {
    if (source?.kind === 'rest') return (record) => record;
    const key = source?.kind === 'column' ? (names.get(source.id) ?? name) : name;
    return (record) => record.get(key) ?? null;
  };
}

/** The value of an expression over a record as it is; null where it cannot be worked out. */
export function compileReading(expression: Expression, rows: Rows, facts: Facts): (record: MapValue) => Value {
  return lenient(compileExpression(expression, { ...facts, field: recordField(rows) }), facts, null);
}

/** Keys of known columns stay in the overflow: nobody looks there for them. */
function rowOf(record: MapValue, { columns, overflow }: Rows): Row {
  const row: Row = [];
  for (const { id, name } of columns) row[id] = record.get(name) ?? null;
  if (overflow) row[overflow.id] = record;
  return row;
}

function recordOf(row: Row, { columns, overflow }: Rows, { isLenient }: Facts): MapValue {
  const record = new Map<string, Value>();
  for (const { id, name } of columns) record.set(name, row[id] ?? null);
  for (const [name, value] of (overflow && left(row, overflow)) ?? []) if (!record.has(name)) record.set(name, value);
  if (isLenient) for (const [name, value] of record) if (value === null) record.delete(name);
  return record;
}

/** What an overflow holds but for the keys that count as absent. */
export function left(row: Row, { id, without }: Overflow): MapValue | null {
  const map = row[id];
  if (!(map instanceof Map)) return null;
  return without.length === 0 ? map : new Map([...map].filter(([name]) => !without.includes(name)));
}

function lenient<In, Out>(evaluate: (given: In) => Out, { isLenient }: Facts, otherwise: Out): (given: In) => Out {
  if (!isLenient) return evaluate;
  return (given) => {
    try {
      return evaluate(given);
    } catch (failure) {
      if (failure instanceof StepsExceeded) throw failure;
      if (failure instanceof RangeError || failure instanceof RunFailure) return otherwise;
      throw failure;
    }
  };
}

class Steps {
  readonly #facts: Facts;
  readonly #scope: EvaluationScope<Row>;
  readonly #meter: StepMeter;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#meter = meterOf(facts);
    this.#scope = { ...facts, field: readField };
  }

  step(node: PlanNode): Step {
    switch (node.kind) {
      case 'filter':
        return lenient(compileCondition(node.condition, this.#scope), this.#facts, false);
      case 'project': {
        const made = node.assigned.map(({ column, value }) => ({ id: column.id, evaluate: this.#value(value) }));
        const meter = this.#meter;
        return (row) => {
          meter.take(made.length);
          for (const { id, evaluate } of made) row[id] = evaluate(row);
          return true;
        };
      }
      case 'matchnet':
        return this.#matchnet(node);
      case 'rex':
        return this.#rex(node);
      case 'parse':
        return this.#between(node);
      case 'parse-fields':
        return this.#parseFields(node);
      default:
        throw new Error(`${node.command} is no step of single records`);
    }
  }

  #value(expression: Expression): (row: Row) => Value {
    return lenient(compileExpression(expression, this.#scope), this.#facts, null);
  }

  #text(expression: Expression): (row: Row) => string | null {
    return lenient(textIn(compileExpression(expression, this.#scope), this.#facts), this.#facts, null);
  }

  #matchnet({ source, guid, invert, tag }: Extract<PlanNode, { kind: 'matchnet' }>): Step {
    const text = this.#text(source);
    const { run } = this.#scope;
    return (row) => {
      const isWanted = (run.groups.get(guid)?.has(text(row) ?? '') ?? false) !== invert;
      if (tag) row[tag.id] = isWanted;
      return isWanted || tag !== undefined;
    };
  }

  #rex({ source, pattern, groups }: Extract<PlanNode, { kind: 'rex' }>): Step {
    const text = this.#text(source);
    const regex = regexOf(pattern);
    const places = regex.namedGroups();
    const made = groups.map(({ group, column, before }) => ({
      id: column.id,
      place: (places[group] ?? 1) - 1,
      before: this.#value(before),
    }));
    const meter = this.#meter;
    return (row) => {
      const whole = text(row);
      const found = whole === null ? undefined : captures(whole, regex, meter);
      for (const { id, place, before } of made) row[id] = found ? (found[place] ?? null) : before(row);
      return true;
    };
  }

  #between({ source, pairs }: Extract<PlanNode, { kind: 'parse' }>): Step {
    const text = this.#text(source);
    const made = pairs.map(({ start, stop, column, before }) => ({ start, stop, column, before: this.#value(before) }));
    const meter = this.#meter;
    return (row) => {
      const whole = text(row);
      for (const { start, stop, column, before } of made) {
        meter.take(1);
        meter.takeShallow(whole);
        row[column.id] = (whole === null ? null : between(whole, start, stop)) ?? before(row);
      }
      return true;
    };
  }

  #parseFields(node: ParseFields): Step {
    const { source, method, overlay, overflow, input } = node;
    const value = this.#value(source);
    const meter = this.#meter;
    const about = { field: source.kind === 'field' ? source.name : '', zone: this.#scope.run.zone, meter };
    const weight = 'flatten' in method && method.flatten ? FLATTENING_WEIGHT : PARSING_WEIGHTS[method.format];
    const parse = lenient(
      (row: Row) => {
        const given = value(row);
        meter.take(1);
        meter.takeDeep(given, weight);
        const made = parsedValue(given, method, about);
        // The weight of a text is that of what is made of it, too.
        if (made && !meter.isWeighed) meter.takeDeep(made);
        return made;
      },
      this.#facts,
      undefined,
    );
    const old = input.rows.overflow;
    const fields = node.fields.map(({ column, before, isKept }) => ({ column, before: this.#value(before), isKept }));
    return (row) => {
      const parsed = parse(row);
      if (parsed) meter.takeShallow(parsed, FIELD_WEIGHT);
      if (old) meter.takeShallow(row[old.id] ?? null, FIELD_WEIGHT);
      for (const { column, before, isKept } of fields) {
        if (parsed?.has(column.name)) row[column.id] = parsed.get(column.name) ?? null;
        else row[column.id] = !parsed || overlay || isKept ? before(row) : null;
      }
      row[overflow] = old && (!parsed || overlay) ? laidOver([left(row, old), parsed ?? null]) : (parsed ?? null);
      return true;
    };
  }
}

/** Where each of them may become a field with a name of its own. */
const FLATTENING_WEIGHT = 32;
/** Of 64 characters that are taken apart. */
const PARSING_WEIGHTS: Readonly<Record<ParseMethod['format'], number>> = { json: 5, xml: 8, kv: 5, csv: 5, map: 1 };

export function readField({ name, source }: FieldRead): (row: Row) => Value {
  if (source?.kind === 'column' || source?.kind === 'rest') {
    const { id } = source;
    return (row) => row[id] ?? null;
  }
  if (source?.kind !== 'overflow') return () => null;
  const { id } = source;
  return (row) => {
    const map = row[id];
    return map instanceof Map ? (map.get(name) ?? null) : null;
  };
}

/** What stands between the first START and the first STOP after it; null where the pair does not fit. */
function between(text: string, start: string, stop: string): string | null {
  const at = text.indexOf(start);
  if (at === -1) return null;
  const from = at + start.length;
  const end = stop === '' ? text.length : text.indexOf(stop, from);
  return end === -1 ? null : text.slice(from, end);
}
