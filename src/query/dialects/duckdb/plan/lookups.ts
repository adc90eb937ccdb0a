// lookup: fields from the row of a lookup whose key equals a value (7.2).

import type { Sql } from '#query/dialects/dialect.ts';
import type { Lookup } from '#query/plan.ts';
import { isPlainEquality, keyEquality } from './equality.ts';
import { alias, type PlanCompiler } from './plan-compiler.ts';

/** Keys of undeclared columns may repeat, and one value may equal several keys: one row of the lookup counts. */
export function lookupSql({ input, lookup, keyColumn, key, outputs, rows }: Lookup, compiler: PlanCompiler): string {
  const from = compiler.node(input);
  const read = outputs.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0) return from;
  const types = compiler.around.lookupColumns(lookup);
  const stored = (name: string): Sql => ({
    text: compiler.stored(name),
    type: types.get(name) ?? 'any',
    isPlain: true,
  });
  const value = compiler.expression(key);
  const sought: Sql = { text: compiler.name('key'), type: value.type, isPlain: true };
  const own = stored(keyColumn);
  const found: Sql = { ...own, text: compiler.name('key') };
  const made = new Set(read.map(({ column }) => column.id));
  const kept = compiler.outputs(rows).filter((id) => !made.has(id));
  const left = `(select ${[...kept.map(alias), `${value.text} as ${sought.text}`].join(', ')} from (${from}))`;
  const list = [
    `${own.text} as ${found.text}`,
    ...read.map(({ from: name, column }) => `${compiler.converted(stored(name), column.type)} as ${alias(column.id)}`),
  ];
  const records = `select ${list.join(', ')} from ${compiler.source({ kind: 'lookup', lookup })} where ${own.text} is not null`;
  const on = keyEquality(sought, found, compiler);
  if (isPlainEquality(sought, found)) {
    const right = `(${records} qualify row_number() over (partition by ${own.text}) = 1)`;
    return compiler.select(rows, { from: `${left} left join ${right} on ${on}` });
  }
  const [step, hits] = [compiler.name('step'), compiler.name('hits')];
  const distinct = `(select distinct ${sought.text} from ${step})`;
  const hit = `(select * from ${distinct} join (${records}) on ${on} qualify row_number() over (partition by ${sought.text}) = 1) ${hits}`;
  const joined = `${step} left join ${hit} on ${step}.${sought.text} = ${hits}.${sought.text}`;
  return `with ${step} as materialized ${left} ${compiler.select(rows, { from: joined })}`;
}
