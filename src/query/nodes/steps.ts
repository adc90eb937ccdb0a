// Nodes that look at one row at a time.

import { SERVICE_COLUMNS } from '#query/model/columns.ts';
import type { Duration } from '#query/model/durations.ts';
import { type ColumnId, childrenOf, type Expression } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import { asType, toAny } from '#query/sql/conversion.ts';
import { conditionSql } from '#query/sql/expressions.ts';
import { groupTest } from '#query/sql/forms/addresses.ts';
import { bucketSteps } from '#query/sql/forms/buckets.ts';
import type { Sql } from '#query/sql/scope.ts';
import { inPlaces, pacedRows } from '#query/statements/vector-size.ts';
import { failureText, maxElements } from '#query/values/failures.ts';
import { compactJson } from '#query/values/json.ts';
import { compareText } from '#query/values/order-text.ts';
import { mapOf } from '#query/values/tags.ts';
import { onHost } from './host-rows.ts';
import type { Assigned, Bin, Explode, Filter, MatchNet, PlanNode, Project, Repeat, ToJson } from './plan.ts';
import { alias, cut, type PlanCompiler } from './sql-compiler.ts';

/** A scope in which seq() counts the rows of a node, and what they are then read from. */
function counted(input: PlanNode, from: string, compiler: PlanCompiler) {
  let name: string | undefined;
  const scope = compiler.scope({
    sequence: () => {
      name ??= compiler.name('seq');
      return { text: name, type: 'long', isPlain: true };
    },
  });
  const source = () => {
    if (name === undefined) return `(${from})`;
    const order = compiler.order(input.rows);
    return `(select *, row_number() over (${order === undefined ? '' : `order by ${order}`}) as ${name} from (${from}))`;
  };
  return { scope, source };
}

export function filterSql({ input, condition, limit, rows }: Filter, compiler: PlanCompiler): string {
  const { scope, source } = counted(input, compiler.node(input), compiler);
  const test = conditionSql(condition, scope);
  const { from, where: first, value } = pacedRows(source(), [condition], { input, compiler });
  const where = `where ${first === undefined ? test : `${first} and ${value(test)}`}`;
  const order = limit === undefined ? undefined : compiler.order(input.rows);
  const tail = [where, ...(order === undefined ? [] : [`order by ${order}`]), cut(limit)].join(' ').trim();
  return compiler.select(rows, { from, tail });
}

/** Those that read nothing of their own list are computed together; a list without work leaves the rows as they are. */
export function projectSql(node: Project, compiler: PlanCompiler): string {
  const { input, assigned, rows } = node;
  let text = compiler.node(input);
  const known = new Set(compiler.outputs(input.rows));
  const layers = layersOf(assigned.filter(({ column }) => compiler.isRead(column.id)));
  compiler.deepen(layers.length, node);
  layers.forEach((layer, index) => {
    const { scope, source } = counted(input, text, compiler);
    const made = layer.map(({ column, value }) => ({
      id: column.id,
      text: compiler.expression(value, column.type, scope).text,
    }));
    const values = layer.map(({ value }) => value);
    const { from, where, value } = pacedRows(source(), values, { input, compiler });
    const computed = new Map(made.map(({ id, text: written }) => [id, value(written)]));
    const ids = index === layers.length - 1 ? compiler.outputs(rows) : [...known, ...computed.keys()];
    for (const id of computed.keys()) known.add(id);
    text = compiler.select(ids, { from, computed, ...(where === undefined ? {} : { tail: `where ${where}` }) });
  });
  return text;
}

function layersOf(assigned: readonly Assigned[]): Assigned[][] {
  const layers: Assigned[][] = [];
  let own = new Set<ColumnId>();
  for (const one of assigned) {
    const last = layers.at(-1);
    if (last && !reads(one.value, own)) last.push(one);
    else {
      layers.push([one]);
      own = new Set();
    }
    own.add(one.column.id);
  }
  return layers;
}

const reads = (expression: Expression, ids: ReadonlySet<ColumnId>): boolean =>
  (expression.kind === 'field' && expression.source?.kind === 'column' && ids.has(expression.source.id)) ||
  childrenOf(expression).some((inner) => reads(inner, ids));

/** Elements and their positions side by side; what is no list is its own only element. */
export function explodeSql(node: Explode, compiler: PlanCompiler): string {
  const { input, source, column, position, exploded, before, rows } = node;
  const value = toAny(compiler.expression(source), compiler.writer()).text;
  const [whole, list] = [compiler.name('value'), compiler.name('list')];
  const [count, all] = [compiler.name('count'), compiler.name('count')];
  const valued = `(select *, ${value} as ${whole} from (${compiler.node(input)}))`;
  const { from, where, value: paced } = inPlaces(valued, `coalesce(strlen(${whole}::varchar), 0) // 2`, compiler);
  const length = `case when vigil_is_list(${whole}) then greatest(json_array_length(${whole}), 1) else 1 end::bigint`;
  const counted = `(select *, ${paced(length)} as ${count} from ${from} where ${where})`;
  const times = before === undefined ? count : `${count} * coalesce(${alias(before)}, 1)`;
  const elements = `case when vigil_is_list(${whole}) and ${whole} <> '[]' then ${whole}->'$[*]'
    when vigil_is_list(${whole}) then [null::json] else [${whole}] end`;
  const run = compiler.around.run;
  const limited = `case when ${all} > ${maxElements(run)} then error('${failureText(93010, maxElements(run))}') else ${elements} end`;
  const listed = `select *, ${limited} as ${list} from (select *, ${times} as ${all} from ${counted})`;
  const ids = [...new Set([...compiler.outputs(rows), column.id, position])];
  const computed = new Map([
    [column.id, `unnest(${list})`],
    [position, `unnest(range(len(${list})))`],
    [exploded, all],
  ]);
  const unnested = compiler.select(ids, { from: `(${listed})`, computed });
  return compiler.select(rows, {
    from: `(${unnested})`,
    computed: new Map([[column.id, `nullif(${alias(column.id)}, 'null')::json`]]),
  });
}

export function matchnetSql({ input, source, guid, invert, tag, rows }: MatchNet, compiler: PlanCompiler): string {
  const below = compiler.node(input);
  if (tag && !compiler.isRead(tag.id)) return below;
  const from = `(${below})`;
  const group = compiler.around.run.groups.get(guid);
  if (!group) throw new Error(`the address group ${guid} is not among the facts of the run`);
  const isMember = groupTest(compiler.expression(source), group, compiler.writer());
  const test = invert ? `not ${isMember.text}` : isMember.text;
  if (!tag) return compiler.select(rows, { from, tail: `where ${invert ? test : (isMember.bare ?? test)}` });
  return compiler.select(rows, { from, computed: new Map([[tag.id, `(${test})`]]) });
}

export function binSql({ input, source, column, span, offset, rows }: Bin, compiler: PlanCompiler): string {
  const from = compiler.node(input);
  if (!compiler.isRead(column.id)) return from;
  const value = compiler.expression(source);
  const bin =
    typeof span === 'object'
      ? inBuckets(from, value, { span, offset }, compiler)
      : { from: `(${from})`, start: binned(value, span, compiler) };
  const computed = new Map([[column.id, compiler.converted(bin.start, column.type)]]);
  return compiler.select(rows, { from: bin.from, computed });
}

/** Rows with the start of the bucket of a date, which is worked out step by step in nested SELECTs. */
export function inBuckets(
  rows: string,
  value: Sql,
  { span, offset }: { readonly span: Duration; readonly offset?: Duration | undefined },
  compiler: PlanCompiler,
): { readonly from: string; readonly start: Sql } {
  const date = dateOnly(value, compiler);
  const steps = bucketSteps(span, offset, compiler.writer());
  let from = `(${rows})`;
  let text = date.text;
  for (const step of date.isPlain ? steps : [(t: string) => t, ...steps]) {
    const name = compiler.name('bucket');
    from = `(select *, ${step(text)} as ${name} from ${from})`;
    text = name;
  }
  return { from, start: { text, type: 'date', isPlain: true } };
}

/** A date, or null: nothing is converted. */
function dateOnly(value: Sql, compiler: PlanCompiler): Sql {
  if (value.type === 'date') return value;
  if (value.type !== 'any') return { text: 'null::timestamptz', type: 'date', isPlain: true };
  const text = compiler.writer().once([value], (j) => `case when vigil_is_date(${j}) then vigil_tagged_date(${j}) end`);
  return { text, type: 'date' };
}

const wholeBin = (x: string, span: string) => `try(${x} - ((${x} % ${span} + ${span}) % ${span}))`;
const doubleBin = (x: string, span: string) => `vigil_finite(floor(${x} / ${span}) * ${span})`;

function binned(value: Sql, span: bigint | number, compiler: PlanCompiler): Sql {
  const double = compiler.bind(Number(span)).text;
  if (value.type === 'long' && typeof span === 'bigint') {
    return { text: compiler.writer().once([value], (x = '') => wholeBin(x, compiler.bind(span).text)), type: 'long' };
  }
  if (value.type === 'long' || value.type === 'double') {
    return { text: doubleBin(`(${value.text})::double`, double), type: 'double' };
  }
  if (value.type !== 'any') return { text: 'null', type: 'null', isPlain: true };
  const text = compiler.writer().once([value], (j = '') => {
    const asDouble = `when vigil_is_number(${j}) then to_json(${doubleBin(`try_cast(${j}::varchar as double)`, double)})`;
    if (typeof span === 'number') return `case ${asDouble} end`;
    const asLong = `when vigil_is_long(${j}) then to_json(${wholeBin(`vigil_any_long(${j})`, compiler.bind(span).text)})`;
    return `case ${asLong} ${asDouble} end`;
  });
  return asType({ text, type: 'any' }, typeof span === 'number' ? 'double' : 'any', compiler.writer());
}

export function repeatSql({ input, count, copy, rows }: Repeat, compiler: PlanCompiler): string {
  // A list of so many numbers would be in memory as a whole, and no signal would stop its making.
  const from = `(select range as ${alias(copy)} from range(${count})) cross join (${compiler.node(input)})`;
  return compiler.select(rows, { from });
}

/** The whole row without names: the service's own columns only where they are named. */
export function tojsonSql({ input, column, fields, rows }: ToJson, compiler: PlanCompiler): string {
  const from = compiler.node(input);
  if (!compiler.isRead(column.id)) return from;
  const { columns, overflow } = input.rows;
  const named = fields
    ? fields.map(({ name, value }) => ({ name, value: compiler.expression(value) }))
    : columns
        .filter(({ name }) => !SERVICE_COLUMNS.includes(name))
        .map(({ id, name }) => ({ name, value: compiler.column(id) }));
  const rest = fields || !overflow ? [] : [compiler.column(overflow.id)];
  const gone = new Set([...SERVICE_COLUMNS, ...columns.map(({ name }) => name), ...(overflow?.without ?? [])]);
  const { zone } = compiler.around.run;
  const written = (values: readonly Value[]): Value => {
    const row = new Map<string, Value>();
    named.forEach(({ name }, index) => {
      const value = values[index] ?? null;
      if (value !== null && !row.has(name)) row.set(name, value);
    });
    for (const [name, value] of keysOf(values[named.length] ?? null)) {
      if (value !== null && !gone.has(name)) row.set(name, value);
    }
    return compactJson(row, zone);
  };
  const made = onHost(written, [...named.map(({ value }) => value), ...rest], { type: 'string', compiler });
  return compiler.select(rows, { from: `(${from})`, computed: new Map([[column.id, made.text]]) });
}

/** Entries of an overflow, by code point. */
export const keysOf = (overflow: Value): (readonly [string, Value])[] =>
  [...mapOf(overflow)].sort(([one], [other]) => compareText(one, other));

/** A key of a map as it stands there: the JSON text `null` where it is null, null where it is absent. */
export function rawKey(map: string, name: string, compiler: PlanCompiler): string {
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return `(${map}->${compiler.bind(pointer).text})`;
}
