// Dates moved by units of the calendar, on the clock on the wall.

import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import { EARLIEST_WALL, LATEST_WALL } from '#query/sql/macros.ts';
import type { Sql } from '#query/sql/scope.ts';
import { sql } from '#query/sql/writer.ts';

/** Milliseconds of units that are the same on every day. */
export const FIXED_UNITS: Readonly<Record<string, number>> = { hour: 3_600_000, min: 60_000, sec: 1000, msec: 1 };
/** Months or days of one unit. */
const MONTHS: Readonly<Record<string, number>> = { mon: 1, year: 12 };
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };
/** Beyond this no date stays within the years of dates. */
const MAX_COUNT = 4_000_000;

/** A date some units later. */
export function moved(date: Sql, count: Sql, unit: string, compiler: ExpressionCompiler): Sql {
  const fixed = FIXED_UNITS[unit];
  const text = compiler.once([date, count], (t = '', n = '') => {
    if (fixed !== undefined) return `vigil_date(epoch_ms(${t})::double + ${n}::double * ${fixed})`;
    const [maker, size] = unit in MONTHS ? ['to_months', MONTHS[unit]] : ['to_days', DAYS[unit]];
    const wall = sql(`try(${wallTime(t, compiler)} + ${maker}((${n} * ${size})::integer))`, 'date');
    const there = compiler.once(
      [wall],
      (w = '') =>
        `case when ${w} between ${EARLIEST_WALL} and ${LATEST_WALL} then ${instantOf(`epoch_us(${w})`, compiler.scope.run.zone, compiler)} end`,
    );
    return `case when ${n} = 0 then ${t} when ${n} between -${MAX_COUNT} and ${MAX_COUNT} then ${there} end`;
  });
  return sql(text, 'date');
}

/** Wall-clock time of an instant; `t` is plain. */
export const wallTime = (t: string, compiler: ExpressionCompiler): string =>
  `make_timestamp(${compiler.once([sql(`epoch_us(${t})`, 'long')], (us = '') => `${us} + ${compiler.zoneTable.offset(us)}`)})`;

/** The instant of a wall-clock time in microseconds. */
export const instantOf = (wall: string, zone: string, compiler: ExpressionCompiler): string =>
  compiler.once([sql(wall, 'long')], (us = '') => {
    const instant = sql(`(${us} - ${compiler.zoneNamed(zone).wallOffset(us)}) // 1000`, 'long');
    return compiler.macro('date', [instant]);
  });
