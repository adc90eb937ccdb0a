// SQL of date functions (9.5). Wall-clock arithmetic uses timestamps without zone; the macro vigil_instant turns the
// result into an instant.

import { spanOffset, timeSpanOf } from '#query/model/durations.ts';
import type { Call } from '#query/model/expression.ts';
import { asType, toDate, toWhole } from '#query/sql/conversion.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import { sql } from '#query/sql/writer.ts';
import { argumentAt, wordAt } from './arguments.ts';
import { bucketStart } from './buckets.ts';
import type { Forms } from './form.ts';
import { FIXED_UNITS, moved, wallTime } from './moved-dates.ts';

const dateAt = (call: Call, index: number, compiler: ExpressionCompiler) =>
  toDate(argumentAt(call, index, compiler), compiler);

export const dates: Forms = {
  dateadd(call, compiler) {
    const unit = wordAt(call, 1, compiler);
    if (unit === null) return asType(compiler.bind(null), 'date', compiler);
    return moved(dateAt(call, 0, compiler), toWhole(argumentAt(call, 2, compiler), compiler), unit, compiler);
  },

  datediff(call, compiler) {
    const unit = wordAt(call, 2, compiler);
    const fixed = FIXED_UNITS[unit ?? ''];
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
