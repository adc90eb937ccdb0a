// A pipeline without a driver, over single records (13): each goes through by itself and comes out or not.

import type { ColumnId, Expression, FieldRead } from '#query/expression.ts';
import type { Overflow, ParseFields, PlanNode, Rows } from '#query/plan.ts';
import type { MapValue, Value } from '#query/values.ts';
import { textOf } from './conversions.ts';
import { compileCondition, compileExpression, type EvaluationScope } from './index.ts';
import { parsedValue } from './parsed-text.ts';
import { captures, regexOf } from './regexes.ts';

/** Values by column; an overflow is a map. */
export type Row = ReadonlyMap<ColumnId, Value>;
type Step = (row: Row) => Row | undefined;
export type Facts = Pick<EvaluationScope<Row>, 'run' | 'constants'>;

/** One node alone; undefined where it keeps the row back. */
export const compileStep = (node: PlanNode, facts: Facts): Step => new Steps(facts).step(node);

/** The record as it comes out; undefined where a step keeps it back. */
export function compileSteps(steps: PlanNode, facts: Facts): (record: MapValue) => MapValue | undefined {
  const { rows: given, run } = new Steps(facts).compile(steps);
  return (record) => {
    const row = run(rowOf(record, given));
    return row && recordOf(row, steps.rows);
  };
}

/** Fields that are no columns go into the overflow. */
export function rowOf(record: MapValue, { columns, overflow }: Rows): Row {
  const row = new Map<ColumnId, Value>(columns.map(({ id, name }) => [id, record.get(name) ?? null]));
  const names = new Set(columns.map(({ name }) => name));
  if (overflow) row.set(overflow.id, new Map([...record].filter(([name]) => !names.has(name))));
  return row;
}

function recordOf(row: Row, { columns, overflow }: Rows): MapValue {
  const record = new Map<string, Value>(columns.map(({ id, name }) => [name, row.get(id) ?? null]));
  for (const [name, value] of overflow ? left(row, overflow) : []) if (!record.has(name)) record.set(name, value);
  return record;
}

/** What an overflow holds but for the keys that count as absent. */
export function left(row: Row, { id, without }: Overflow): [string, Value][] {
  const map = row.get(id);
  return map instanceof Map ? [...map].filter(([name]) => !without.includes(name)) : [];
}

class Steps {
  readonly #scope: EvaluationScope<Row>;

  constructor(facts: Facts) {
    this.#scope = { ...facts, field: readField };
  }

  /** With the rows of the records that it begins with. */
  compile(node: PlanNode): { readonly rows: Rows; readonly run: Step } {
    if (node.kind === 'given') return { rows: node.rows, run: (row) => row };
    if (!('input' in node) || !node.input) throw new Error(`${node.command} makes rows`);
    const { rows, run } = this.compile(node.input);
    const step = this.step(node);
    return {
      rows,
      run: (row) => {
        const before = run(row);
        return before && step(before);
      },
    };
  }

  step(node: PlanNode): Step {
    switch (node.kind) {
      case 'filter': {
        const keeps = compileCondition(node.condition, this.#scope);
        return (row) => (keeps(row) ? row : undefined);
      }
      case 'project': {
        const made = node.assigned.map(({ column, value }) => [column.id, this.#value(value)] as const);
        return (row) => {
          const next = new Map(row);
          for (const [id, evaluate] of made) next.set(id, evaluate(next));
          return next;
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

  #value(expression: Expression) {
    return compileExpression(expression, this.#scope);
  }

  #text(expression: Expression): (row: Row) => string | null {
    const evaluate = this.#value(expression);
    const { run } = this.#scope;
    return (row) => textOf(evaluate(row), run.zone);
  }

  #matchnet({ source, guid, invert, tag }: Extract<PlanNode, { kind: 'matchnet' }>): Step {
    const text = this.#text(source);
    const { run } = this.#scope;
    return (row) => {
      const isWanted = (run.groups.get(guid)?.has(text(row) ?? '') ?? false) !== invert;
      if (tag) return new Map(row).set(tag.id, isWanted);
      return isWanted ? row : undefined;
    };
  }

  #rex({ source, pattern, groups }: Extract<PlanNode, { kind: 'rex' }>): Step {
    const text = this.#text(source);
    const places = regexOf(pattern).namedGroups();
    const made = groups.map(({ group, column, before }) => ({
      id: column.id,
      place: (places[group] ?? 1) - 1,
      before: this.#value(before),
    }));
    return (row) => {
      const whole = text(row);
      const found = whole === null ? undefined : captures(whole, pattern);
      const next = new Map(row);
      for (const { id, place, before } of made) next.set(id, found ? (found[place] ?? null) : before(row));
      return next;
    };
  }

  #between({ source, pairs }: Extract<PlanNode, { kind: 'parse' }>): Step {
    const text = this.#text(source);
    const made = pairs.map(({ start, stop, column, before }) => ({ start, stop, column, before: this.#value(before) }));
    return (row) => {
      const whole = text(row);
      const next = new Map(row);
      for (const { start, stop, column, before } of made) {
        next.set(column.id, (whole === null ? null : between(whole, start, stop)) ?? before(row));
      }
      return next;
    };
  }

  #parseFields(node: ParseFields): Step {
    const { source, method, overlay, overflow, input } = node;
    const value = this.#value(source);
    const about = { field: source.kind === 'field' ? source.name : '', zone: this.#scope.run.zone };
    const old = input.rows.overflow;
    const fields = node.fields.map(({ column, before, isKept }) => ({ column, before: this.#value(before), isKept }));
    return (row) => {
      const parsed = parsedValue(value(row), method, about);
      const rest = old && (!parsed || overlay) ? left(row, old) : [];
      const next = new Map<ColumnId, Value>([[overflow, new Map([...rest, ...(parsed ?? [])])]]);
      for (const { column, before, isKept } of fields) {
        if (parsed?.has(column.name)) next.set(column.id, parsed.get(column.name) ?? null);
        else next.set(column.id, !parsed || overlay || isKept ? before(row) : null);
      }
      return next;
    };
  }
}

export function readField({ name, source }: FieldRead): (row: Row) => Value {
  if (source?.kind === 'column' || source?.kind === 'rest') return (row) => row.get(source.id) ?? null;
  if (source?.kind !== 'overflow') return () => null;
  return (row) => {
    const map = row.get(source.id);
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
