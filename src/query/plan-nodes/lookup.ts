// Fields from the row of a lookup whose key equals a value (7.2).

import type { Column } from '#query/model/columns.ts';
import type { Expression } from '#query/model/expression.ts';
import type { Sql } from '#query/sql/scope.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { isPlainEquality, keyEquality } from './shared/equality.ts';
import { type LookupRead, lookupRecords } from './shared/lookup-rows.ts';
import { alias } from './shared/sql-text.ts';

export interface LookupOutput {
  readonly from: string;
  readonly column: Column;
}

interface Lookup extends Step, LookupRead {
  readonly kind: 'lookup';
  /** The column whose value is sought, and the one that the rows of the lookup are ordered by. */
  readonly keyColumn: string;
  readonly declaredKey: string;
  readonly key: Expression;
  readonly outputs: readonly LookupOutput[];
}

export const lookup: PlanNodeDeclaration<Lookup> = {
  kind: 'lookup',
  takes: 'each',
  expressions: ({ key }) => [key],
  makes: nothing,
  reads({ key, outputs, built }, reading) {
    if (!outputs.some(({ column }) => reading.isRead(column.id))) return;
    reading.expression(key);
    if (built) reading.wholeRows(built.records.rows);
  },
  pushdown: 'kept',
  counts: 'as-input',
  besides: ({ built }) => (built ? [built.records] : []),
  uses: (node) => (node.built ? {} : { lookup: node }),
  sql,
};

/** Keys of other columns may repeat, and one value may equal several keys: the first row in key order counts. */
function sql(node: Lookup, compiler: PlanCompiler): string {
  const { input, keyColumn, declaredKey, key, outputs, rows } = node;
  const from = compiler.planNode(input);
  const read = outputs.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0) return from;
  const { select, stored } = lookupRecords(node, compiler);
  const value = compiler.expression(key);
  const sought: Sql = { text: compiler.name('key'), type: value.type, isPlain: true };
  const own = stored(keyColumn);
  const found: Sql = { ...own, text: compiler.name('key') };
  const made = new Set(read.map(({ column }) => column.id));
  const kept = compiler.outputs(rows).filter((id) => !made.has(id));
  const left = `(select ${[...kept.map(alias), `${value.text} as ${sought.text}`].join(', ')} from (${from}))`;
  const columns = compiler.keys(stored(declaredKey)).map((text) => ({ text, name: compiler.name('place') }));
  const list = [
    `${own.text} as ${found.text}`,
    ...read.map(({ from: name, column }) => `${compiler.converted(stored(name), column.type)} as ${alias(column.id)}`),
    ...columns.map(({ text, name }) => `${text} as ${name}`),
  ];
  const records = `select ${list.join(', ')} from ${select} where ${own.text} is not null`;
  const on = keyEquality(sought, found, compiler);
  const firstOf = (by: string) => {
    const order = columns.map(({ name }) => `${name} asc nulls first`).join(', ');
    return `qualify row_number() over (partition by ${by} order by ${order}) = 1`;
  };
  if (isPlainEquality(sought, found)) {
    const right = keyColumn === declaredKey ? records : `${records} ${firstOf(found.text)}`;
    return compiler.select(rows, { from: `${left} left join (${right}) on ${on}` });
  }
  const step = compiler.name('step');
  const hits = compiler.name('hits');
  const distinct = `(select distinct ${sought.text} from ${step})`;
  const hit = `(select * from ${distinct} join (${records}) on ${on} ${firstOf(sought.text)}) ${hits}`;
  const joined = `${step} left join ${hit} on ${step}.${sought.text} = ${hits}.${sought.text}`;
  return `with ${step} as materialized ${left} ${compiler.select(rows, { from: joined })}`;
}
