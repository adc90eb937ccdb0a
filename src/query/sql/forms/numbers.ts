// SQL of number functions (9.4). If a number may be long or double per row, a macro on its JSON decides.

import type { Call } from '#query/model/expression.ts';
import { asType, toAny, toDouble, toNumber, toWhole } from '#query/sql/conversion.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import type { Sql } from '#query/sql/scope.ts';
import { sql } from '#query/sql/writer.ts';
import { wholeOf } from '#query/values/conversions.ts';
import { type Direction, MAX_DIGITS } from '#query/values/rounding.ts';
import { argumentAt, compiled, constantAt } from './arguments.ts';
import type { Forms } from './form.ts';

const numberAt = (call: Call, index: number, compiler: ExpressionCompiler) =>
  toNumber(argumentAt(call, index, compiler), compiler);

/** A template for longs, one for doubles, and a macro for numbers of unknown type. */
function byType(
  call: Call,
  compiler: ExpressionCompiler,
  long: (x: string) => string,
  double: (x: string) => string,
  macro: string,
): Sql {
  const value = numberAt(call, 0, compiler);
  if (value.type === 'null') return value;
  if (value.type === 'long') return sql(long(value.text), 'long');
  return value.type === 'double' ? sql(double(value.text), 'double') : sql(compiler.macro(macro, [value]), 'any');
}

export const numbers: Forms = {
  abs: (call, compiler) =>
    byType(
      call,
      compiler,
      (x) => compiler.tried([sql(x, 'long')], (y) => `abs(${y})`),
      (x) => `abs(${x})`,
      'abs',
    ),
  ceil: (call, compiler) => cut(call, compiler, 'ceil'),
  floor: (call, compiler) => cut(call, compiler, 'floor'),
  round: (call, compiler) => cut(call, compiler, 'round'),

  mod(call, compiler) {
    const a = numberAt(call, 0, compiler);
    const b = numberAt(call, 1, compiler);
    if (a.type === 'null' || b.type === 'null') return compiler.bind(null);
    if (a.type === 'long' && b.type === 'long') return sql(compiler.macro('long_mod', [a, b]), 'long');
    if (a.type === 'double' || b.type === 'double') {
      return sql(compiler.macro('double_mod', [toDouble(a, compiler), toDouble(b, compiler)]), 'double');
    }
    return sql(compiler.macro('mod', [toAny(a, compiler), toAny(b, compiler)]), 'any');
  },

  min: (call, compiler) => extreme(call, compiler, 'least'),
  max: (call, compiler) => extreme(call, compiler, 'greatest'),

  rand(call, compiler) {
    const count = toWhole(argumentAt(call, 0, compiler), compiler);
    return sql(
      compiler.once([count], (n) => `case when ${n} >= 1 then vigil_trunc_long(random() * ${n}) end`),
      'long',
    );
  },

  seq(_call, { scope }) {
    const sequence = scope.sequence?.();
    if (!sequence) throw new Error('seq() needs a column that counts the rows');
    return sequence;
  },
};

/** The local evaluator cuts to digits that differ from row to row. */
function cut(call: Call, compiler: ExpressionCompiler, direction: Direction): Sql | undefined {
  const whole = (x: string) => x;
  if (call.args.length === 1) return byType(call, compiler, whole, (x) => `${direction}(${x})`, direction);
  const digits = digitsAt(call, compiler);
  if (digits === null) return asType(compiler.bind(null), call.type, compiler);
  if (digits === undefined) return undefined;
  const power = compiler.bind(Number(`1e${Math.abs(digits)}`)).text;
  const [scale, back] = digits < 0 ? ['/', '*'] : ['*', '/'];
  const unit = digits < 0 ? compiler.bind(10n ** BigInt(-digits)).text : undefined;
  const long = (x: string) => (unit ? `try(vigil_long_${direction}(${x}, ${unit}))` : x);
  const double = (x: string) => `vigil_finite(vigil_double_${direction}(${x} ${scale} ${power}) ${back} ${power})`;
  const value = numberAt(call, 0, compiler);
  if (value.type === 'null') return value;
  return sql(
    compiler.once([value], (x = '') => {
      if (value.type === 'long') return long(x);
      if (value.type === 'double') return double(x);
      const asLong = unit ? `to_json(${long(`vigil_any_long(${x})`)})` : x;
      return `case when vigil_is_long(${x}) then ${asLong} else to_json(${double(`try_cast(${x}::varchar as double)`)}) end`;
    }),
    value.type,
  );
}

/** Null where the result is null for every number; undefined for digits that are no constant. */
function digitsAt(call: Call, compiler: ExpressionCompiler): number | null | undefined {
  const value = constantAt(call, 1, compiler);
  const digits = value === undefined ? undefined : wholeOf(value);
  if (digits === undefined || digits === null) return digits;
  return Math.abs(Number(digits)) > MAX_DIGITS ? null : Number(digits);
}

/** The local evaluator compares values of several types. */
function extreme(call: Call, compiler: ExpressionCompiler, name: 'least' | 'greatest'): Sql | undefined {
  const values = compiled(call, compiler).filter(({ type }) => type !== 'null');
  const [first] = values;
  if (!first) return compiler.bind(null);
  if (values.length === 1) return first;
  const isAlike = values.every(({ type }) => type === first.type);
  const isPlainType = !['any', 'list', 'map'].includes(first.type);
  return isAlike && isPlainType ? sql(`${name}(${values.map(({ text }) => text).join(', ')})`, first.type) : undefined;
}
