// Generated expressions (16.2): DuckDB gives what the local evaluator gives, value and type, and a condition keeps the rows that are
// true there.

import fc from 'fast-check';
import type { FunctionDeclaration } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import { typeOf, type Value } from '#query/model/values.ts';
import { textOf } from '#query/values/conversions.ts';
import { isTrue } from '#query/values/truth.ts';
import { callText, expressionText, leafText } from '#test/support/expression-texts.ts';
import { DuckdbRows, evaluateLocally, isSame, planned, type TestRow } from '#test/support/expressions.ts';
import { POOL_COLUMNS, poolRows } from '#test/support/value-pools.ts';
import { checkOf, SKIPPED } from './check.ts';
import { literalText } from './shown.ts';

const ROWS = 60;
const TABLES = 16;

export const ZONES = [
  ...['Asia/Seoul', 'America/New_York', 'UTC', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Sao_Paulo'],
  ...['Pacific/Apia', 'Europe/Dublin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Chatham', 'Antarctica/Troll'],
];

interface Table {
  readonly rows: readonly TestRow[];
  readonly duckdb: DuckdbRows;
}

const tables = new Map<number, Promise<Table>>();

/** Tables are made once: what differs from case to case is which of them is asked. */
function tableOf(seed: number): Promise<Table> {
  const rows = poolRows(ROWS, seed);
  const made = tables.get(seed) ?? DuckdbRows.open(POOL_COLUMNS, rows).then((duckdb) => ({ rows, duckdb }));
  tables.set(seed, made);
  return made;
}

export interface ExpressionCase {
  readonly text: string;
  readonly zone: string;
  readonly table: number;
}

export async function judgeExpression({ text, zone, table }: ExpressionCase): Promise<string | undefined> {
  if (!isAccepted(text)) return SKIPPED;
  const expression = planned(text, POOL_COLUMNS, zone);
  const { rows, duckdb } = await tableOf(table);
  const local = evaluateLocally(expression, rows, zone);
  const found = await duckdb.values(expression, zone);
  const isKept = new Set((await duckdb.kept(expression, zone)).map(Number));
  const told = rows.flatMap((row, index) => {
    const wanted = local[index] ?? null;
    const given = found[index] ?? null;
    if (!isSame(given, wanted)) return [pasted(text, row, zone), `  DuckDB ${shown(given)}\n  local  ${shown(wanted)}`];
    if (isTrue(wanted) === isKept.has(index)) return [];
    return [pasted(text, row, zone), `  DuckDB ${isKept.has(index) ? 'keeps' : 'drops'} it, local ${shown(wanted)}`];
  });
  return told.length === 0 ? undefined : told.slice(0, 4).join('\n');
}

const shown = (value: Value): string => `${typeOf(value)} ${value === null ? '' : textOf(value, 'UTC')}`;

/** The types of the columns are part of what went wrong; constants lose them, so they are told. */
function pasted(text: string, row: TestRow, zone: string): string {
  const used = POOL_COLUMNS.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text));
  const fields = used.map(({ name }) => `${name} = ${literalText(row[name] ?? null)}`);
  const types = used.map(({ name, type }) => `${name} ${type}`).join(', ');
  return `set _timezone = "${zone}" | json "{}" | eval ${[...fields, `result = ${text}`].join(', ')}\n  columns: ${types}`;
}

export const expressions = checkOf<ExpressionCase>({
  name: 'expressions',
  given: fc.record({
    text: fc.oneof(expressionText(1), expressionText(2), expressionText(3)),
    zone: fc.constantFrom(...ZONES),
    table: fc.nat({ max: TABLES - 1 }),
  }),
  judge: judgeExpression,
});

/** A few calls of one function with simple arguments. */
export const oneCall = (called: FunctionDeclaration, seed: number): ExpressionCase[] =>
  fc
    .sample(callText(called, leafText), { numRuns: 20, seed })
    .filter(isAccepted)
    .slice(0, 3)
    .map((text, at) => ({ text, zone: ZONES[at] ?? 'UTC', table: 0 }));

function isAccepted(text: string): boolean {
  try {
    planned(text, POOL_COLUMNS);
    return true;
  } catch (failure) {
    if (failure instanceof QueryError) return false;
    throw failure;
  }
}
