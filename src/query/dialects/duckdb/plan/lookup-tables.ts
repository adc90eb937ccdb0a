// The rows of a lookup as a table of the run.

import { Bindings, type SqlScope } from '#query/dialects/dialect.ts';
import { type Statement, statementOf } from '#query/dialects/duckdb/bound.ts';
import { overflowKey } from '#query/dialects/duckdb/compiler.ts';
import { asType } from '#query/dialects/duckdb/convert.ts';
import { quotedName, Writer } from '#query/dialects/duckdb/writer.ts';
import type { RunFacts } from '#query/functions/function.ts';
import type { KnownColumn } from '#query/surroundings.ts';
import type { MapValue } from '#query/values.ts';

/** All values are one bound list. */
export function lookupStatement(
  duck: typeof import('@duckdb/node-api'),
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
  const list = columns.map(({ name, type }) => {
    const value = overflowKey({ text: 'record', type: 'map', isPlain: true }, name, writer);
    return `${asType(value, type, writer).text} as ${bindings.name(quotedName(name))}`;
  });
  const records = `select unnest(${writer.bind([...rows]).text}->'$[*]') as record`;
  return statementOf(duck, `create temp table ${table} as select ${list.join(', ')} from (${records})`, bindings);
}
