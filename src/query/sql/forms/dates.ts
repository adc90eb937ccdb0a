// SQL of date functions (9.5). Wall-clock arithmetic uses timestamps without zone; the macro vigil_instant turns the
// result into an instant.

import { spanOffset, timeSpanOf } from '#query/model/durations.ts';
import type { Call } from '#query/model/expression.ts';
import type { Compiler } from '#query/sql/compiler.ts';
import { asType, toDate, toWhole } from '#query/sql/conversion.ts';
import type { Sql } from '#query/sql/scope.ts';
import { sql } from '#query/sql/writer.ts';
import { argumentAt, wordAt } from './arguments.ts';
import { bucketStart } from './buckets.ts';
import type { Forms } from './index.ts';

const dateAt = (call: Call, index: number, compiler: Compiler) => toDate(argumentAt(call, index, compiler), compiler);

const FIXED: Readonly<Record<string, number>> = { hour: 3_600_000, min: 60_000, sec: 1000, msec: 1 };
/** Units in months, and units in days. */
const MONTHS: Readonly<Record<string, number>> = { mon: 1, year: 12 };
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };
/** A larger count leaves the years of dates. */
const MAX_COUNT = 4_000_000;

export const dates: Forms = {
  dateadd(call, compiler) {
    const unit = wordAt(call, 1, compiler);
    if (unit === null) return asType(compiler.bind(null), 'date', compiler);
    return moved(dateAt(call, 0, compiler), toWhole(argumentAt(call, 2, compiler), compiler), unit, compiler);
  },

  datediff(call, compiler) {
    const unit = wordAt(call, 2, compiler);
    const fixed = FIXED[unit ?? ''];
    if (fixed === undefined) return undefined;
    const text = compiler.once(
      [dateAt(call, 0, compiler), dateAt(call, 1, compiler)],
      (a, b) => `((epoch_ms(${b}) - epoch_ms(${a})) // ${fixed})`,
    );
    return sql(text, 'long');
  },

  datetrunc(call, compiler) {
    const span = timeSpanOf(wordAt(call, 1, compiler) ?? '');
    const offset = call.args.length > 2 ? spanOffset(wordAt(call, 2, compiler) ?? '') : undefined;
    if (!span || (call.args.length > 2 && !offset)) return asType(compiler.bind(null), 'date', compiler);
    return bucketStart(dateAt(call, 0, compiler), span, offset, compiler);
  },

  datepart(call, compiler) {
    const part = wordAt(call, 1, compiler);
    const write = PARTS[part ?? ''];
    if (!write) return asType(compiler.bind(null), 'long', compiler);
    return sql(
      compiler.once([dateAt(call, 0, compiler)], (t = '') => write(wallTime(t, compiler), t)),
      'long',
    );
  },
};

const part = (name: string) => (wall: string) => `date_part('${name}', ${wall})`;

const PARTS: Readonly<Record<string, (wall: string, instant: string) => string>> = {
  year: part('year'),
  quarter: part('quarter'),
  mon: part('month'),
  day: part('day'),
  hour: part('hour'),
  min: part('minute'),
  sec: part('second'),
  msec: (wall) => `(date_part('millisecond', ${wall}) % 1000)`,
  dow: part('dow'),
  isodow: part('isodow'),
  doy: part('doy'),
  week: part('week'),
  epoch: (_, instant) => `floor(epoch_ms(${instant}) / 1000)::bigint`,
};

/** The date `count` units later. */
export function moved(date: Sql, count: Sql, unit: string, compiler: Compiler): Sql {
  const fixed = FIXED[unit];
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

/** Wall-clock times outside of these are no date in any zone. */
const EARLIEST_WALL = "timestamp '0000-12-31'";
const LATEST_WALL = "timestamp '10000-01-01'";

/** Wall-clock time of an instant; `t` is plain. */
const wallTime = (t: string, compiler: Compiler): string =>
  `make_timestamp(${compiler.once([sql(`epoch_us(${t})`, 'long')], (us = '') => `${us} + ${compiler.zoneTable.offset(us)}`)})`;

/** The instant of a wall-clock time in microseconds. */
export const instantOf = (wall: string, zone: string, compiler: Compiler): string =>
  compiler.once([sql(wall, 'long')], (us = '') => {
    const instant = sql(`(${us} - ${compiler.zoneNamed(zone).wallOffset(us)}) // 1000`, 'long');
    return compiler.macro('date', [instant]);
  });
