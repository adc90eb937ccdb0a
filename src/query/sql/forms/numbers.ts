// SQL of number functions (9.4). If a number may be long or double per row, a macro on its JSON decides.

import type { Call } from '#query/model/expression.ts';
import type { Compiler } from '#query/sql/compiler.ts';
import { asType, toAny, toDouble, toNumber, toWhole } from '#query/sql/conversion.ts';
import type { Sql } from '#query/sql/scope.ts';
import { sql } from '#query/sql/writer.ts';
import { argumentAt, compiled, constantAt } from './arguments.ts';
import type { Forms } from './index.ts';

const numberAt = (call: Call, index: number, compiler: Compiler) =>
  toNumber(argumentAt(call, index, compiler), compiler);
const doubleAt = (call: Call, index: number, compiler: Compiler) =>
  toDouble(argumentAt(call, index, compiler), compiler);

/** A template for longs, one for doubles, and a macro for numbers of unknown type. */
function byType(
  call: Call,
  compiler: Compiler,
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
  ceil: (call, compiler) =>
    byType(
      call,
      compiler,
      (x) => x,
      (x) => `ceil(${x})`,
      'ceil',
    ),
  floor: (call, compiler) =>
    byType(
      call,
      compiler,
      (x) => x,
      (x) => `floor(${x})`,
      'floor',
    ),

  round(call, compiler) {
    const value = doubleAt(call, 0, compiler).text;
    if (call.args.length === 1) return sql(`round(${value})`, 'double');
    const known = constantAt(call, 1, compiler);
    const digits = known === undefined ? undefined : toDigits(known);
    if (digits === null) return asType(compiler.bind(null), 'double', compiler);
    if (digits === undefined) return undefined;
    const power = Number(`1e${Math.min(Math.abs(digits), 400)}`);
    if (!Number.isFinite(power)) return undefined;
    const by = compiler.bind(power).text;
    return sql(
      `vigil_finite(${digits < 0 ? `round(${value} / ${by}) * ${by}` : `round(${value} * ${by}) / ${by}`})`,
      'double',
    );
  },

  mod(call, compiler) {
    const [a, b] = [numberAt(call, 0, compiler), numberAt(call, 1, compiler)];
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

const toDigits = (value: Parameters<typeof String>[0]): number | null | undefined => {
  if (value === null) return null;
  return typeof value === 'bigint' ? Number(value) : undefined;
};

/** The host compares values of several types. */
function extreme(call: Call, compiler: Compiler, name: 'least' | 'greatest'): Sql | undefined {
  const values = compiled(call, compiler).filter(({ type }) => type !== 'null');
  const [first] = values;
  if (!first) return compiler.bind(null);
  if (values.length === 1) return first;
  const isAlike = values.every(({ type }) => type === first.type);
  const isPlainType = !['any', 'list', 'map'].includes(first.type);
  return isAlike && isPlainType ? sql(`${name}(${values.map(({ text }) => text).join(', ')})`, first.type) : undefined;
}
