// V8 runs code slowly until it has seen it a hundred times, so the first queries of a service would take twice as long as later
// ones. Once somebody uses the service, it runs small queries of its own while there are no others.

import { type Caller, NO_ACCOUNT, onBehalfOf } from '#access/caller.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Admissions } from '#queries/limits/admission.ts';
import type { QueryRequest } from '#queries/query-request.ts';
import type { QueryRunDeps } from '#queries/runs/query-run.ts';

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

interface PracticedQueries {
  readonly running: number;
  readonly waiting: number;
  practise(text: string): Promise<void>;
}

interface RehearsalDeps {
  readonly queries: PracticedQueries;
  readonly accounts: { readonly isUsed: boolean };
  readonly clock: Clock;
  failed(error: unknown): void;
}

/** Until all texts have run often enough, or the signal is aborted. A failure ends it: people's queries are as slow as without. */
export async function rehearse({ queries, accounts, clock, failed }: RehearsalDeps, until: AbortSignal): Promise<void> {
  // A service that nobody uses does not need the memory.
  while (!accounts.isUsed && !until.aborted) await clock.sleep(LOOK, until);
  try {
    for (const text of Array.from({ length: ROUNDS }, () => TEXTS).flat()) {
      while (queries.running + queries.waiting > 0 && !until.aborted) await clock.sleep(LOOK, until);
      if (until.aborted) return;
      await queries.practise(text);
      await clock.sleep(PAUSE, until);
    }
  } catch (error) {
    if (!until.aborted) failed(error);
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

const ONE = { perAccount: 1, total: 1 };

/** In place of those of people: it takes none of their places, and is not counted. */
export const practiceDeps = (): Pick<QueryRunDeps, 'admission' | 'ended'> => ({
  admission: new Admissions(ONE, ONE),
  ended() {},
});
