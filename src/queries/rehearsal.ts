// V8 runs code slowly until it has seen it a hundred times, so the first queries of a service would take twice as long as later
// ones. Once somebody uses the service, it runs small queries of its own while there are no others.

import { type Caller, NO_ACCOUNT, onBehalfOf } from '#access/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import type { LiveQueries } from './live-queries.ts';
import type { QueryRequest } from './live-query.ts';

/** What people ask every day, over rows of the text itself: no table is read. */
export const TEXTS: readonly string[] = [
  'search a == 1 | stats count by b',
  'search a > 0 and contains(b, "x") | fields a, b | limit 10',
  'eval c = a * 2 + len(b) | stats count, avg(c), max(a) by b | sort b',
  'eval _time = now() | timechart span=1m count by b',
  'top 5 b',
  'sort -a | dedup b | stats count',
].map((commands) => `json "{a: 1, b: 'x'}" | repeat count=20 | ${commands}`);

const ROUNDS = 20;
const LOOK = Temporal.Duration.from({ seconds: 1 });
/** Between two queries, so that at most half of a processor is taken. */
const PAUSE = Temporal.Duration.from({ milliseconds: 10 });
/** After so many looks at a busy service its own queries have had the effect. */
const MAX_BUSY_LOOKS = 60;

interface RehearsalDeps {
  readonly queries: Pick<LiveQueries, 'practise' | 'running' | 'waiting'>;
  readonly accounts: { readonly isUsed: boolean };
  readonly clock: Clock;
}

/** Until all texts have run often enough, or the signal is aborted. */
export async function rehearse({ queries, accounts, clock }: RehearsalDeps, until: AbortSignal): Promise<void> {
  // A service that nobody uses does not need the memory.
  while (!accounts.isUsed && !until.aborted) await clock.sleep(LOOK, until);
  let busyLooks = 0;
  for (const text of Array.from({ length: ROUNDS }, () => TEXTS).flat()) {
    while (queries.running + queries.waiting > 0 && busyLooks < MAX_BUSY_LOOKS && !until.aborted) {
      busyLooks += 1;
      await clock.sleep(LOOK, until);
    }
    if (until.aborted || busyLooks === MAX_BUSY_LOOKS) return;
    await queries.practise(text);
    await clock.sleep(PAUSE, until);
  }
}

/** Nothing is granted to it. */
const NOBODY: Caller = { ...onBehalfOf(NO_ACCOUNT), role: NO_ACCOUNT.role };

export const practiceOf = (text: string): QueryRequest => ({
  caller: NOBODY,
  source: 'system',
  remoteIp: '',
  text,
  background: true,
  keepsRows: false,
});
