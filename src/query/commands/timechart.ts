import type { SlicedWork } from '#kernel/sliced-work.ts';
import { fieldText } from '#query/language/expressions/expression-text.ts';
import {
  about,
  bucketOffset,
  flag,
  orElse,
  time,
  timeSpan,
  value,
  whole,
  withoutEffect,
} from '#query/language/option-readers.ts';
import type { Name, Words } from '#query/language/words.ts';
import { NAMED_BY_VALUES } from '#query/model/columns.ts';
import type { Duration, DurationUnit } from '#query/model/durations.ts';
import type { Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { TimeRange } from '#query/model/times.ts';
import { type ColumnType, typeOf, unified, type Value } from '#query/model/values.ts';
import { command } from '#query/planning/command.ts';
import {
  AGGREGATE_KEYWORDS,
  aggregatesText,
  plannedAggregates,
  requireFreeOutputs,
  takeAggregates,
  takeFieldsAfter,
} from './shared/aggregate-list.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';
import { timeRange } from './shared/sources.ts';

const DAY = { count: 1, unit: 'd' } as const;

const options = {
  span: about(orElse(DAY, timeSpan(22100)), OPTION_SUMMARIES.span),
  offset: about(bucketOffset, { en: 'Moves the start of every bucket later.', ko: '모든 구간의 시작을 늦춥니다.' }),
  cont: about(orElse(false, flag), { en: 'Fills buckets without rows.', ko: '행이 없는 구간도 채웁니다.' }),
  from: about(time, OPTION_SUMMARIES.from),
  to: about(time, OPTION_SUMMARIES.to),
  fill: about(value, OPTION_SUMMARIES.fill),
  limit: about(whole(1), { en: 'Largest number of columns of values.', ko: '값 컬럼의 최대 수입니다.' }),
  useother: about(orElse(true, flag), {
    en: 'Gathers further values in a column of their own.',
    ko: '나머지 값을 한 컬럼에 모읍니다.',
  }),
  parallel: about(withoutEffect(flag), OPTION_SUMMARIES.parallel),
} as const;

export const timechart = command({
  name: 'timechart',
  class: 'transforming',
  syntax:
    'timechart [span=1d] [offset=D] [cont=f] [from=T] [to=T] [fill=VALUE] [limit=N] [useother=t] [parallel=f] AGG [as F], ... [by F]',
  summary: {
    en: 'Outputs aggregates per bucket of `_time`, ascending; with `by` one column per value.',
    ko: '`_time` 구간마다 집계를 오름차순으로 내보냅니다. `by`가 있으면 값마다 컬럼 하나입니다.',
  },
  rules: [
    'Rows whose `_time` is no date belong to no bucket. Only buckets with rows appear; `cont=t` adds the missing buckets between the first and the last one, or with `from` and `to` those of that range.',
    'A cell without rows is null, or the value of `fill`.',
    '`limit=N` keeps the N values with the largest first aggregate; the rows of all other values are combined in the column `OTHER`, or omitted with `useother=f`.',
    'Columns are named by the values: null is `null`, the empty text `empty`; with several aggregates `<text>_<alias>`. They follow the order of values, then null, then `OTHER`.',
    'With `useother=f` a bucket that has only omitted rows does not appear.',
  ],
  errors: [22000, 22001, 22003, 22004, 22100, 22101, 22102, 22103, 22201, 90008],
  examples: [
    {
      tables: {
        given: [
          { _time: '@2026-11-15 09:10:00+0900', a: 'x' },
          { _time: '@2026-11-15 09:50:00+0900' },
          { _time: '@2026-11-15 11:00:00+0900', a: 'x' },
        ],
      },
      query: 'table given | timechart fill=0 cont=t span=1h count by a',
      normalized: 'table given | timechart span=1h cont=t fill=0 count by a',
      gives: [
        { _time: '@2026-11-15 09:00:00+0900', x: 1, null: 1 },
        { _time: '@2026-11-15 10:00:00+0900', x: 0, null: 0 },
        { _time: '@2026-11-15 11:00:00+0900', x: 1, null: 0 },
      ],
      columns: ['_time', 'x', 'null'],
    },
    {
      tables: {
        given: [
          { _time: '@2026-11-15 09:10:00+0900', p: 80, b: 5 },
          { _time: '@2026-11-15 09:20:00+0900', p: 443, b: 9 },
          { _time: '@2026-11-15 10:20:00+0900', p: 22, b: 1 },
          { _time: '@2026-11-15 10:30:00+0900', p: 80, b: 2 },
        ],
      },
      query: 'table given | timechart span=1h limit=1 sum(b) as s, count as c by p',
      gives: [
        { _time: '@2026-11-15 09:00:00+0900', '443_s': 9, '443_c': 1, OTHER_s: 5, OTHER_c: 1 },
        { _time: '@2026-11-15 10:00:00+0900', OTHER_s: 3, OTHER_c: 2 },
      ],
      columns: ['_time', '443_s', '443_c', 'OTHER_s', 'OTHER_c'],
    },
    {
      tables: {
        given: [
          { _time: '@2026-11-15 09:10:00+0900', p: 80 },
          { _time: '@2026-11-15 09:40:00+0900', p: 80 },
          { _time: '@2026-11-15 10:40:00+0900', p: 22 },
        ],
      },
      query: 'table given | timechart span=1h offset=30m limit=1 useother=f count by p',
      gives: [
        { _time: '@2026-11-15 08:30:00+0900', '80': 1 },
        { _time: '@2026-11-15 09:30:00+0900', '80': 1 },
      ],
    },
    {
      tables: { given: [{ _time: '@2026-11-15 09:10:00+0900' }] },
      query: 'table given | timechart span=1h cont=t from=20261115080000 to=20261115110000 fill=0 count',
      gives: [
        { _time: '@2026-11-15 08:00:00+0900', count: 0 },
        { _time: '@2026-11-15 09:00:00+0900', count: 1 },
        { _time: '@2026-11-15 10:00:00+0900', count: 0 },
      ],
    },
  ],
  options,
  *read(words) {
    const calls = yield* takeAggregates(words, AGGREGATE_KEYWORDS);
    const by = yield* takeBy(words);
    requireFreeOutputs(by ? [] : ['_time'], calls);
    return { calls, by };
  },
  text: ({ calls, by }) =>
    `${aggregatesText(calls, AGGREGATE_KEYWORDS)}${by ? ` by ${fieldText(by.text, AGGREGATE_KEYWORDS)}` : ''}`,
  *plan({ calls, by }, planning) {
    const { span = DAY, offset, cont = false, fill, limit, useother = true, from, to } = planning.options;
    const bound = planning.optionAt('from') ?? planning.optionAt('to');
    if (bound && !cont && !planning.isPending('cont')) throw new QueryError(22103, bound);
    const range = timeRange({ from, to }, planning) ?? {};
    requireFewBuckets(range, span, planning.span);
    const bucket = planning.newColumn('_time', 'date');
    const planned = yield* plannedAggregates(calls, planning);
    const aggregates = planned.map((call) => ({ call, output: call.output }));
    const made = by ? planning.chartColumns() : undefined;
    const columns = by
      ? (made?.columns ?? [])
      : aggregates.map(({ call }) => planning.newColumn(call.output, cellType(call.type, cont ? fill : undefined)));
    const order = [{ column: bucket.id, descending: false }];
    const named = by ? NAMED_BY_VALUES : {};
    const rows = { columns: [bucket, ...columns], order, ...(by && !made ? { dynamic: true as const } : {}), ...named };
    return planning.chart({
      ...planning.step(rows),
      kind: 'timechart',
      time: planning.quietField('_time'),
      bucket,
      span,
      continuous: cont,
      range,
      aggregates,
      columns,
      useOther: useother,
      ...(offset ? { offset } : {}),
      ...(fill === undefined ? {} : { fill }),
      ...(limit === undefined ? {} : { limit }),
      ...(by ? { by: planning.field(by) } : {}),
      ...(made ? { found: made.found } : {}),
    });
  },
});

/** Only with `cont=t` can a cell hold the fill value. */
const cellType = (type: ColumnType, fill: Value | undefined): ColumnType =>
  fill === undefined ? type : unified(type, typeOf(fill));

const MAX_BUCKETS = 100_000;
const UNIT_MILLISECONDS: Readonly<Record<DurationUnit, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  // The years of dates have too few months to reach the limit.
  mon: Number.POSITIVE_INFINITY,
  y: Number.POSITIVE_INFINITY,
};

/** With both ends of the range the number of buckets is known in advance; otherwise the run counts them. */
function requireFewBuckets({ from, to }: TimeRange, { count, unit }: Duration, span: Span): void {
  if (!from || !to) return;
  const n = Math.ceil((to.epochMilliseconds - from.epochMilliseconds) / (count * UNIT_MILLISECONDS[unit]));
  if (n > MAX_BUCKETS) throw new QueryError(22102, span, { n, max: MAX_BUCKETS });
}

function* takeBy(words: Words): SlicedWork<Name | undefined> {
  if (!words.takeKeyword('by')) return undefined;
  const [field, second] = yield* takeFieldsAfter(words, AGGREGATE_KEYWORDS);
  if (second) throw new QueryError(22101, second);
  return field;
}
