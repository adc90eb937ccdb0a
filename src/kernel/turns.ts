// Turns of the event loop, one piece of work in each: whatever else waits gets in between, however many have long work.

let last: Promise<unknown> = Promise.resolve();

/** A piece of work. */
const TURN_MS = 4;

/** Work that may pause between its steps, done in as many turns as it takes. */
export async function inTurns<T>(work: Iterator<unknown, T>): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - begun < TURN_MS) continue;
    await turn();
    begun = performance.now();
  }
}

/** Resolves when it is the caller's turn. A piece of work should take no more than a few milliseconds. */
export function turn(): Promise<void> {
  const mine = last.then(() => new Promise<void>((resolve) => void setImmediate(resolve)));
  last = mine;
  return mine;
}
