// The date functions (9.5 of the reference).

import { durationOf, spanOffset, timeSpanOf } from '#query/model/durations.ts';
import type { FunctionDeclaration } from '#query/model/function.ts';
import type { Value } from '#query/model/values.ts';
import {
  bucketStart,
  datePart as datePartOf,
  dateSteps,
  difference,
  moved,
  movedBy,
} from '#query/values/dates/dates.ts';
import { bucketOffset, d, datePart, duration, i, optional, span, unit } from './arguments.ts';

export const dates: readonly FunctionDeclaration[] = [
  {
    name: 'now',
    group: 'dates',
    syntax: 'now()',
    summary: { en: 'The time of the run.', ko: '실행 시각입니다.' },
    args: [],
    result: 'date',
    nulls: 'own',
    momentary: true,
    local: (_, { now }) => now,
    examples: [{ text: 'now()', gives: '@2026-11-15 12:00:00+0900' }],
  },
  {
    name: 'ago',
    parameters: ['duration'],
    group: 'dates',
    syntax: "ago(duration')",
    summary: { en: 'Now minus a duration.', ko: '지금에서 기간을 뺀 시각입니다.' },
    args: [duration],
    result: 'date',
    nulls: 'null',
    baseSteps: 16,
    momentary: true,
    local: ([text], run) => {
      const duration = durationOf(`${text}`);
      return duration ? movedBy(run.now, duration, run.zone, -1) : null;
    },
    examples: [{ text: 'ago("1d")', gives: '@2026-11-14 12:00:00+0900' }],
  },
  {
    name: 'dateadd',
    parameters: ['d', 'unit', 'amount'],
    group: 'dates',
    syntax: "dateadd(d, unit', i)",
    summary: {
      en: 'A date plus i units; the day of the month is limited to the length of the month.',
      ko: '날짜에 i 단위를 더합니다.',
    },
    args: [d, unit, i],
    result: 'date',
    nulls: 'null',
    baseSteps: 32,
    local: ([date, unit_, count], { zone }) => (isDate(date) ? moved(date, `${unit_}`, Number(count), zone) : null),
    examples: [{ text: 'dateadd(date("2026-01-31"), "mon", 1)', gives: '@2026-02-28 00:00:00+0900' }],
  },
  {
    name: 'datediff',
    parameters: ['from', 'to', 'unit'],
    group: 'dates',
    syntax: "datediff(a, b, unit')",
    summary: {
      en: 'The whole units from a to b: the largest k for which dateadd(a, unit, k) is not after b. If b is before a, the result is minus datediff(b, a).',
      ko: 'a에서 b까지의 단위 수입니다.',
    },
    args: [d, d, unit],
    result: 'long',
    nulls: 'null',
    baseSteps: 128,
    local: ([from, to, unit_], { zone }) =>
      isDate(from) && isDate(to) ? difference(from, to, `${unit_}`, zone) : null,
    examples: [{ text: 'datediff(date("2026-01-31"), date("2026-02-28"), "mon")', gives: 1 }],
  },
  {
    name: 'datetrunc',
    parameters: ['d', 'span', 'offset'],
    group: 'dates',
    syntax: "datetrunc(d, span'[, offset'])",
    summary: { en: 'The start of the bucket that contains a date.', ko: '날짜가 속한 구간의 시작입니다.' },
    args: [d, span, optional(bucketOffset)],
    result: 'date',
    nulls: 'null',
    baseSteps: 48,
    local: ([date, text, offset], { zone }) => {
      const cut = timeSpanOf(`${text}`);
      return isDate(date) && cut ? bucketStart(date, cut, spanOffset(`${offset ?? '0s'}`), zone) : null;
    },
    examples: [{ text: 'datetrunc(now(), "1w")', gives: '@2026-11-09 00:00:00+0900' }],
  },
  {
    name: 'datepart',
    parameters: ['d', 'part'],
    group: 'dates',
    syntax: "datepart(d, part')",
    summary: {
      en: 'A part of a date as a number: `year quarter mon day hour min sec msec`, `dow` (0 Sunday), `isodow` (1 Monday), `doy`, `week` (ISO), `epoch` (seconds).',
      ko: '날짜의 한 부분을 수로 줍니다.',
    },
    args: [d, datePart],
    result: 'long',
    nulls: 'null',
    baseSteps: 12,
    local: ([date, part], { zone }) => (isDate(date) ? datePartOf(date, `${part}`, zone) : null),
    examples: [{ text: 'datepart(now(), "dow")', gives: 0 }],
  },
  {
    name: 'daterange',
    parameters: ['from', 'to', 'span'],
    group: 'dates',
    syntax: "daterange(a, b[, span'])",
    summary: {
      en: 'A list of the dates a, a + span, ... before b, each computed from a; the default span is `1d`. A null bound gives null. More than 100,000 dates end the query.',
      ko: '두 날짜 사이의 날짜 목록입니다.',
    },
    args: [d, d, optional(span)],
    result: 'list',
    nulls: 'null',
    local: ([from, to, text = '1d'], run) => {
      const step = timeSpanOf(`${text}`);
      return isDate(from) && isDate(to) && step ? dateSteps(from, to, step, run) : null;
    },
    examples: [
      { text: 'len(daterange(date("2026-01-31"), date("2026-05-01"), "1mon"))', gives: 4 },
      { text: 'daterange(date("x", "yyyy"), now())', gives: null },
    ],
  },
];

const isDate = (value: Value | undefined): value is Temporal.Instant => value instanceof Temporal.Instant;
