// How large values are, in characters and elements. A list may hold the same list many times over, and lists of lists of
// them: written out, sixty lines of a query are more than there is memory in the world. Each is counted once.

import type { RunFacts } from '#query/functions/function.ts';
import type { Value } from '#query/values.ts';
import { maxElements, RunFailure, VALUE_MOST, ValueTooLarge } from './failures.ts';

/** An element is as dear as so many characters. */
export const ELEMENT = 4;

const sizes = new WeakMap<object, number>();

/** Without what its elements hold. */
export function lengthOf(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length + 1;
  if (Array.isArray(value)) return value.length * ELEMENT + 1;
  return value instanceof Map ? value.size * ELEMENT + 1 : 1;
}

export function sizeOf(value: Value): number {
  if (typeof value !== 'object' || value === null) return lengthOf(value);
  if (value instanceof Temporal.Instant || value instanceof Uint8Array) return lengthOf(value);
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = lengthOf(value);
  for (const inner of value.values()) size += sizeOf(inner);
  sizes.set(value, size);
  return size;
}

/** The value of a call, which others may double again and again. */
export function bounded(value: Value): Value {
  const isLarge = typeof value === 'string' ? value.length > VALUE_MOST : sizeOf(value) > VALUE_MOST;
  if (isLarge) throw new ValueTooLarge();
  return value;
}

/** Counts what is put together, before it is. */
export class Gauge {
  #size = 0;

  add(value: Value): void {
    this.#size += sizeOf(value);
    if (this.#size > VALUE_MOST) throw new ValueTooLarge();
  }
}

/** Elements that a call makes, multiplied by the positions around it; throws where those are too many for one row. */
export function checkElements(count: number, positions = 1, run: Pick<RunFacts, 'listElements'>): number {
  const all = count * positions;
  const most = maxElements(run);
  if (all > most) throw new RunFailure(93010, most);
  return all;
}
