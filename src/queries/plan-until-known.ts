// Planning cannot wait for what a text refers to. So it works with what is known, whatever else it asks for is looked up
// afterwards, and the text is planned again, until nothing new is asked. A long text takes some hundredths of a second each
// time, so each has a turn of its own.

import { eventLoop } from '#kernel/event-loop.ts';

export interface Learner {
  /** Looks up what was asked since it was last called; false when nothing was. */
  learn(): Promise<boolean>;
}

/** What `work` gives or throws once all that it asks for is known. The learners are those that `work` has come by. */
export async function onceKnown<T>(work: () => T, learners: () => Iterable<Learner>): Promise<T> {
  for (;;) {
    await eventLoop.nextSlot();
    const made = attempted(work);
    let isNew = false;
    for (const learner of learners()) isNew = (await learner.learn()) || isNew;
    if (!isNew) return made();
  }
}

/** What it gives or throws, to be had later. */
function attempted<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
