// lookup: fields from the row of a lookup whose key equals a value (7.2); lookuptable: all its rows.

import type { ColumnType } from '#query/model/values.ts';
import { overflowKey } from '#query/sql/compiler.ts';
import { asType, toText } from '#query/sql/conversion.ts';
import type { Sql } from '#query/sql/scope.ts';
import { isPlainEquality, keyEquality } from './equality.ts';
import { onHost } from './host-rows.ts';
import type { Lookup, LookupName, LookupRows, PlaceLookup } from './plan.ts';
import { alias, type PlanCompiler } from './sql-compiler.ts';

/** Keys of undeclared columns may repeat, and one value may equal several keys: one row of the lookup counts. */
export function lookupSql(node: Lookup, compiler: PlanCompiler): string {
  const { input, keyColumn, key, outputs, rows } = node;
  const from = compiler.node(input);
  const read = outputs.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0) return from;
  const { select, stored } = recordsOf(node, compiler);
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
  const records = `select ${list.join(', ')} from ${select} where ${own.text} is not null`;
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

/** Where the rows of a lookup are read, and its columns by their names. */
function recordsOf({ lookup, account, built }: LookupName & Pick<Lookup, 'built'>, compiler: PlanCompiler) {
  if (built) {
    const { columns } = built.records.rows;
    const stored = (name: string): Sql => {
      const column = columns.find((one) => one.name === name);
      if (!column) throw new Error(`the lookup ${lookup} is built without ${name}`);
      return compiler.column(column.id);
    };
    return { select: `(${compiler.node(built.records)})`, stored };
  }
  const named: LookupName = { lookup, ...(account === undefined ? {} : { account }) };
  const types = compiler.around.lookupColumns(named);
  const stored = (name: string): Sql => ({
    text: compiler.stored(name),
    type: types.get(name) ?? 'any',
    isPlain: true,
  });
  return { select: compiler.source({ kind: 'lookup', ...named }), stored };
}

export function lookuptableSql(node: LookupRows, compiler: PlanCompiler): string {
  const { key, fields, rows } = node;
  const { select, stored } = recordsOf(node, compiler);
  const computed = new Map(
    [key, ...fields].map(({ from, column }) => [column.id, compiler.converted(stored(from), column.type)]),
  );
  return compiler.select(rows, { from: select, computed });
}

/** The host looks each address up once. */
export function geoipSql({ input, key, outputs, rows }: PlaceLookup, compiler: PlanCompiler): string {
  const below = compiler.node(input);
  const read = outputs.filter(({ column }) => compiler.isRead(column.id));
  const { places } = compiler.around.run;
  if (read.length === 0) return below;
  const nothing = (type: ColumnType) => compiler.converted({ text: 'null', type: 'null' }, type);
  if (!places) {
    const computed = new Map(read.map(({ column }) => [column.id, nothing(column.type)]));
    return compiler.select(rows, { from: `(${below})`, computed });
  }
  const [step, found] = [compiler.name('step'), compiler.name('found')];
  const [sought, own] = [compiler.name('key'), compiler.name('key')];
  const text = toText(compiler.expression(key), compiler.writer()).text;
  const place = onHost(([address = null]) => places.of(`${address}`) ?? null, [{ text: sought, type: 'string' }], {
    type: 'map',
    compiler,
  });
  const hits = `select ${sought} as ${own}, ${place.text} as ${found} from (select distinct ${sought} from ${step} where ${sought} is not null)`;
  const computed = new Map(
    read.map(({ from, column }) => {
      const value = overflowKey({ text: found, type: 'map', isPlain: true }, from, compiler.writer());
      return [column.id, compiler.converted(asType(value, column.type, compiler.writer()), column.type)];
    }),
  );
  const joined = compiler.select(rows, { from: `${step} left join (${hits}) on ${sought} = ${own}`, computed });
  return `with ${step} as materialized (select *, ${text} as ${sought} from (${below})) ${joined}`;
}
