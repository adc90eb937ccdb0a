// Starts of buckets (4.6) as a sequence of steps, each over the value of the previous one: in an expression they become
// lambdas, in a plan columns of nested SELECTs, which are several times as fast.

import { DATE_UNITS, type Duration } from '#query/model/durations.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import type { Sql } from '#query/sql/scope.ts';
import { sql } from '#query/sql/writer.ts';
import { moved } from './moved-dates.ts';

/** SQL of a step over a plain value, which may be repeated. The first step takes a date, the last one gives a date. */
type BucketStep = (value: string) => string;

export function bucketSteps(
  span: Duration,
  offset: Duration | undefined,
  compiler: ExpressionCompiler,
): readonly BucketStep[] {
  const steps = stepsOf(span, compiler);
  if (!offset || offset.count === 0) return steps;
  const move =
    (count: number): BucketStep =>
    (t) =>
      moved({ text: t, type: 'date', isPlain: true }, compiler.bind(BigInt(count)), DATE_UNITS[offset.unit], compiler)
        .text;
  return [move(-offset.count), ...steps, move(offset.count)];
}

/** All steps as one expression. */
export function bucketStart(
  date: Sql,
  span: Duration,
  offset: Duration | undefined,
  compiler: ExpressionCompiler,
): Sql {
  return taken(bucketSteps(span, offset, compiler), date, compiler);
}

const taken = (steps: readonly BucketStep[], date: Sql, compiler: ExpressionCompiler): Sql =>
  steps.reduce(
    (value, step) =>
      sql(
        compiler.once([value], (text = '') => step(text)),
        'date',
      ),
    date,
  );

/** Units of elapsed time: buckets start at multiples of the length, independent of the wall clock. */
const REAL: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
/** Units of the wall clock, with their maximum length. */
const WALL: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const MAX_UNIT_MS: Readonly<Record<string, number>> = { ...WALL, mon: 31 * 86_400_000, y: 366 * 86_400_000 };
const DAY = 86_400_000;
/** Weeks begin on Monday; 1970 began on a Thursday. */
const MONDAY = -259_200_000;

function stepsOf(span: Duration, compiler: ExpressionCompiler): readonly BucketStep[] {
  const { count, unit } = span;
  const real = unit === 'h' && count > 1 ? undefined : REAL[unit];
  const exact = real === undefined ? wallSteps(span, compiler) : realSteps(real * count, compiler);
  const zone = compiler.zoneTable;
  const steady = real === undefined ? zone.steady() : zone.steady(real * count);
  if (!steady) return exact;
  // The start of a wall-clock bucket is before its dates and must not be before the period of one offset.
  const from = steady.from + (real === undefined ? (MAX_UNIT_MS[unit] ?? 0) * count + DAY : 0);
  return [
    (t) => {
      const us = `epoch_us(${t})`;
      const fast =
        real === undefined
          ? wallStart(us, span, steady.offset)
          : `${us} - (${us} + ${steady.offset}000) % ${real * count}000`;
      const slow = taken(exact, { text: t, type: 'date', isPlain: true }, compiler).text;
      return `case when ${us} >= ${from}000 and ${us} < ${steady.until}000 then make_timestamptz(${fast}) else ${slow} end`;
    },
  ];
}

/** In microseconds, for times after 1970 with one offset. */
function wallStart(us: string, { count, unit }: Duration, offset: number): string {
  const length = WALL[unit];
  if (length === undefined) return `${wallBucket(`(${us} + ${offset}000)`, count, unit)} - ${offset}000`;
  const by = length * count;
  const shift = (((offset - originOf(unit)) % by) + by) % by;
  return `${us} - (${us} + ${shift}000) % ${by}000`;
}

const realSteps = (length: number, compiler: ExpressionCompiler): readonly BucketStep[] => [
  (t) => `epoch_us(${t})`,
  (us) => `(${us} - ${modulo(`(${us} + ${compiler.zoneTable.offset(us)})`, length)}) // 1000`,
  (ms) => `vigil_date(${ms})`,
];

const wallSteps = ({ count, unit }: Duration, compiler: ExpressionCompiler): readonly BucketStep[] => [
  (t) => `epoch_us(${t})`,
  (us) => `${us} + ${compiler.zoneTable.offset(us)}`,
  (wall) => wallBucket(wall, count, unit),
  (start) => `(${start} - ${compiler.zoneTable.wallOffset(start)}) // 1000`,
  (ms) => `vigil_date(${ms})`,
];

const originOf = (unit: Duration['unit']): number => (unit === 'w' ? MONDAY : 0);

const TRUNCATED: Readonly<Record<string, string>> = { '1mon': 'month', '3mon': 'quarter', '1y': 'year' };

function wallBucket(wall: string, count: number, unit: Duration['unit']): string {
  const length = WALL[unit];
  if (length !== undefined) return `${wall} - ${modulo(`(${wall} - (${originOf(unit)}000))`, length * count)}`;
  const time = `make_timestamp(${wall})`;
  const part = TRUNCATED[`${count}${unit}`];
  if (part !== undefined) return `epoch_us(date_trunc('${part}', ${time}))`;
  const month = `(date_part('month', ${time}) - 1) // ${count} * ${count} + 1`;
  return `epoch_us(make_timestamp(date_part('year', ${time}), ${month}, 1, 0, 0, 0))`;
}

/** Remainder of microseconds by a length in milliseconds; never negative. */
const modulo = (value: string, by: number): string => `((${value} % ${by}000 + ${by}000) % ${by}000)`;
