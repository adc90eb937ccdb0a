// How long statements may keep the main thread with what they call the host for: 2,048 rows come at once, and others that wait
// come right behind them. A run that has another way to go is told to take it; one that has none goes on.

import { HEAVY } from '#query/evaluate/failures.ts';
import type { RunFacts } from '#query/functions/function.ts';
import { tokenOf } from './tokens.ts';

/** Of one turn of the event loop. */
const MOST_MS = 10;

export class Patience {
  isShort = false;
}

const known = new WeakMap<RunFacts, Patience>();

export function patienceOf(run: RunFacts): Patience {
  const patience = known.get(run) ?? new Patience();
  known.set(run, patience);
  return patience;
}

/** For a statement of this run to call the host with. */
export const patienceToken = (run: RunFacts): string => tokenOf(patienceOf(run), run);

let begun: number | undefined;

/** When the host was first called in this turn, in milliseconds of the thread's processor time. */
function turnBegun(): number {
  if (begun === undefined) {
    begun = busyMilliseconds();
    setImmediate(() => {
      begun = undefined;
    });
  }
  return begun;
}

/** Not by the clock: on a busy machine others take what is missing of it. */
function busyMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** To be asked between two rows of a call; throws when it takes too long. */
export function watched(patience: Patience | undefined): () => void {
  const first = turnBegun();
  let asked = performance.now();
  return () => {
    if (!patience?.isShort || performance.now() - asked < 1) return;
    asked = performance.now();
    if (busyMilliseconds() - first > MOST_MS) throw new Error(HEAVY);
  };
}
