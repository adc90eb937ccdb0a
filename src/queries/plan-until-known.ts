// Planning cannot wait for what a text refers to. So it works with what is known, whatever else it asks for is looked up
// afterwards, and the text is planned again, until nothing new is asked. A long text takes some hundredths of a second each
// time, so each has a turn of its own.

import { turn } from '#kernel/turns.ts';

export interface MissingLoader {
  /** Looks up what was asked since it was last called; false when nothing was. */
  loadMissing(): Promise<boolean>;
}

/** What `work` gives or throws once all that it asks for is known. The learners are those that `work` has come by. */
export async function planUntilKnown<T>(work: () => T, learners: () => Iterable<MissingLoader>): Promise<T> {
  for (;;) {
    await turn();
    const made = attempt(work);
    let isNew = false;
    for (const learner of learners()) isNew = (await learner.loadMissing()) || isNew;
    if (!isNew) return made();
  }
}

/** What it gives or throws, to be had later. */
function attempt<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
