// Arithmetic (4.5): two longs give a long, other numbers a double; a result out of range is null.

import type { Arithmetic } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import { finite, long, numberOf } from './conversions.ts';

type Operation = (left: Value, right: Value) => Value;

const LONGS: Readonly<Record<'+' | '-' | '*', (left: bigint, right: bigint) => bigint>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
};

const DOUBLES: Readonly<Record<Arithmetic['operator'], (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

export function operation(operator: Arithmetic['operator']): Operation {
  const onLongs = operator === '/' ? undefined : LONGS[operator];
  const onDoubles = DOUBLES[operator];
  return (left, right) => {
    const a = numberOf(left);
    const b = numberOf(right);
    if (a === null || b === null) return null;
    if (onLongs && typeof a === 'bigint' && typeof b === 'bigint') return long(onLongs(a, b));
    return finite(onDoubles(Number(a), Number(b)));
  };
}

export function negated(value: Value): Value {
  const number = numberOf(value);
  return typeof number === 'bigint' ? long(-number) : number === null ? null : -number;
}
