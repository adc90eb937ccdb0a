// Work in slices: it stops after every one, and whoever drives it lets others in when it is time. A slice takes a few
// milliseconds at most.

/** Ends with a result. */
export type Slices<T> = Generator<undefined, T>;

/** All of it at once, where it is known to be short. */
export function finished<T>(work: Slices<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
