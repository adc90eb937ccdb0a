// The aggregates (10 of the reference).

import type { Expression } from '#query/model/expression.ts';
import type { AggregateDeclaration } from '#query/model/function.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import {
  average,
  capped,
  correlation,
  covariance,
  deviation,
  percentile,
  present,
  presentNumbers,
  slope,
  sum,
  variance,
} from '#query/values/aggregates.ts';
import { compareValues, distinct, extreme } from '#query/values/order.ts';
import { atLeastOne, n, oneOf, optional, percent, x } from './arguments.ts';

const METHODS = ['linear', 'lower', 'higher', 'nearest', 'midpoint'] as const;
const MIXED = '1, "2", "x", null';
const TENS = '10, 20, 30, 40';

export const aggregates: readonly AggregateDeclaration[] = [
  {
    name: 'count',
    group: 'aggregates',
    syntax: 'count or count(e)',
    summary: {
      en: 'The number of rows; with an expression, of rows in which it is not null.',
      ko: '행의 수, 식이 있으면 그 식이 null이 아닌 행의 수입니다.',
    },
    args: [optional(x)],
    result: 'long',
    empty: '0',
    merge: 'count',
    local: (rows) => BigInt(rows[0]?.length ? present(rows).length : rows.length),
    examples: [
      { text: 'count', over: '1, null, "a"', gives: 3 },
      { text: 'count(x)', over: '1, null, "a"', gives: 2 },
    ],
  },
  {
    name: 'sum',
    group: 'aggregates',
    syntax: 'sum(e)',
    summary: { en: 'The sum of the numbers; the sum of longs is a long.', ko: '수의 합입니다.' },
    args: [n],
    result: typeOfSum,
    empty: '0',
    merge: 'sum',
    local: (rows) => sum(presentNumbers(rows)),
    examples: [{ text: 'sum(x)', over: MIXED, gives: 3 }],
  },
  {
    name: 'avg',
    group: 'aggregates',
    syntax: 'avg(e)',
    summary: { en: 'The mean of the numbers.', ko: '수의 평균입니다.' },
    args: [n],
    result: 'double',
    empty: 'null',
    merge: 'avg',
    local: (rows) => average(presentNumbers(rows)),
    examples: [{ text: 'avg(x)', over: MIXED, gives: 1.5 }],
  },
  {
    name: 'min',
    group: 'aggregates',
    syntax: 'min(e)',
    summary: { en: 'The smallest value by the order of values; strings are not converted.', ko: '가장 작은 값입니다.' },
    args: [x],
    result: typeOfFirst,
    empty: 'null',
    merge: 'min',
    ignoresRepeats: true,
    local: (rows, { zone }) => extreme(present(rows), 1, zone),
    examples: [{ text: 'min(x)', over: '"a", 2, null', gives: 2 }],
  },
  {
    name: 'max',
    group: 'aggregates',
    syntax: 'max(e)',
    summary: { en: 'The largest value by the order of values; strings are not converted.', ko: '가장 큰 값입니다.' },
    args: [x],
    result: typeOfFirst,
    empty: 'null',
    merge: 'max',
    ignoresRepeats: true,
    local: (rows, { zone }) => extreme(present(rows), -1, zone),
    examples: [{ text: 'max(x)', over: '"9", "10"', gives: '9' }],
  },
  {
    name: 'first',
    group: 'aggregates',
    syntax: 'first(e)',
    summary: {
      en: 'The first value that is not null, in the order of rows.',
      ko: '행 순서로 null이 아닌 첫 값입니다.',
    },
    args: [x],
    result: typeOfFirst,
    empty: 'null',
    ordered: true,
    local: (rows) => present(rows)[0] ?? null,
    examples: [{ text: 'first(x)', over: 'null, 1, 2', gives: 1 }],
  },
  {
    name: 'last',
    group: 'aggregates',
    syntax: 'last(e)',
    summary: {
      en: 'The last value that is not null, in the order of rows.',
      ko: '행 순서로 null이 아닌 마지막 값입니다.',
    },
    args: [x],
    result: typeOfFirst,
    empty: 'null',
    ordered: true,
    local: (rows) => present(rows).at(-1) ?? null,
    examples: [{ text: 'last(x)', over: '1, 2, null', gives: 2 }],
  },
  {
    name: 'dc',
    group: 'aggregates',
    syntax: 'dc(e)',
    summary: { en: 'The exact number of distinct values.', ko: '서로 다른 값의 정확한 수입니다.' },
    args: [x],
    result: 'long',
    empty: '0',
    ignoresRepeats: true,
    whole: 'distinct',
    local: distinctCount,
    examples: [{ text: 'dc(x)', over: '1, 1.0, "1", null', gives: 2 }],
  },
  {
    name: 'estdc',
    group: 'aggregates',
    syntax: 'estdc(e)',
    summary: {
      en: 'The number of distinct values within 5 %, cheaper than dc(). The embedded engine counts exactly.',
      ko: '서로 다른 값의 근사 수입니다.',
    },
    args: [x],
    result: 'long',
    empty: '0',
    ignoresRepeats: true,
    whole: 'distinct',
    local: distinctCount,
    examples: [{ text: 'estdc(x)', over: '1, 2', gives: 2 }],
  },
  {
    name: 'values',
    group: 'aggregates',
    syntax: "values(e[, i'])",
    summary: {
      en: 'The distinct values, ascending; at most i values if i is written. More than 1,000,000 values end the query.',
      ko: '서로 다른 값을 오름차순으로 모읍니다.',
    },
    args: [x, optional(atLeastOne)],
    result: 'list',
    empty: '[]',
    ignoresRepeats: true,
    local: (rows, { zone }) => {
      const found = distinct(present(rows), zone).sort((left, right) => compareValues(left, right, zone));
      return capped(found, rows[0]?.[1]);
    },
    examples: [{ text: 'values(x)', over: '"b", "a", "b", null', gives: ['a', 'b'] }],
  },
  {
    name: 'array',
    group: 'aggregates',
    syntax: "array(e[, i'])",
    summary: {
      en: 'All values, in the order of rows; at most i values if i is written. More than 1,000,000 values end the query.',
      ko: '모든 값을 행 순서로 모읍니다.',
    },
    args: [x, optional(atLeastOne)],
    result: 'list',
    empty: '[]',
    ordered: true,
    local: (rows) => capped(present(rows), rows[0]?.[1]),
    examples: [{ text: 'array(x, 2)', over: '3, null, 3, 1', gives: [3, 3] }],
  },
  {
    name: 'stddev',
    group: 'aggregates',
    syntax: 'stddev(e)',
    summary: {
      en: 'The standard deviation of the population. Values from 1e150 on give null, as in all functions of squares.',
      ko: '모집단 표준편차입니다.',
    },
    args: [n],
    result: 'double',
    empty: 'null',
    local: (rows) => deviation(presentNumbers(rows)),
    examples: [{ text: 'stddev(x)', over: '2, 4, 4, 4, 5, 5, 7, 9', gives: 2 }],
  },
  {
    name: 'var',
    group: 'aggregates',
    syntax: 'var(e)',
    summary: { en: 'The variance of the population.', ko: '모집단 분산입니다.' },
    args: [n],
    result: 'double',
    empty: 'null',
    local: (rows) => variance(presentNumbers(rows)),
    examples: [{ text: 'var(x)', over: '1, 3', gives: 1 }],
  },
  {
    name: 'median',
    group: 'aggregates',
    syntax: 'median(e)',
    summary: { en: 'The same as percentile(e, 50).', ko: '중앙값입니다.' },
    args: [n],
    result: 'double',
    empty: 'null',
    local: (rows) => percentile(presentNumbers(rows), 50, 'linear'),
    examples: [{ text: 'median(x)', over: '1, 2, 10', gives: 2 }],
  },
  {
    name: 'percentile',
    parameters: ['e', 'p', 'how'],
    group: 'aggregates',
    syntax: "percentile(e, p'[, how'])",
    summary: {
      en: 'The number at position (k - 1) * p / 100 of k sorted numbers. Between two numbers `linear` (default) interpolates; `lower`, `higher` and `nearest` (the lower on a tie) return one of them as it is, `midpoint` the middle.',
      ko: '정렬한 수에서 p %의 자리에 있는 수입니다.',
    },
    args: [n, percent, optional(oneOf(METHODS))],
    result: typeOfPercentile,
    empty: 'null',
    local: (rows) => {
      const [, percentage = null, how = 'linear'] = rows[0] ?? [];
      return percentile(presentNumbers(rows), Number(percentage), METHODS.find((method) => method === how) ?? 'linear');
    },
    examples: [
      { text: 'percentile(x, 25)', over: TENS, gives: 17.5 },
      { text: 'percentile(x, 90, "lower")', over: TENS, gives: 30 },
    ],
  },
  {
    name: 'corr',
    group: 'aggregates',
    syntax: 'corr(x, y)',
    summary: {
      en: 'The correlation over the rows in which both are numbers; null if undefined.',
      ko: '상관계수입니다.',
    },
    args: [n, n],
    result: 'double',
    empty: 'null',
    local: (rows) => correlation(rows),
    examples: [{ text: 'corr(x, -x)', over: '1, 2, 3', gives: -1 }],
  },
  {
    name: 'cov',
    group: 'aggregates',
    syntax: 'cov(x, y)',
    summary: {
      en: 'The covariance of the population over the rows in which both are numbers.',
      ko: '모집단 공분산입니다.',
    },
    args: [n, n],
    result: 'double',
    empty: 'null',
    local: (rows) => covariance(rows),
    examples: [{ text: 'cov(x, x)', over: '1, 3', gives: 1 }],
  },
  {
    name: 'slope',
    group: 'aggregates',
    syntax: 'slope(x, y)',
    summary: {
      en: 'The slope of y over x over the rows in which both are numbers; null if undefined.',
      ko: 'x에 대한 y의 기울기입니다.',
    },
    args: [n, n],
    result: 'double',
    empty: 'null',
    local: (rows) => slope(rows),
    examples: [{ text: 'slope(x, x * 2)', over: '1, 2, 3', gives: 2 }],
  },
];

function typeOfFirst([arg]: readonly Expression[]): ColumnType {
  return arg?.type ?? 'any';
}

/** A number that is chosen from the data keeps its type. */
function typeOfPercentile([arg, , how]: readonly Expression[]): ColumnType {
  if (!how) return 'double';
  if (how.kind !== 'literal') return 'any';
  return how.value === 'linear' || how.value === 'midpoint' ? 'double' : typeOfSum(arg ? [arg] : []);
}

function typeOfSum([arg]: readonly Expression[]): ColumnType {
  return arg && (arg.type === 'long' || arg.type === 'double') ? arg.type : 'any';
}

function distinctCount(rows: readonly (readonly Value[])[], { zone }: RunFacts): bigint {
  return BigInt(distinct(present(rows), zone).length);
}
