// The rows of a lookup as a table of the run.

import type { KnownColumn } from '#query/model/columns.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { MapValue } from '#query/model/values.ts';
import { lookupColumn } from '#query/plan-nodes/shared/lookup-rows.ts';
import { asType, overflowKey } from '#query/sql/conversion.ts';
import { Bindings, type SqlScope } from '#query/sql/scope.ts';
import { type Statement, statementOf } from '#query/sql/statement.ts';
import { Writer } from '#query/sql/writer.ts';

/** All values are one bound list. */
export function lookupStatement(
  duckdb: typeof import('@duckdb/node-api'),
  { columns, rows }: { columns: readonly KnownColumn[]; rows: readonly MapValue[] },
  { table, run }: { table: string; run: RunFacts },
): Statement {
  const bindings = new Bindings();
  const scope: SqlScope = {
    run,
    constants: new Map(),
    bindings,
    column() {
      throw new Error('the values of a lookup read no column');
    },
  };
  const writer = new Writer(scope);
  const list = columns.map(({ name, type }, index) => {
    const value = overflowKey({ text: 'record', type: 'map', isPlain: true }, name, writer);
    return `${asType(value, type, writer).text} as ${lookupColumn(index)}`;
  });
  const records = `select unnest(${writer.bind([...rows]).text}->'$[*]') as record`;
  return statementOf(duckdb, `create temp table ${table} as select ${list.join(', ')} from (${records})`, bindings);
}
