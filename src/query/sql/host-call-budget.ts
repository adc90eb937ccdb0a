// How long statements may keep the main thread with what they call the host for: 2,048 rows come at once, and others that wait
// come right behind them. A run that has another way to go is told to take it; one that has none goes on.

import type { RunFacts } from '#query/model/run-facts.ts';
import { HEAVY } from '#query/values/failures.ts';
import { tokenOf } from './tokens.ts';

/** Of one turn of the event loop. */
const MAX_MS = 10;

export class HostCallBudget {
  isShort = false;
}

const known = new WeakMap<RunFacts, HostCallBudget>();

export function hostCallBudgetOf(run: RunFacts): HostCallBudget {
  const budget = known.get(run) ?? new HostCallBudget();
  known.set(run, budget);
  return budget;
}

/** For a statement of this run to call the host with. */
export const hostCallBudgetToken = (run: RunFacts): string => tokenOf(hostCallBudgetOf(run), run);

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

/** To be asked before a row of a call, with what it gives to read; throws when that takes too long, or would. */
export function watched(budget: HostCallBudget | undefined): (text: string) => void {
  const first = turnBegun();
  let asked = performance.now();
  return (text) => {
    if (!budget?.isShort) return;
    const ahead = text.length < LONG ? 0 : readingMilliseconds(text);
    if (ahead === 0 && performance.now() - asked < 1) return;
    asked = performance.now();
    if (busyMilliseconds() - first + ahead > MAX_MS) throw new Error(HEAVY);
  };
}

/** A shorter text is read in no time. */
const LONG = 8 * 1024;
/** What is read of a text in a millisecond: letters, and elements of lists and members of maps, which have commas between. */
const LETTERS_PER_MS = 200_000;
const ELEMENTS_PER_MS = 2_500;

/** As long as it takes to read a text and to write something like it; no more than matters. */
function readingMilliseconds(text: string): number {
  let commas = 0;
  for (let at = text.indexOf(','); at !== -1 && commas < ELEMENTS_PER_MS * MAX_MS; at = text.indexOf(',', at + 1))
    commas += 1;
  return text.length / LETTERS_PER_MS + commas / ELEMENTS_PER_MS;
}
