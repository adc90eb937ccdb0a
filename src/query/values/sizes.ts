// How large values are, in characters and elements. A list may hold the same list many times over, and lists of lists of
// them: written out, sixty lines of a query are more than there is memory in the world. Each is counted once.

import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { MAX_VALUE, maxElements, StepsExceeded, ValueTooLarge } from './failures.ts';

/** An element is as dear as so many characters. */
export const ELEMENT = 4;

const sizes = new WeakMap<object, number>();
/** What is smaller is counted again: most lists are, and to remember one takes longer. */
const MIN_REMEMBERED = 64;

/** To write a date takes as long as to write a line. */
const DATE = 12;

/** Without what its elements hold. */
export function lengthOf(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length + 1;
  if (Array.isArray(value)) return value.length * ELEMENT + 1;
  if (value instanceof Map) return value.size * ELEMENT + 1;
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

/** The value of a call, which others may double again and again. */
export function bounded(value: Value): Value {
  const isLarge = typeof value === 'string' ? value.length > MAX_VALUE : sizeOf(value) > MAX_VALUE;
  if (isLarge) throw new ValueTooLarge();
  return value;
}

/** Counts what is put together, before it is. Where it is lists, in a run, those may have too many elements together. */
export class Gauge {
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

/** Elements that a call makes, multiplied by the positions around it; throws where those are too many for one row. */
export function checkElements(count: number, positions = 1, run: Pick<RunFacts, 'listElements'>): number {
  const all = count * positions;
  const most = maxElements(run);
  if (all > most) throw new StepsExceeded(most);
  return all;
}
