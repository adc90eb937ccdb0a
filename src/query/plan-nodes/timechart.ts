// Aggregates of rows by buckets of time, with `by` in columns for each value of a field.

import type { Column } from '#query/model/columns.ts';
import type { Duration } from '#query/model/durations.ts';
import { columnRead, type Expression } from '#query/model/expression.ts';
import type { TimeRange } from '#query/model/times.ts';
import { bucketStarts, MAX_BUCKETS } from '#query/values/dates/bucket-starts.ts';
import { bucketStart } from '#query/values/dates/dates.ts';
import { failureText } from '#query/values/failures.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { nothing, type PlanNodeDeclaration, type TimeGroups } from './plan-node.ts';
import { inBuckets } from './shared/buckets.ts';
import {
  type Chart,
  type ChartGroups,
  chartCells,
  fillSql,
  type KeyedRows,
  keyedRows,
  mayEndRun,
} from './shared/chart-cells.ts';
import { aggregate, callsOf, isRowCount } from './shared/groups.ts';
import { evaluatedLocally } from './shared/local-rows.ts';
import { alias, BEHIND } from './shared/sql-text.ts';

export interface Timechart extends Chart {
  readonly kind: 'timechart';
  readonly time: Expression;
  readonly bucket: Column;
  readonly span: Duration;
  readonly offset?: Duration;
  readonly continuous: boolean;
  readonly range: TimeRange;
  readonly by?: Expression;
  readonly limit?: bigint;
  readonly useOther: boolean;
}

export const timechart: PlanNodeDeclaration<Timechart> = {
  kind: 'timechart',
  takes: 'all-before-first',
  expressions: ({ time, by, aggregates }) => [
    time,
    ...(by ? [by] : []),
    ...aggregates.flatMap(({ call }) => call.args),
  ],
  makes: nothing,
  reads({ time, by, aggregates, columns, input }, reading) {
    reading.expressions([time, ...(by ? [by] : [])]);
    aggregates.forEach(({ call }, index) => {
      const column = by ? undefined : columns[index];
      if (!column || reading.isRead(column.id)) reading.aggregate(call, input.rows);
    });
  },
  pushdown: 'lost',
  counts: 'counted',
  aggregates: callsOf,
  // Without a row all of the input may be in no bucket.
  groups: { inputWithoutGroups: null },
  equalRows: (node, zone) => {
    const times = timeGroups(node, zone);
    return { keys: [...(times ? [] : [node.time]), ...(node.by ? [node.by] : [])], times };
  },
  timeCounts,
  chart: {
    keys: (node, compiler) => keyed(node, false, compiler),
    groups: chartGroups,
    limit: ({ limit }) => limit,
    hasOther: ({ useOther }) => useOther,
    columnName: (value, alias) => `${value}_${alias}`,
    hasTimeRows: ({ by, continuous, fill }) => by !== undefined && !continuous && fill === undefined,
    names: ({ bucket }) => [bucket.name],
  },
  sql,
};

function timeCounts(node: Timechart, zone: string) {
  const { continuous, by, aggregates } = node;
  const groups = timeGroups(node, zone);
  if (!groups || by || continuous || !aggregates.every(({ call }) => isRowCount(call))) return undefined;
  return { cells: ['group' as const, ...aggregates.map(() => 'count' as const)], groups };
}

function timeGroups({ time, span, offset }: Timechart, zone: string): TimeGroups | undefined {
  const column = columnRead(time);
  if (offset || column === undefined) return undefined;
  const groupOf = (at: number) =>
    bucketStart(Temporal.Instant.fromEpochMilliseconds(at), span, undefined, zone)?.epochMilliseconds ?? null;
  return { time: column, groupOf, step: stepOf(span), localStep: LOCAL_STEPS[span.unit] };
}

/** Zones are a multiple of it from UTC, but for some of long ago. */
const ZONE_STEP = 15 * 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LOCAL_STEPS: Readonly<Partial<Record<Duration['unit'], number>>> = { h: HOUR, d: DAY, w: DAY, mon: DAY, y: DAY };
const STEPS: Readonly<Partial<Record<Duration['unit'], number>>> = { s: 1000, m: 60_000 };

function stepOf({ count, unit }: Duration): number {
  let step = ZONE_STEP;
  let rest = (STEPS[unit] ?? ZONE_STEP) * count;
  while (rest > 0) [step, rest] = [rest, step % rest];
  return step;
}

function sql(node: Timechart, compiler: PlanCompiler): string {
  const at = alias(node.bucket.id);
  const charted = node.by ? chartCells(node, chartGroups(node, compiler), compiler) : plainChart(node, compiler);
  const isCounted = compiler.isCounted(node) && countsAll(node);
  const grouped = isCounted ? counted(charted, at) : charted;
  return node.continuous ? continuous(node, grouped, compiler) : grouped;
}

function chartGroups(node: Timechart, compiler: PlanCompiler): ChartGroups {
  const { bucket, limit, useOther } = node;
  const at = alias(bucket.id);
  return {
    columns: [{ id: bucket.id, type: 'date', by: [at], shown: at }],
    rows: () => keyed(node, groupsAll(node), compiler),
    isLimited: limit !== undefined && !useOther,
    dropsNull: dropsNone(node, compiler),
    behind: (count: string) => behindChart(node, count, compiler),
  };
}

/**
 * Rows that belong to no bucket are a group like others, which is dropped when it is made: testing every row costs as much
 * as all the rest. Where their aggregates could end the run they are left out before.
 */
const groupsAll = (node: Timechart): boolean => !mayEndRun(node);

/** Whether a chart that counts its input can count all of it: rows of a value without a column are left out before. */
const countsAll = (node: Timechart): boolean => (node.limit === undefined || node.useOther) && groupsAll(node);

const keyed = (node: Timechart, isWhole: boolean, compiler: PlanCompiler): KeyedRows =>
  keyedRows(bucketed(node, isWhole, compiler), node.by ? [node.by] : [], compiler);

/** Rows of the input with the start of their bucket: with `isWhole` all, else those that belong to one. */
function bucketed(node: Timechart, isWhole: boolean, compiler: PlanCompiler): string {
  const { input, time, bucket, offset } = node;
  const below = compiler.planNode(input);
  const date = compiler.expression(time);
  const { from, start } = inBuckets(below, date, node, compiler);
  const ids = [...compiler.outputs(input.rows), bucket.id];
  const isInBucket =
    date.type === 'date' && !offset
      ? `${isInSome(date.text)} or ${start.text} is not null`
      : `${start.text} is not null`;
  const tail = isWhole ? {} : { tail: `where ${isInBucket}` };
  return `(${compiler.select(ids, {
    from,
    computed: new Map([[bucket.id, start.text]]),
    more: compiler.carriedOf(node.input),
    ...tail,
  })})`;
}

/** Dates that are in a bucket for sure, a test cheaper than the bucket: no start of theirs lies before the first year. */
const isInSome = (date: string): string => `${date} >= make_timestamptz(86400000000)`;

/** Rows that are in no bucket count for the first one. */
function counted(charted: string, bucket: string): string {
  const none = `coalesce(sum(${BEHIND}) filter (where ${bucket} is null) over (), 0)`;
  const behind = `(${BEHIND} + case when ${bucket} = min(${bucket}) over () then ${none} else 0 end)::bigint`;
  return `select * replace (${behind} as ${BEHIND}) from (${charted}) qualify ${bucket} is not null`;
}

/** Whether the group of rows that are in no bucket is left out: counting needs it. */
const dropsNone = (node: Timechart, compiler: PlanCompiler): boolean => !(compiler.isCounted(node) && countsAll(node));

/** By an aggregate: a test of the bucket would be moved to the rows. */
const withoutNone = (node: Timechart, compiler: PlanCompiler): string =>
  dropsNone(node, compiler) ? ` having count(${alias(node.bucket.id)}) > 0` : '';

/** Null where it cannot count all of its input. */
const behindChart = (node: Timechart, count: string, compiler: PlanCompiler): string[] =>
  compiler.behind(node, countsAll(node) ? count : 'null::bigint');

function plainChart(node: Timechart, compiler: PlanCompiler): string {
  const { input, bucket, aggregates, columns } = node;
  const from = bucketed(node, groupsAll(node), compiler);
  const list = columns.flatMap((column, index) => {
    const call = aggregates[index]?.call;
    if (!call || !compiler.isRead(column.id)) return [];
    const value = aggregate(call, call.type, input, compiler);
    return [`${compiler.converted({ text: value, type: call.type }, column.type)} as ${alias(column.id)}`];
  });
  const all = [alias(bucket.id), ...list, ...behindChart(node, compiler.condensed.rowCount(input), compiler)];
  return `select ${all.join(', ')} from ${from} group by ${alias(bucket.id)}${withoutNone(node, compiler)}`;
}

/** All buckets from the first to the last, or of the range; without rows there is none. */
function continuous(node: Timechart, grouped: string, compiler: PlanCompiler): string {
  const { bucket, columns, fill, range, rows } = node;
  const [step, all, starts, start] = ['step', 'buckets', 'starts', 'start'].map((name) => compiler.name(name));
  const at = alias(bucket.id);
  const bound = (value: number | undefined) => compiler.bind(value === undefined ? null : BigInt(value)).text;
  const from = range.from?.epochMilliseconds;
  const to = range.to?.epochMilliseconds;
  const first = `least(min(epoch_ms(${at})), ${bound(from)})`;
  const last = `greatest(max(epoch_ms(${at})), ${bound(to === undefined ? undefined : to - 1)})`;
  const list = evaluatedLocally(
    bucketStarts(node, compiler.context.run.zone),
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
      computed.set(id, `case when ${step}.${at} is null then ${fillSql(fill, type, compiler)} else ${alias(id)} end`);
    }
  }
  const join = `(${series}) ${all} left join ${step} on ${step}.${at} = ${all}.${start}`;
  const more = behindChart(node, `coalesce(${BEHIND}, 0)`, compiler);
  return `with ${step} as materialized (${grouped}) ${compiler.select(rows, { from: join, computed, more })}`;
}
