// timechart and pivot (7.3): rows are aggregated per group and key, then every key becomes columns.

import type { Expression } from '#query/model/expression.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import { toText } from '#query/sql/conversion.ts';
import type { Sql } from '#query/sql/scope.ts';
import { typed } from '#query/sql/writer.ts';
import { failureText } from '#query/values/failures.ts';
import { bucketStarts, MAX_BUCKETS } from './buckets.ts';
import { aggregate, groupKey, withComputed } from './groups.ts';
import { onHost } from './host-rows.ts';
import type { Pivot, Timechart } from './plan.ts';
import { alias, BEHIND, type PlanCompiler } from './sql-compiler.ts';
import { inBuckets } from './steps.ts';

/** Aggregates that may end a run. */
const ENDING: readonly string[] = ['values', 'array'];

/**
 * Rows that belong to no bucket are a group like others, which is dropped when it is made: testing every row costs as much
 * as all the rest. Where their aggregates could end the run they are left out before.
 */
const groupsAll = ({ aggregates }: Timechart): boolean =>
  !aggregates.some(({ call }) => ENDING.includes(call.called.name));

/** Whether a chart that counts its input can count all of it: rows of a value without a column are left out before. */
const countsAll = (node: Timechart): boolean => (node.limit === undefined || node.useOther) && groupsAll(node);

/** Rows of the input with the start of their bucket: all, or those that belong to one. */
function bucketed(node: Timechart, isWhole: boolean, compiler: PlanCompiler): string {
  const { input, time, bucket, offset } = node;
  const below = compiler.node(input);
  const date = compiler.expression(time);
  const { from, start } = inBuckets(below, date, node, compiler);
  const ids = [...compiler.outputs(input.rows), bucket.id];
  const isThere =
    date.type === 'date' && !offset
      ? `${isInSome(date.text)} or ${start.text} is not null`
      : `${start.text} is not null`;
  const tail = isWhole ? {} : { tail: `where ${isThere}` };
  return `(${compiler.select(ids, {
    from,
    computed: new Map([[bucket.id, start.text]]),
    more: compiler.sequenceOf(node.input),
    ...tail,
  })})`;
}

/** Dates that are in a bucket for sure, which is told sooner than in which: no start of theirs lies before the first year. */
const isInSome = (date: string): string => `${date} >= make_timestamptz(86400000000)`;

/** The text that a row's values give a column (7.3.1). */
function keyText(values: readonly Sql[], compiler: PlanCompiler): string {
  const writer = compiler.writer();
  const texts = values.map((value) => {
    // These have no empty text, and nothing else has the text of null.
    if (OWN_TEXTS.includes(value.type)) return `coalesce(${toText(value, writer).text}, 'null')`;
    return writer.once(
      [toText(value, writer)],
      (t) => `case when ${t} is null then 'null' when ${t} = '' then 'empty' else ${t} end`,
    );
  });
  return texts.join(` || '_' || `);
}

/** Types of which every value has a text of its own. */
const OWN_TEXTS: readonly ColumnType[] = ['bool', 'long'];

/** Rows with the values of which keys are made. */
export interface KeyedRows {
  readonly from: string;
  readonly values: readonly Sql[];
  /** SQL of the key by the names of the values. */
  readonly key: string;
  /** The value tells the key and the key the value: rows may be grouped by either. */
  readonly isTelling: boolean;
}

function keyed(from: string, cols: readonly Expression[], compiler: PlanCompiler): KeyedRows {
  const values = cols.map((col) => ({ name: compiler.name('value'), sql: compiler.expression(col) }));
  const named = values.map(({ name, sql }): Sql => ({ text: name, type: sql.type, isPlain: true }));
  const list = ['*', ...values.map(({ name, sql }) => `${sql.text} as ${name}`)].join(', ');
  return {
    from: `(select ${list} from ${from})`,
    values: named,
    key: keyText(named, compiler),
    isTelling: named.length === 1 && named.every(({ type }) => OWN_TEXTS.includes(type)),
  };
}

/** `isWhole`: also rows that are in no bucket. */
export const chartRows = (node: Timechart | Pivot, isWhole: boolean, compiler: PlanCompiler): KeyedRows =>
  node.kind === 'pivot'
    ? keyed(withComputed(node.input, node.rowFields, compiler), node.cols, compiler)
    : keyed(bucketed(node, isWhole, compiler), node.by ? [node.by] : [], compiler);

export function timechartSql(node: Timechart, compiler: PlanCompiler): string {
  const { bucket, by } = node;
  const at = alias(bucket.id);
  const group = { by: [at], shown: [at], names: [at] };
  const charted = by ? cells(node, group, compiler) : plainChart(node, compiler);
  const isCounted = compiler.behind(node, '').length > 0 && countsAll(node);
  const grouped = isCounted ? counted(charted, alias(bucket.id)) : charted;
  return node.continuous ? continuous(node, grouped, compiler) : grouped;
}

/** Rows that are in no bucket count for the first one. */
function counted(charted: string, bucket: string): string {
  const none = `coalesce(sum(${BEHIND}) filter (where ${bucket} is null) over (), 0)`;
  const behind = `(${BEHIND} + case when ${bucket} = min(${bucket}) over () then ${none} else 0 end)::bigint`;
  return `select * replace (${behind} as ${BEHIND}) from (${charted}) qualify ${bucket} is not null`;
}

/** Drops the group of rows that are in no bucket, by an aggregate: a test of the bucket would be moved to the rows. */
const withoutNone = (node: Timechart, compiler: PlanCompiler): string =>
  compiler.behind(node, '').length > 0 && countsAll(node) ? '' : ` having count(${alias(node.bucket.id)}) > 0`;

/** What a timechart or pivot tells of its input: null where it cannot count all of it. */
const behindChart = (node: Timechart | Pivot, count: string, compiler: PlanCompiler): string[] =>
  compiler.behind(node, node.kind === 'pivot' || countsAll(node) ? count : 'null::bigint');

function plainChart(node: Timechart, compiler: PlanCompiler): string {
  const { input, bucket, aggregates, columns } = node;
  const from = bucketed(node, groupsAll(node), compiler);
  const list = columns.flatMap((column, index) => {
    const call = aggregates[index]?.call;
    if (!call || !compiler.isRead(column.id)) return [];
    const value = aggregate(call, call.type, input, compiler);
    return [`${compiler.converted({ text: value, type: call.type }, column.type)} as ${alias(column.id)}`];
  });
  const all = [alias(bucket.id), ...list, ...behindChart(node, 'count(*)', compiler)];
  return `select ${all.join(', ')} from ${from} group by ${alias(bucket.id)}${withoutNone(node, compiler)}`;
}

export function pivotSql(node: Pivot, compiler: PlanCompiler): string {
  const { single } = node;
  if (single !== undefined) {
    return cells(node, { by: ['true'], shown: [`0::bigint as ${alias(single)}`], names: [alias(single)] }, compiler);
  }
  const keys = node.rowFields.map(({ column }) => ({ column, ...groupKey(compiler.column(column.id), compiler) }));
  const group = {
    by: keys.flatMap((key) => key.by),
    shown: keys.map(({ column, shown }) => `${shown} as ${alias(column.id)}`),
    names: keys.map(({ column }) => alias(column.id)),
  };
  return cells(node, group, compiler);
}

interface Group {
  readonly by: readonly string[];
  readonly shown: readonly string[];
  /** Of what is shown. */
  readonly names: readonly string[];
}

/**
 * The cells of a group become one list, in which each column has its place: an aggregate with a filter for each of them would
 * be as simple, but what DuckDB takes to prepare so many grows with their third power (1,000: 10 s).
 */
function cells(node: Timechart | Pivot, group: Group, compiler: PlanCompiler): string {
  if (node.rows.dynamic) throw new Error(`the columns of ${node.command} are not known yet`);
  const { by, shown } = group;
  const keys = [...new Set(node.columns.flatMap(({ cell }) => cell?.key ?? []))];
  const [place, gap] = [compiler.name('place'), compiler.name('gap')];
  const names = node.aggregates.map(() => compiler.name('cell'));
  const values = node.aggregates.map(
    ({ call }, index) => `${aggregate(call, call.type, node.input, compiler)} as ${names[index]}`,
  );
  const parts = { group, place, keys, values: [...values, ...compiler.behind(node, 'count(*)')] };
  const before = `coalesce(lag(${place}) over (partition by ${by.join(', ')} order by ${place}), 0)`;
  const spaced = `(select *, ${place} - ${before} - 1 as ${gap} from ${cellRows(node, parts, compiler)})`;
  const lists = names.map(
    (name, index) => `${placedCells(node, { name, index, place, gap, keys }, compiler)} as ${name}`,
  );
  const having = node.kind === 'timechart' ? withoutNone(node, compiler) : '';
  const all = [...shown, ...lists, ...behindChart(node, `sum(${BEHIND})::bigint`, compiler)];
  const listed = `select ${all.join(', ')} from ${spaced} group by ${by.join(', ')}${having}`;
  const places = new Map(keys.map((key, index) => [key, index + 1]));
  const list = node.columns
    .filter(({ id }) => compiler.isRead(id))
    .map(({ id, cell }) => {
      const own = cell?.key === undefined ? undefined : places.get(cell.key);
      return `${names[cell?.aggregate ?? 0]}[${own ?? keys.length + 1}] as ${alias(id)}`;
    });
  const behind = compiler.behind(node, '').length > 0 ? [BEHIND] : [];
  return `select ${[...group.names, ...list, ...behind].join(', ')} from (${listed})`;
}

interface PlacedCells {
  readonly name: string;
  /** Of the aggregate. */
  readonly index: number;
  readonly place: string;
  /** How many places before it no row has. */
  readonly gap: string;
  readonly keys: readonly string[];
}

/** The cells of one aggregate. There is one value per group and key, or none: null, or what is to be filled in. */
function placedCells(
  { aggregates, columns, fill }: Timechart | Pivot,
  { name, index, place, gap, keys }: PlacedCells,
  compiler: PlanCompiler,
): string {
  const own: ColumnType = aggregates[index]?.call.type ?? 'any';
  const type = columns.find(({ cell }) => cell?.aggregate === index)?.type ?? own;
  const value = compiler.converted({ text: name, type: own }, type);
  const none = `[]::${typed(type)}[]`;
  const filled = fill === undefined ? '' : `, ${filling(fill, type, compiler)}`;
  const cell = `list_append(list_resize(${none}, ${gap}${filled}), ${value})`;
  const list = `flatten(list(${cell} order by ${place}) filter (${place} is not null))`;
  // Beyond the end of a list everything is null.
  return fill === undefined ? list : `list_resize(coalesce(${list}, ${none}), ${keys.length + 1}${filled})`;
}

interface CellParts {
  readonly group: Group;
  readonly place: string;
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** One row per group and key with the place of the key among the columns, null for those that have none. */
function cellRows(node: Timechart | Pivot, { group, place, keys, values }: CellParts, compiler: PlanCompiler): string {
  const { by, shown } = group;
  const rows = chartRows(node, node.kind === 'timechart' && groupsAll(node), compiler);
  const hasOther = node.columns.some(({ cell }) => cell && cell.key === undefined);
  const isLimited = node.kind === 'timechart' && node.limit !== undefined && !node.useOther;
  const [key, known, at] = [compiler.name('key'), compiler.name('known'), compiler.name('at')];
  const list = `from_json(${compiler.bind(keys).text}, '["varchar"]')`;
  const table = `(select unnest(${list}) as ${known}, unnest(range(1, ${keys.length + 1})) as ${at})`;
  const withPlace = (from: string) => `${from} left join ${table} on ${key} = ${known}`;
  if (hasOther || isLimited) {
    const all = withPlace(`(select *, ${rows.key} as ${key} from ${rows.from})`);
    const kept = hasOther ? `coalesce(${at}, ${keys.length + 1})` : at;
    const from = `(select *, ${kept} as ${place} from ${all}${isLimited ? ` where ${at} is not null` : ''})`;
    return `(select ${[...shown, place, ...values].join(', ')} from ${from} group by ${[...by, place].join(', ')})`;
  }
  const given = rows.isTelling ? rows.values.map(({ text }) => text) : [key];
  const source = rows.isTelling ? rows.from : `(select *, ${rows.key} as ${key} from ${rows.from})`;
  const grouped = `(select ${[...shown, ...given, ...values].join(', ')} from ${source} group by ${[...by, ...given].join(', ')})`;
  const keyed = rows.isTelling ? `(select *, ${rows.key} as ${key} from ${grouped})` : grouped;
  return `(select *, ${at} as ${place} from ${withPlace(keyed)})`;
}

const filling = (fill: Value | undefined, type: ColumnType, compiler: PlanCompiler): string =>
  compiler.converted(compiler.bind(fill ?? null), type);

/** All buckets from the first to the last, or of the range; without rows there is none. */
function continuous(node: Timechart, grouped: string, compiler: PlanCompiler): string {
  const { bucket, columns, fill, range, rows } = node;
  const [step, all, starts, start] = ['step', 'buckets', 'starts', 'start'].map((name) => compiler.name(name));
  const at = alias(bucket.id);
  const bound = (value: number | undefined) => compiler.bind(value === undefined ? null : BigInt(value)).text;
  const [from, to] = [range.from?.epochMilliseconds, range.to?.epochMilliseconds];
  const first = `least(min(epoch_ms(${at})), ${bound(from)})`;
  const last = `greatest(max(epoch_ms(${at})), ${bound(to === undefined ? undefined : to - 1)})`;
  const list = onHost(
    bucketStarts(node, compiler.around.run.zone),
    [first, last].map((text) => ({ text: `case when count(*) > 0 then ${text} end`, type: 'long' })),
    { type: 'list', compiler },
  ).text;
  const failure = failureText(22102, MAX_BUCKETS);
  const checked = `case when json_array_length(${starts}) > ${MAX_BUCKETS} then error('${failure}') else ${starts} end`;
  const series = `select make_timestamptz(unnest(from_json(${checked}, '["bigint"]')) * 1000) as ${start} from (select ${list} as ${starts} from ${step})`;
  const computed = new Map([[bucket.id, `${all}.${start}`]]);
  for (const { id, type } of columns) {
    if (!compiler.isRead(id)) continue;
    if (fill !== undefined) {
      computed.set(id, `case when ${step}.${at} is null then ${filling(fill, type, compiler)} else ${alias(id)} end`);
    }
  }
  const join = `(${series}) ${all} left join ${step} on ${step}.${at} = ${all}.${start}`;
  const more = behindChart(node, `coalesce(${BEHIND}, 0)`, compiler);
  return `with ${step} as materialized (${grouped}) ${compiler.select(rows, { from: join, computed, more })}`;
}
