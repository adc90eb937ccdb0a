// Sizes of values in characters and elements. A list may contain the same list many times, and so on in depth: sixty
// lines of a query could describe a value larger than any memory. The size of each list is therefore computed once and
// remembered.

import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { MAX_VALUE, maxElements, StepsExceeded, ValueTooLarge } from './failures.ts';

/** An element counts as this many characters. */
export const ELEMENT = 4;

const sizes = new WeakMap<object, number>();
/** Smaller sizes are computed again: most lists are small, and remembering takes longer. */
const MIN_REMEMBERED = 64;

/** Writing a date takes about as long as writing this many characters. */
const DATE = 12;

/** The size of the value without the contents of its elements. */
export function lengthOf(value: Value): number {
  if (typeof value === 'string') return value.length + 1;
  if (Array.isArray(value)) return value.length * ELEMENT + 1;
  if (value instanceof Map) return value.size * ELEMENT + 1;
  if (value instanceof Uint8Array) return value.length + 1;
  return value instanceof Temporal.Instant ? DATE : 1;
}

export function sizeOf(value: Value): number {
  if (typeof value !== 'object' || value === null) return lengthOf(value);
  if (value instanceof Temporal.Instant || value instanceof Uint8Array) return lengthOf(value);
  let size = lengthOf(value);
  if (size === 1) return size;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) for (let at = 0; at < value.length; at += 1) size += sizeOf(value[at]);
  else for (const inner of value.values()) size += sizeOf(inner);
  if (size >= MIN_REMEMBERED) sizes.set(value, size);
  return size;
}

/** Checks the result of a call, because repeated calls could double it again and again. */
export function bounded(value: Value): Value {
  const isLarge = typeof value === 'string' ? value.length > MAX_VALUE : sizeOf(value) > MAX_VALUE;
  if (isLarge) throw new ValueTooLarge();
  return value;
}

/** Adds up the sizes of values before they are combined. Lists of a run may also exceed the limit of elements. */
export class SizeMeter {
  readonly #mostElements: number;
  #size = 0;
  #elements = 0;

  constructor(run?: Pick<RunFacts, 'listElements'>) {
    this.#mostElements = run ? maxElements(run) : Number.POSITIVE_INFINITY;
  }

  add(value: Value): void {
    this.#size += sizeOf(value);
    if (Array.isArray(value)) this.#elements += value.length;
    if (this.#size <= MAX_VALUE) return;
    throw this.#elements > this.#mostElements ? new StepsExceeded(this.#mostElements) : new ValueTooLarge();
  }
}

/** The elements of a call, multiplied by the enclosing positions; throws if one row would make too many. */
export function checkElements(count: number, positions = 1, run: Pick<RunFacts, 'listElements'>): number {
  const all = count * positions;
  const most = maxElements(run);
  if (all > most) throw new StepsExceeded(most);
  return all;
}
