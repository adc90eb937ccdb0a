// Limits the time that local calls of statements occupy the main thread: DuckDB sends 2,048 rows per call, and calls of
// other statements follow directly. A run that can be repeated another way fails when the budget is exceeded; any other
// run goes on.

import type { RunFacts } from '#query/model/run-facts.ts';
import { LOCAL_BUDGET_EXCEEDED } from '#query/values/failures.ts';
import { tokenOf } from './tokens.ts';

/** Limit per iteration of the event loop. */
const MAX_MS = 10;

export class LocalCallBudget {
  isShort = false;
}

const known = new WeakMap<RunFacts, LocalCallBudget>();

export function localCallBudgetOf(run: RunFacts): LocalCallBudget {
  const budget = known.get(run) ?? new LocalCallBudget();
  known.set(run, budget);
  return budget;
}

/** The token with which a statement of this run calls the local evaluator. */
export const localCallBudgetToken = (run: RunFacts): string => tokenOf(localCallBudgetOf(run), run);

let startedAt: number | undefined;

/** CPU time of the thread at the first local call of this iteration of the event loop, in milliseconds. */
function iterationStart(): number {
  if (startedAt === undefined) {
    startedAt = busyMilliseconds();
    setImmediate(() => {
      startedAt = undefined;
    });
  }
  return startedAt;
}

/** CPU time instead of wall-clock time, because on a busy machine other processes take part of the latter. */
function busyMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns a check to call before each row with the text of its arguments; it throws if the budget is exceeded, or would
 * be by this text.
 */
export function budgetCheck(budget: LocalCallBudget | undefined): (text: string) => void {
  const first = iterationStart();
  let asked = performance.now();
  return (text) => {
    if (!budget?.isShort) return;
    const ahead = text.length < LONG_TEXT ? 0 : readingMilliseconds(text);
    if (ahead === 0 && performance.now() - asked < 1) return;
    asked = performance.now();
    if (busyMilliseconds() - first + ahead > MAX_MS) throw new Error(LOCAL_BUDGET_EXCEEDED);
  };
}

/** Reading a shorter text takes no measurable time. */
const LONG_TEXT = 8 * 1024;
/** Characters, and elements of lists and members of maps, that are read per millisecond; commas separate the latter. */
const LETTERS_PER_MS = 200_000;
const ELEMENTS_PER_MS = 2_500;

/** Estimated time to read a text and to write one of similar size; counting stops at the limit. */
function readingMilliseconds(text: string): number {
  let commas = 0;
  for (let at = text.indexOf(','); at !== -1 && commas < ELEMENTS_PER_MS * MAX_MS; at = text.indexOf(',', at + 1))
    commas += 1;
  return text.length / LETTERS_PER_MS + commas / ELEMENTS_PER_MS;
}
