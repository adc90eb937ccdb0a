// Verifies the whole trail once after a start, in a thread of the lowest priority, so that the start and the requests
// do not wait for it.

import type { Clock } from '#kernel/time/clock.ts';
import { WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import type { Finding, Reason, Verdict } from './verdict.ts';

/** Leaves the first second to the requests that follow a start. */
const DELAY = Temporal.Duration.from({ seconds: 1 });

/**
 * Entries that a renewal left unproven stay so permanently, and are reported only after every other fault: an alarm at
 * each start would repeat old news. `vigil audit verify` reports them.
 */
const NOT_REPORTED: Reason = 'before-renewal';

/** Data for the thread. */
export interface BackgroundSubject {
  readonly location: string;
  readonly witness: string;
  readonly publicKey: string;
}

interface BackgroundDeps {
  readonly clock: Clock;
  /** Reports a finding in words for the service log. */
  alarm(text: string): void;
  failed(error: unknown): void;
}

interface BackgroundVerification {
  /** Ends the verification, finished or not. */
  close(): Promise<void>;
}

export function verifyInBackground(subject: BackgroundSubject, deps: BackgroundDeps): BackgroundVerification {
  const closing = new AbortController();
  const done = verifyLater(subject, deps, closing.signal).catch((error) => deps.failed(error));
  return {
    async close() {
      closing.abort();
      await done;
    },
  };
}

async function verifyLater(subject: BackgroundSubject, deps: BackgroundDeps, signal: AbortSignal): Promise<void> {
  await deps.clock.sleep(DELAY, signal);
  if (signal.aborted) return;
  const verdict = await verifyInThread(subject, signal);
  if (verdict && !verdict.ok && verdict.reason !== NOT_REPORTED) deps.alarm(alarmText(verdict));
}

/** Undefined when aborted before the verdict. */
async function verifyInThread(subject: BackgroundSubject, signal: AbortSignal): Promise<Verdict | undefined> {
  await using thread = new WorkerThread<BackgroundSubject, Verdict>({
    file: workerFile('./background-thread.ts', import.meta.url),
    hasLowPriority: true,
    keepsProcess: false,
  });
  try {
    return await thread.ask(subject, { gone: signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function alarmText({ firstBadId, kind, reason }: Finding): string {
  return `audit entry ${firstBadId} does not verify (${kind}, ${reason}): run vigil audit verify`;
}
