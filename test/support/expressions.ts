// Expressions of the query language in tests: as the front end makes them, over rows of chosen columns, evaluated
// locally and by DuckDB.

import * as duckdb from '@duckdb/node-api';
import type { KnownColumn } from '#query/model/columns.ts';
import type { AggregateCall, Expression } from '#query/model/expression.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import { type ColumnType, typeOf, type Value } from '#query/model/values.ts';
import { hasRows } from '#query/plan-nodes/plan.ts';
import { checkQuery } from '#query/query.ts';
import { taggedValue } from '#query/rows/tagged-json.ts';
import { asType, overflowKey } from '#query/sql/conversion.ts';
import { aggregateAs, conditionSql, expressionSql, sortKeys } from '#query/sql/expressions.ts';
import { registerLocalFunction } from '#query/sql/local-function.ts';
import { preludeStatements } from '#query/sql/macros.ts';
import { mixedValue, partOf } from '#query/sql/mixed.ts';
import { Bindings, type SqlScope } from '#query/sql/scope.ts';
import { type Statement, statementOf } from '#query/sql/statement.ts';
import { quotedName, Writer } from '#query/sql/writer.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { compileAggregate, compileExpression, type EvaluationScope } from '#query/values/evaluator/evaluator.ts';
import { known } from '#test/support/known-plan-node.ts';
import { contextOf, EXAMPLE_NOW, EXAMPLE_USER, EXAMPLE_ZONE } from '#test/support/query-examples.ts';

export const GROUP = '11111111-1111-1111-1111-111111111111';
export const GROUP_ENTRIES = ['10.0.0.0/8', '192.168.0.5-192.168.0.9', '2001:db8::/32', 'udp/1000-2000'];

export function factsOf(zone = EXAMPLE_ZONE): RunFacts {
  let row = 0n;
  return {
    now: EXAMPLE_NOW,
    zone,
    user: EXAMPLE_USER,
    groups: new Map([[GROUP, new AddressGroup(GROUP_ENTRIES)]]),
    nextRow: () => ++row,
  };
}

/** Rows by column name; a column that a row does not have is null there. */
export type TestRow = Readonly<Record<string, Value>>;

export interface Planned<T> {
  readonly planned: T;
  /** Names of the columns by id. */
  readonly names: ReadonlyMap<number, string>;
}

/** The parameters of the examples in the tables of functions. */
const CONSTANTS = { secret_key: '0123456789abcdef' };

function planOf(command: string, columns: readonly KnownColumn[], zone: string) {
  const table = { name: 'pool', columns, isOpen: false };
  const context = {
    ...contextOf({ groups: { [GROUP]: [] }, constants: CONSTANTS }, { zone }),
    tables: new Map([['pool', table]]),
  };
  const { plan } = checkQuery(`table pool | ${command}`, context);
  const [scan] = plan.commands.filter(hasRows);
  return { plan, names: new Map(scan?.rows.columns.map(({ id, name }) => [id, name])) };
}

/** An expression over columns; throws a QueryError where it is refused. */
export function planned(text: string, columns: readonly KnownColumn[], zone = EXAMPLE_ZONE): Planned<Expression> {
  const { plan, names } = planOf(`eval result = ${text}`, columns, zone);
  const result = known(plan.result);
  const value = result.kind === 'project' ? result.assigned[0]?.value : undefined;
  if (!value) throw new Error(`no expression in ${text}`);
  return { planned: value, names };
}

export function plannedAggregate(text: string, columns: readonly KnownColumn[]): Planned<AggregateCall> {
  const { plan, names } = planOf(`stats ${text} as result`, columns, EXAMPLE_ZONE);
  const result = known(plan.result);
  const call = result.kind === 'stats' ? result.aggregates[0]?.call : undefined;
  if (!call) throw new Error(`no aggregate in ${text}`);
  return { planned: call, names };
}

const localScope = (names: Planned<unknown>['names'], zone: string): EvaluationScope<TestRow> => ({
  run: factsOf(zone),
  constants: new Map(Object.entries(CONSTANTS)),
  field: ({ source }) => {
    const name = source?.kind === 'column' ? (names.get(source.id) ?? '') : '';
    return (row) => row[name] ?? null;
  },
});

export function evaluateLocally(
  { planned: expression, names }: Planned<Expression>,
  rows: readonly TestRow[],
  zone = EXAMPLE_ZONE,
) {
  const evaluate = compileExpression(expression, localScope(names, zone));
  return rows.map((row) => evaluate(row));
}

export function aggregateLocally({ planned: call, names }: Planned<AggregateCall>, rows: readonly TestRow[]): Value {
  return compileAggregate(call, localScope(names, EXAMPLE_ZONE))(rows);
}

let shared: Promise<duckdb.DuckDBConnection> | undefined;
let tables = 0;

async function openDuckdb(): Promise<duckdb.DuckDBConnection> {
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  registerLocalFunction(duckdb, connection);
  for (const statement of preludeStatements) await connection.run(statement);
  return connection;
}

/** More statements than anybody makes before the first of them runs. */
const MAX_FACTS = 64;

/** A table of test rows in DuckDB; all tables of a test file are in one instance. */
export class DuckdbRows implements AsyncDisposable {
  readonly #table = `pool${++tables}`;
  readonly #connection: duckdb.DuckDBConnection;
  readonly #types: ReadonlyMap<string, ColumnType>;
  /** Of the latest statements, which refer to what they hold. */
  readonly #facts: RunFacts[] = [];
  #seen: (run: RunFacts) => void = () => {};

  private constructor(connection: duckdb.DuckDBConnection, columns: readonly KnownColumn[]) {
    this.#connection = connection;
    this.#types = new Map(columns.map(({ name, type }) => [name, type]));
  }

  static async open(columns: readonly KnownColumn[], rows: readonly TestRow[]): Promise<DuckdbRows> {
    shared ??= openDuckdb();
    const connection = await shared;
    const opened = new DuckdbRows(connection, columns);
    await opened.#fill(rows);
    return opened;
  }

  /** Called with the facts of each further statement. */
  watch(seen: (run: RunFacts) => void): void {
    this.#seen = seen;
  }

  /** Where many are made, each goes after use. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.run(`drop table ${this.#table}`);
  }

  async #fill(rows: readonly TestRow[]): Promise<void> {
    const scope = this.#scope(new Map(), EXAMPLE_ZONE);
    const literal = (value: Value) => ({ kind: 'literal', value, type: typeOf(value), begin: 0, end: 0 }) as const;
    const lines = rows.map((row, index) => {
      const cells = [...this.#types].map(
        ([name, type]) =>
          `${expressionSql(literal(row[name] ?? null), scope, type).text} as ${scope.bindings.name(quotedName(name))}`,
      );
      return `select ${[`${index} as row_number`, ...cells].join(', ')}`;
    });
    if (lines.length === 0) {
      const cells = [...this.#types].map(
        ([name, type]) =>
          `${expressionSql(literal(null), scope, type).text} as ${scope.bindings.name(quotedName(name))}`,
      );
      lines.push(`select ${['0 as row_number', ...cells].join(', ')} where false`);
    }
    const made = statementOf(duckdb, `create table ${this.#table} as ${lines.join(' union all ')}`, scope.bindings);
    await this.#connection.run(made.text, made.values, made.types);
  }

  #scope(names: Planned<unknown>['names'], zone: string): SqlScope {
    const bindings = new Bindings();
    const run = factsOf(zone);
    this.#facts.push(run);
    this.#seen(run);
    if (this.#facts.length > MAX_FACTS) this.#facts.shift();
    return {
      run,
      constants: new Map(Object.entries(CONSTANTS)),
      bindings,
      sequence: () => ({ text: '(row_number + 1)', type: 'long' }),
      order: 'row_number',
      column: (id) => {
        const name = names.get(id) ?? '';
        const type = this.#types.get(name);
        // A computed field() reads all columns of the plan, those of stored rows included.
        if (type === undefined) return { text: 'null', type: 'null', isPlain: true };
        return { text: bindings.name(quotedName(name)), type, isPlain: true };
      },
    };
  }

  /** The statement of an expression, for looking at. */
  statementOf({ planned: expression, names }: Planned<Expression>, zone = EXAMPLE_ZONE) {
    const scope = this.#scope(names, zone);
    const typed = expressionSql(expression, scope, expression.type);
    const { text } = asType(typed, 'any', new Writer(scope));
    const select = `select ${text} as result from ${this.#table} order by row_number`;
    return statementOf(duckdb, select, scope.bindings);
  }

  /** What would stand behind WHERE. */
  conditionOf({ planned: expression, names }: Planned<Expression>): string {
    const scope = this.#scope(names, EXAMPLE_ZONE);
    return statementOf(duckdb, conditionSql(expression, scope), scope.bindings).text;
  }

  async values(expression: Planned<Expression>, zone = EXAMPLE_ZONE): Promise<Value[]> {
    return await this.#rows(this.statementOf(expression, zone));
  }

  /** Rows, by their index, that a condition keeps. */
  async kept({ planned: expression, names }: Planned<Expression>, zone = EXAMPLE_ZONE): Promise<Value[]> {
    const scope = this.#scope(names, zone);
    const where = conditionSql(expression, scope);
    return await this.#run(
      `select to_json(row_number) as result from ${this.#table} where ${where} order by row_number`,
      scope,
    );
  }

  async aggregate({ planned: call, names }: Planned<AggregateCall>): Promise<Value> {
    const scope = this.#scope(names, EXAMPLE_ZONE);
    const typed = aggregateAs(call, scope, call.type);
    const { text } = asType(typed, 'any', new Writer(scope));
    const [value = null] = await this.#run(`select ${text} as result from ${this.#table}`, scope);
    return value;
  }

  /** A declared column beside which values of other types are in an overflow column. */
  async stored(name: string, overflow: string): Promise<Value[]> {
    const scope = this.#scope(new Map(), EXAMPLE_ZONE);
    const writer = new Writer(scope);
    const type = this.#types.get(name) ?? 'any';
    const text = scope.bindings.name(quotedName(name));
    const column = { text, type: type === 'double' ? 'number' : type, isPlain: true } as const;
    const rest = { text: scope.bindings.name(quotedName(overflow)), type: 'map' } as const;
    const { text: value } = mixedValue({ [partOf(type)]: column, other: overflowKey(rest, name, writer) }, writer);
    return await this.#run(`select ${value} as result from ${this.#table} order by row_number`, scope);
  }

  /** Values of a column in the order of 3.4. */
  async sorted(name: string): Promise<Value[]> {
    const scope = this.#scope(new Map(), EXAMPLE_ZONE);
    const text = scope.bindings.name(quotedName(name));
    const column = { text, type: this.#types.get(name) ?? 'any', isPlain: true } as const;
    const keys = sortKeys(column, scope).map((key) => `${key} nulls first`);
    const shown = asType(column, 'any', new Writer(scope)).text;
    return await this.#run(
      `select ${shown} as result from ${this.#table} order by ${keys.join(', ')}, row_number`,
      scope,
    );
  }

  async #run(text: string, scope: SqlScope): Promise<Value[]> {
    return await this.#rows(statementOf(duckdb, text, scope.bindings));
  }

  async #rows({ text, values, types }: Statement): Promise<Value[]> {
    const reader = await this.#connection.runAndReadAll(text, values, types);
    return reader.getRows().map(([json]) => (json === null || json === undefined ? null : taggedValue(String(json))));
  }
}

/** Doubles within 1e-9; the type must be the same. */
export function isSame(left: Value, right: Value): boolean {
  if (typeOf(left) !== typeOf(right)) return false;
  if (typeof left === 'number' && typeof right === 'number') {
    return left === right || Math.abs(left - right) <= 1e-9 * Math.max(Math.abs(left), Math.abs(right));
  }
  if (left instanceof Temporal.Instant && right instanceof Temporal.Instant) return left.equals(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item: Value, index) => isSame(item, right[index] ?? null));
  }
  if (left instanceof Map && right instanceof Map) {
    const a = [...left];
    const b = [...right];
    return (
      a.length === b.length &&
      a.every(([key, item], index) => key === b[index]?.[0] && isSame(item, b[index]?.[1] ?? null))
    );
  }
  return left === right;
}
