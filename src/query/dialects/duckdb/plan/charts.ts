// timechart and pivot (7.3): rows are aggregated per group and key, then every key becomes columns.

import type { Sql } from '#query/dialects/dialect.ts';
import { toText } from '#query/dialects/duckdb/convert.ts';
import { failureText } from '#query/evaluate/failures.ts';
import type { Expression } from '#query/expression.ts';
import type { CellColumn, Pivot, Timechart } from '#query/plan.ts';
import type { ColumnType, Value } from '#query/values.ts';
import { BUCKETS_MOST, bucketStarts } from './buckets.ts';
import { aggregate, groupKey, withComputed } from './groups.ts';
import { onHost } from './host-rows.ts';
import { alias, BEHIND, type PlanCompiler } from './plan-compiler.ts';
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
  return `(${compiler.select(ids, { from, computed: new Map([[bucket.id, start.text]]), ...tail })})`;
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
  const group = { by: [alias(bucket.id)], shown: [alias(bucket.id)] };
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
    return cells(node, { by: ['true'], shown: [`0::bigint as ${alias(single)}`] }, compiler);
  }
  const keys = node.rowFields.map(({ column }) => ({ column, ...groupKey(compiler.column(column.id), compiler) }));
  const group = {
    by: keys.flatMap((key) => key.by),
    shown: keys.map(({ column, shown }) => `${shown} as ${alias(column.id)}`),
  };
  return cells(node, group, compiler);
}

interface Group {
  readonly by: readonly string[];
  readonly shown: readonly string[];
}

function cells(node: Timechart | Pivot, group: Group, compiler: PlanCompiler): string {
  if (node.rows.dynamic) throw new Error(`the columns of ${node.command} are not known yet`);
  const { by, shown } = group;
  const made = compiler.name('kept');
  const names = node.aggregates.map(() => compiler.name('cell'));
  const values = node.aggregates.map(
    ({ call }, index) => `${aggregate(call, call.type, node.input, compiler)} as ${names[index]}`,
  );
  const grouped = cellRows(node, { group, made, values: [...values, ...compiler.behind(node, 'count(*)')] }, compiler);
  const list = node.columns
    .filter(({ id }) => compiler.isRead(id))
    .map((column) => `${cellSql(node, { column, made, names }, compiler)} as ${alias(column.id)}`);
  const behind = behindChart(node, `sum(${BEHIND})::bigint`, compiler);
  const having = node.kind === 'timechart' ? withoutNone(node, compiler) : '';
  return `select ${[...shown, ...list, ...behind].join(', ')} from ${grouped} group by ${by.join(', ')}${having}`;
}

interface CellParts {
  readonly group: Group;
  readonly made: string;
  readonly values: readonly string[];
}

/** One row per group and key: the key as `made`, null for those that have no column of their own. */
function cellRows(node: Timechart | Pivot, { group, made, values }: CellParts, compiler: PlanCompiler): string {
  const { by, shown } = group;
  const rows = chartRows(node, node.kind === 'timechart' && groupsAll(node), compiler);
  const hasOther = node.columns.some(({ cell }) => cell && cell.key === undefined);
  const isLimited = node.kind === 'timechart' && node.limit !== undefined && !node.useOther;
  if (rows.isTelling && !hasOther && !isLimited) {
    const given = rows.values.map(({ text }) => text);
    const grouped = `select ${[...shown, ...given, ...values].join(', ')} from ${rows.from} group by ${[...by, ...given].join(', ')}`;
    return `(select *, ${rows.key} as ${made} from (${grouped}))`;
  }
  const key = compiler.name('key');
  const keys = [...new Set(node.columns.flatMap(({ cell }) => cell?.key ?? []))];
  const isKept = keys.length > 0 ? `${key} in (${keys.map((one) => compiler.bind(one).text).join(', ')})` : 'false';
  const kept = hasOther ? `case when ${isKept} then ${key} end` : key;
  const all = `(select *, ${rows.key} as ${key} from ${rows.from})`;
  const from = `(select *, ${kept} as ${made} from ${all}${isLimited ? ` where ${isKept}` : ''})`;
  return `(select ${[...shown, made, ...values].join(', ')} from ${from} group by ${[...by, made].join(', ')})`;
}

interface CellPlace {
  readonly column: CellColumn;
  readonly made: string;
  readonly names: readonly string[];
}

/** There is one row per group and key, or none. */
function cellSql(
  { aggregates, fill }: Timechart | Pivot,
  { column: { cell, type }, made, names }: CellPlace,
  compiler: PlanCompiler,
): string {
  const name = names[cell?.aggregate ?? 0] ?? '';
  const isOwn = cell?.key === undefined ? `${made} is null` : `${made} = ${compiler.bind(cell.key).text}`;
  const own: ColumnType = aggregates[cell?.aggregate ?? 0]?.call.type ?? 'any';
  const value = compiler.converted({ text: `first(${name}) filter (where ${isOwn})`, type: own }, type);
  if (fill === undefined) return value;
  return `case when count(*) filter (where ${isOwn}) = 0 then ${filling(fill, type, compiler)} else ${value} end`;
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
  const failure = failureText(22102, BUCKETS_MOST);
  const checked = `case when json_array_length(${starts}) > ${BUCKETS_MOST} then error('${failure}') else ${starts} end`;
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
