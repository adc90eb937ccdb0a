// The examples of all functions and aggregates, locally and on DuckDB: once folded to a constant, and once with
// constants replaced by columns, of their own type and of type any.

import { describe, expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import { aggregates, functions } from '#query/functions/index.ts';
import { readObjects } from '#query/language/json-text.ts';
import type { ExampleValue } from '#query/model/example.ts';
import type { Expression } from '#query/model/expression.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import { typeOf, unified } from '#query/model/values.ts';
import {
  aggregateLocally,
  DuckdbRows,
  evaluateLocally,
  isSame,
  type Planned,
  planned,
  plannedAggregate,
  type TestRow,
} from '#test/support/expressions.ts';
import { exampleValue } from '#test/support/query-examples.ts';

const expected = (gives: unknown): Value => exampleValue(gives as ExampleValue); // The declarations write it as JSON.

/** Numbers of examples compare by value: 6 is 6.0. */
const asWritten = (value: Value): Value => {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return Array.isArray(value) ? value.map(asWritten) : value;
};

function expectSame(found: Value, gives: unknown): void {
  if (!isSame(asWritten(found), asWritten(expected(gives)))) expect(found).toEqual(expected(gives));
}

interface Lifted extends Planned<Expression> {
  readonly row: TestRow;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
}

/** Replaces constants by fields wherever the language allows fields. */
function lifted({ planned: expression }: Planned<Expression>, as?: 'any'): Lifted {
  const row: Record<string, Value> = {};
  const columns: { name: string; type: ColumnType }[] = [];
  const names = new Map<number, string>();
  const lift = (node: Expression): Expression => {
    if (node.kind === 'literal' && node.value !== null) {
      const name = `c${columns.length}`;
      const type = as ?? node.type;
      names.set(columns.length, name);
      row[name] = node.value;
      columns.push({ name, type });
      return { kind: 'field', name, type, source: { kind: 'column', id: columns.length - 1 }, begin: 0, end: 0 };
    }
    if (node.kind === 'negation') return { ...node, operand: lift(node.operand), type: as ?? node.type };
    if (node.kind === 'comparison' || node.kind === 'arithmetic') {
      return { ...node, left: lift(node.left), right: lift(node.right) };
    }
    if (node.kind !== 'call') return node;
    const isRegex = node.called.name === 'replace' && node.args.length === 4;
    const args = node.args.map((arg, index) => {
      const declared = node.called.args[Math.min(index, node.called.args.length - 1)];
      return declared?.constant || (isRegex && index > 0) ? arg : lift(arg);
    });
    const { result } = node.called;
    return { ...node, args, type: typeof result === 'function' ? result(args) : result };
  };
  return { planned: lift(expression), names, row, columns };
}

describe('Function examples', () => {
  for (const { examples } of functions) {
    for (const { text, gives } of examples) {
      it(`${text} locally`, () => {
        const [found = null] = evaluateLocally(planned(text, []), [{}]);
        expectSame(found, gives);
      });

      it(`${text} on DuckDB`, async () => {
        const constant = planned(text, []);
        const duckdb = await DuckdbRows.open([], [{}]);
        expectSame((await duckdb.values(constant))[0] ?? null, gives);
        for (const as of [undefined, 'any'] as const) {
          const fields = lifted(constant, as);
          const rows = await DuckdbRows.open(fields.columns, [fields.row]);
          expectSame(evaluateLocally(fields, [fields.row])[0] ?? null, gives);
          expectSame((await rows.values(fields))[0] ?? null, gives);
        }
      });
    }
  }
});

describe('Aggregate examples', () => {
  for (const { examples } of aggregates) {
    for (const { text, over, gives } of examples) {
      it(`${text} over ${over}`, async () => {
        const [object] = runToEnd(readObjects({ text: `{"x":[${over}]}`, offset: (index) => index }));
        const list = object?.get('x');
        const values: readonly Value[] = Array.isArray(list) ? list : [];
        const rows = values.map((x) => ({ x }));
        const known = values.reduce<ColumnType>((type, value) => unified(type, typeOf(value)), 'null');
        for (const type of new Set<ColumnType>([known, 'any'])) {
          const call = plannedAggregate(text, [{ name: 'x', type }]);
          expectSame(aggregateLocally(call, rows), gives);
          const duckdb = await DuckdbRows.open([{ name: 'x', type }], rows);
          expectSame(await duckdb.aggregate(call), gives);
        }
      });
    }
  }
});
