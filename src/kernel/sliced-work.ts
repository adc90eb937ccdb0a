// Work in slices of a few milliseconds at most: a generator that yields after each slice, so that its driver can let
// other work run in between.

/** Returns the result. */
export type SlicedWork<T> = Generator<undefined, T>;

/** A result that is there at once, or work that makes it. */
export type MaybeSliced<T> = T | SlicedWork<T>;

/** Items of which some thousandths of a millisecond each make a slice that is worth a look at the clock. */
const SLICE_ITEMS = 64;

/** Runs all slices at once, for work that is known to be short. */
export function runToEnd<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** As `Array.map`, a slice for some items each. */
export function* mapSliced<T, R>(items: Iterable<T>, make: (item: T) => R): SlicedWork<R[]> {
  const made: R[] = [];
  for (const item of items) {
    made.push(make(item));
    if (made.length % SLICE_ITEMS === 0) yield;
  }
  return made;
}

/** `await` for work in slices. */
export function* ended<T>(made: MaybeSliced<T>): SlicedWork<T> {
  return isSliced(made) ? yield* made : made;
}

const isSliced = <T>(made: MaybeSliced<T>): made is SlicedWork<T> =>
  typeof made === 'object' && made !== null && 'next' in made && typeof made.next === 'function';

/** Counts steps that are too short to end a slice each. */
export class SliceSteps {
  #taken = 0;

  /** Whether a slice has become long enough to end with this step. */
  isEnd(): boolean {
    this.#taken += 1;
    return this.#taken % SLICE_ITEMS === 0;
  }
}
