// Turns of the event loop, one piece of work in each: whatever else waits gets in between, however many have long work.

let last: Promise<unknown> = Promise.resolve();

/** Resolves when it is the caller's turn. A piece of work should take no more than a few milliseconds. */
export function turn(): Promise<void> {
  const mine = last.then(() => new Promise<void>((resolve) => void setImmediate(resolve)));
  last = mine;
  return mine;
}
