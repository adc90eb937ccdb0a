// What an example of the language must give, wherever it runs: rows, columns and counts, what it stores and what it writes.

import { expect } from 'vitest';
import type { ExampleRow, QueryExample } from '#query/model/example.ts';
import type { Value } from '#query/model/values.ts';
import { isSame } from '#test/support/expressions.ts';
import { rowOf, SERVICE_FIELDS } from '#test/support/query-examples.ts';
import type { QueryResult } from '#test/support/query-result.ts';

type Row = ReadonlyMap<string, Value>;

/** Where an example runs. */
interface ExampleRunner {
  run(text: string): Promise<Pick<QueryResult, 'rows' | 'columns' | 'pushes' | 'isOrdered'>>;
  readonly written: ReadonlyMap<string, string>;
  /** Rows of a table in the order of arrival. */
  stored(table: string): readonly Row[] | Promise<readonly Row[]>;
}

/** Those with databases run on real servers, in test/contract/database-examples.test.ts. */
export const runsHere = ({ gives, databases }: QueryExample): boolean => gives !== undefined && !databases;

export async function expectExample(example: QueryExample, runner: ExampleRunner): Promise<void> {
  const { query, gives = [], columns, pushes, stores, writes } = example;
  const result = await runner.run(query);
  expectRows(result.rows, gives, result.isOrdered);
  if (columns) {
    expect(result.columns.filter((name) => columns.includes(name) || !SERVICE_FIELDS.includes(name))).toEqual(columns);
  }
  // Engines count the commands in brackets, too, behind all others.
  if (pushes) expect(result.pushes.slice(0, pushes.length).map(Number)).toEqual(pushes);
  for (const [path, text] of Object.entries(writes ?? {})) expect(runner.written.get(path)).toBe(text);
  for (const [table, rows] of Object.entries(stores ?? {})) expectRows(await runner.stored(table), rows, false);
}

/** Examples compare numbers by value: 6 is 6.0. */
const asWritten = (value: Value): Value => {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, asWritten(item)]));
  return Array.isArray(value) ? value.map(asWritten) : value;
};

/** Without nulls, and without service columns that the example does not write. */
function shown(row: Row, written: ReadonlySet<string>): Row {
  const kept = [...row].filter(
    ([name, value]) => value !== null && (written.has(name) || !SERVICE_FIELDS.includes(name)),
  );
  return new Map(
    kept.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, value]) => [name, asWritten(value)]),
  );
}

const isSameRow = (one: Row, other: Row): boolean => isSame(new Map(one), new Map(other));

function expectRows(found: readonly Row[], gives: readonly ExampleRow[], isOrdered: boolean): void {
  const written = new Set(gives.flatMap((row) => Object.keys(row)));
  const wanted = gives.map((row) => shown(rowOf(row), written));
  const got = found.map((row) => shown(row, written));
  const left = [...got];
  const isAlike =
    got.length === wanted.length &&
    wanted.every((row, index) => {
      const at = isOrdered ? 0 : left.findIndex((one) => isSameRow(one, row));
      const [one] = left.splice(at, at === -1 ? 0 : 1);
      return one !== undefined && isSameRow(one, isOrdered ? (wanted[index] ?? row) : row);
    });
  if (!isAlike) expect(got).toEqual(wanted);
}
