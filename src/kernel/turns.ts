// Turns of the event loop, one piece of work in each: whatever else waits gets in between, however many have long work.

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
export const turn = turns();

let arrivals = 0;
let isPreempted = false;

/** Somebody has come in at the door. The event loop lets in one at a time, each in a turn, so work waits for the last. */
export function arrived(): void {
  arrivals += 1;
  if (isPreempted) return;
  isPreempted = true;
  void quiet().then(() => {
    isPreempted = false;
  });
}

const afterCrowd = turns();

/** Undefined as long as nobody is coming in; otherwise resolves when it is the caller's turn of those who have. */
export const letIn = (): Promise<void> | undefined => (isPreempted ? afterCrowd() : undefined);

/** However many come: work goes on after so many, so that nobody stops it by knocking at the door. */
const MAX_ARRIVALS = 32;

async function quiet(): Promise<void> {
  const most = arrivals + MAX_ARRIVALS;
  let before: number;
  do {
    before = arrivals;
    await new Promise(setImmediate);
  } while (arrivals !== before && arrivals < most);
}

/** One after the other, each when the door is quiet. */
function turns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(quiet);
    return last;
  };
}
