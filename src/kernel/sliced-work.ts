// Work in slices of a few milliseconds at most: a generator that yields after each slice, so that its driver can let
// other work run in between.

/** Returns the result. */
export type SlicedWork<T> = Generator<undefined, T>;

/** Runs all slices at once, for work that is known to be short. */
export function runToEnd<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
