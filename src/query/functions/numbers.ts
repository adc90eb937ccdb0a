// The number functions (9.4 of the reference).

import type { Expression } from '#query/model/expression.ts';
import type { FunctionDeclaration } from '#query/model/function.ts';
import { type ColumnType, isNumeric, unified, type Value } from '#query/model/values.ts';
import { finite, long } from '#query/values/conversions.ts';
import { extreme } from '#query/values/order.ts';
import { awayFromZero, cutNumber, type Direction } from '#query/values/rounding.ts';
import { JSON_WEIGHT } from '#query/values/steps.ts';
import { i, n, optional, several, x } from './arguments.ts';

export const numbers: readonly FunctionDeclaration[] = [
  {
    name: 'abs',
    group: 'numbers',
    syntax: 'abs(n)',
    summary: { en: 'The absolute value.', ko: '절댓값입니다.' },
    args: [n],
    ignoresSurplus: true,
    result: typeOfArgument,
    nulls: 'null',
    local: ([n = null]) => (typeof n === 'bigint' ? long(n < 0n ? -n : n) : Math.abs(Number(n))),
    examples: [{ text: 'abs("-3")', gives: 3 }],
  },
  {
    name: 'ceil',
    parameters: ['n', 'digits'],
    group: 'numbers',
    syntax: 'ceil(n[, digits])',
    summary: {
      en: 'The smallest number with so many digits after the decimal point, 0 by default, that is not below n; the rules are those of floor().',
      ko: 'n보다 작지 않은 가장 작은 수입니다.',
    },
    args: [n, optional(i)],
    result: typeOfArgument,
    nulls: 'null',
    local: ([n = null, digits]) => cut(n, digits, 'ceil'),
    examples: [
      { text: 'ceil(-1.2)', gives: -1 },
      { text: 'ceil(1.61, 1)', gives: 1.7 },
      { text: 'ceil(531, -1)', gives: 540 },
    ],
  },
  {
    name: 'floor',
    parameters: ['n', 'digits'],
    group: 'numbers',
    syntax: 'floor(n[, digits])',
    summary: {
      en: 'The largest number with so many digits after the decimal point, 0 by default, that is not above n, with the type of n. Negative digits cut before the point; digits outside of -18 to 18 give null. Longs are exact. A double `n * 10^digits` that differs from a whole number by less than 1e-9 of its size counts as that number where digits is written.',
      ko: 'n보다 크지 않은 가장 큰 수입니다.',
    },
    args: [n, optional(i)],
    result: typeOfArgument,
    nulls: 'null',
    local: ([n = null, digits]) => cut(n, digits, 'floor'),
    examples: [
      { text: 'floor(-1.2)', gives: -2 },
      { text: 'floor(1.61, 1)', gives: 1.6 },
      { text: 'floor(531, -1)', gives: 530 },
      { text: 'floor(4.35, 2)', gives: 4.35 },
      { text: 'floor(-531, -1)', gives: -540 },
      { text: 'floor(-9223372036854775807, -1)', gives: null },
    ],
  },
  {
    name: 'round',
    parameters: ['n', 'digits'],
    group: 'numbers',
    syntax: 'round(n[, digits])',
    summary: {
      en: 'n rounded to digits after the decimal point, halves away from zero, with the type of n; negative digits round before the point, digits outside of -18 to 18 give null.',
      ko: '반올림합니다.',
    },
    args: [n, optional(i)],
    result: typeOfArgument,
    nulls: 'null',
    local: ([n = null, digits]) => cut(n, digits, 'round'),
    examples: [
      { text: 'round(-2.5)', gives: -3 },
      { text: 'round(1250, -2)', gives: 1300 },
      { text: 'round(9223372036854775807, -3)', gives: null },
      { text: 'round(1.5, 19)', gives: null },
    ],
  },
  {
    name: 'mod',
    group: 'numbers',
    syntax: 'mod(n, n)',
    summary: {
      en: 'The remainder of a division, with the sign of the first number; null for a division by 0.',
      ko: '나머지입니다.',
    },
    args: [n, n],
    result: remainder,
    nulls: 'null',
    local: ([a, b]) => {
      if (Number(b) === 0) return null;
      return typeof a === 'bigint' && typeof b === 'bigint' ? a % b : Number(a) % Number(b);
    },
    examples: [{ text: 'mod(-5, 3)', gives: -2 }],
  },
  {
    name: 'pow',
    group: 'numbers',
    syntax: 'pow(n, n)',
    summary: {
      en: 'The first number to the power of the second; null if undefined or infinite.',
      ko: '거듭제곱입니다.',
    },
    args: [n, n],
    result: 'double',
    nulls: 'null',
    local: ([a, b]) => finite(Number(a) ** Number(b)),
    sql: 'case when isfinite(power({0}, {1})) then power({0}, {1}) end',
    examples: [{ text: 'pow(2, 10)', gives: 1024 }],
  },
  {
    name: 'sqrt',
    group: 'numbers',
    syntax: 'sqrt(n)',
    summary: { en: 'The square root; null below 0.', ko: '제곱근입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.sqrt(Number(n))),
    sql: 'case when {0} >= 0 then sqrt({0}) end',
    examples: [{ text: 'sqrt(-1)', gives: null }],
  },
  {
    name: 'exp',
    group: 'numbers',
    syntax: 'exp(n)',
    summary: { en: 'e to the power of n.', ko: 'e의 거듭제곱입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.exp(Number(n))),
    sql: 'case when {0} < 709.79 and isfinite(exp({0})) then exp({0}) end',
    examples: [{ text: 'exp(0)', gives: 1 }],
  },
  {
    name: 'log',
    group: 'numbers',
    syntax: 'log(n)',
    summary: { en: 'The natural logarithm; null if undefined.', ko: '자연로그입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.log(Number(n))),
    sql: 'case when {0} > 0 then ln({0}) end',
    examples: [{ text: 'log(0)', gives: null }],
  },
  {
    name: 'log10',
    group: 'numbers',
    syntax: 'log10(n)',
    summary: { en: 'The logarithm to base 10; null if undefined.', ko: '상용로그입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.log10(Number(n))),
    sql: 'case when {0} > 0 then log10({0}) end',
    examples: [{ text: 'log10(1000)', gives: 3 }],
  },
  {
    name: 'min',
    group: 'numbers',
    syntax: 'min(x, ...)',
    summary: {
      en: 'The smallest value by the order of values; nulls are ignored. As the outermost call in stats and related commands it is the aggregate.',
      ko: '값의 순서로 가장 작은 값입니다.',
    },
    args: [several(x)],
    result: typeOfAll,
    nulls: 'own',
    reads: 'all',
    weight: JSON_WEIGHT,
    local: (values, { zone }) => extreme(values, 1, zone),
    examples: [{ text: 'min("a", 2)', gives: 2 }],
  },
  {
    name: 'max',
    group: 'numbers',
    syntax: 'max(x, ...)',
    summary: {
      en: 'The largest value by the order of values; nulls are ignored. As the outermost call in stats and related commands it is the aggregate.',
      ko: '값의 순서로 가장 큰 값입니다.',
    },
    args: [several(x)],
    result: typeOfAll,
    nulls: 'own',
    reads: 'all',
    weight: JSON_WEIGHT,
    local: (values, { zone }) => extreme(values, -1, zone),
    examples: [{ text: 'max(1, null, 3)', gives: 3 }],
  },
  {
    name: 'rand',
    group: 'numbers',
    syntax: 'rand(i)',
    summary: {
      en: 'A random whole number from 0 to i - 1, a new one per row and call; null for i below 1.',
      ko: '0부터 i - 1까지의 임의의 정수입니다.',
    },
    args: [i],
    result: 'long',
    nulls: 'null',
    volatile: true,
    local: ([count]) => (Number(count) < 1 ? null : BigInt(Math.floor(Math.random() * Number(count)))),
    examples: [{ text: 'rand(1)', gives: 0 }],
  },
  {
    name: 'seq',
    group: 'numbers',
    syntax: 'seq()',
    summary: {
      en: 'The number of the row: 1, 2, 3, ... in the order of rows. Two calls in one row give the same number.',
      ko: '행의 번호입니다.',
    },
    args: [],
    result: 'long',
    nulls: 'own',
    volatile: true,
    ordered: true,
    local: (_, run) => run.nextRow(),
    examples: [{ text: 'seq()', gives: 1 }],
  },
  {
    name: 'sin',
    group: 'numbers',
    syntax: 'sin(n)',
    summary: { en: 'Sine of an angle in radians.', ko: '사인입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.sin(Number(n))),
    sql: 'vigil_finite(sin({0}))',
    examples: [{ text: 'sin(0)', gives: 0 }],
  },
  {
    name: 'cos',
    group: 'numbers',
    syntax: 'cos(n)',
    summary: { en: 'Cosine of an angle in radians.', ko: '코사인입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.cos(Number(n))),
    sql: 'vigil_finite(cos({0}))',
    examples: [{ text: 'cos(0)', gives: 1 }],
  },
  {
    name: 'tan',
    group: 'numbers',
    syntax: 'tan(n)',
    summary: { en: 'Tangent of an angle in radians.', ko: '탄젠트입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.tan(Number(n))),
    sql: 'vigil_finite(tan({0}))',
    examples: [{ text: 'tan(0)', gives: 0 }],
  },
  {
    name: 'asin',
    group: 'numbers',
    syntax: 'asin(n)',
    summary: { en: 'Arc sine in radians; null if undefined.', ko: '아크사인입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.asin(Number(n))),
    sql: 'case when {0} between -1 and 1 then asin({0}) end',
    examples: [{ text: 'asin(2)', gives: null }],
  },
  {
    name: 'acos',
    group: 'numbers',
    syntax: 'acos(n)',
    summary: { en: 'Arc cosine in radians; null if undefined.', ko: '아크코사인입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.acos(Number(n))),
    sql: 'case when {0} between -1 and 1 then acos({0}) end',
    examples: [{ text: 'acos(1)', gives: 0 }],
  },
  {
    name: 'atan',
    group: 'numbers',
    syntax: 'atan(n)',
    summary: { en: 'Arc tangent in radians.', ko: '아크탄젠트입니다.' },
    args: [n],
    result: 'double',
    nulls: 'null',
    local: ([n]) => finite(Math.atan(Number(n))),
    sql: 'atan({0})',
    examples: [{ text: 'atan(0)', gives: 0 }],
  },
];

/** Without digits a double is cut without tolerance. */
function cut(n: Value, digits: Value | undefined, direction: Direction): Value {
  if (typeof n !== 'bigint' && typeof n !== 'number') return null;
  if (digits === undefined) return typeof n === 'bigint' ? n : finite(CUT[direction](n));
  return cutNumber(n, Number(digits), direction);
}

const CUT: Readonly<Record<Direction, (value: number) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  round: awayFromZero,
};

function typeOfArgument([arg]: readonly Expression[]): ColumnType {
  return arg && isNumeric(arg.type) ? arg.type : 'any';
}

function remainder(args: readonly Expression[]): ColumnType {
  if (args.some(({ type }) => type === 'double')) return 'double';
  return args.every(({ type }) => type === 'long') ? 'long' : 'any';
}

function typeOfAll(args: readonly Expression[]): ColumnType {
  return args.reduce<ColumnType>((type, arg) => unified(type, arg.type), 'null');
}
