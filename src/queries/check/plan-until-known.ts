// Planning cannot load the objects that a text refers to. So a text is planned with the known objects, missing objects are
// loaded afterwards, and planning repeats until nothing is missing. A long text takes some tenths of a second each time, in
// slices between which the event loop runs.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { eventLoop } from '#runtime/event-loop.ts';

export interface MissingLoader {
  /** Loads objects requested since the last call; false without any. */
  loadMissing(): Promise<boolean>;
}

/** Returns or throws the result of `work` once all requested objects are loaded. `learners` are those that `work` has used. */
export async function planUntilKnown<T>(
  work: () => SlicedWork<T>,
  learners: () => Iterable<MissingLoader>,
): Promise<T> {
  for (;;) {
    await eventLoop.nextSlot();
    const made = await eventLoop.runInSlots(attempt(work));
    let isNew = false;
    for (const learner of learners()) isNew = (await learner.loadMissing()) || isNew;
    if (!isNew) return made();
  }
}

/** Defers the result or the error of `work`. */
function* attempt<T>(work: () => SlicedWork<T>): SlicedWork<() => T> {
  try {
    const value = yield* work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
