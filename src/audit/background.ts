// Verifies the whole trail once after a start, in a thread of its own and with the lowest priority: the start does not wait
// for it, and neither does anything else.

import { Worker } from 'node:worker_threads';
import { yielding } from '#engines/duckdb/instance/thread-priority.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Finding, Reason, Verdict } from './verdict.ts';

/** What a service does first is answered first. */
const DELAY = Temporal.Duration.from({ seconds: 1 });

/**
 * What a renewal has left unproven stays so for good, and comes only after every fault: an alarm at each start would be
 * about nothing new. `vigil audit verify` tells of it.
 */
const KNOWN: Reason = 'before-renewal';

/** What the thread is given. */
export interface BackgroundSubject {
  readonly location: string;
  readonly witness: string;
  readonly publicKey: string;
}

interface BackgroundDeps {
  readonly clock: Clock;
  /** Told what is wrong, in words for the service log. */
  alarm(text: string): void;
  failed(error: unknown): void;
}

export interface BackgroundVerification {
  /** Ends it, finished or not. */
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
  if (verdict && !verdict.ok && verdict.reason !== KNOWN) deps.alarm(alarmText(verdict));
}

/** Undefined when it was ended before it had finished. */
function verifyInThread(subject: BackgroundSubject, signal: AbortSignal): Promise<Verdict | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Verdict | undefined>();
  const file = new URL('./background-thread.ts', import.meta.url);
  const worker = yielding(() => new Worker(file, { workerData: subject }));
  worker.unref();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => resolve(undefined));
  signal.addEventListener('abort', () => void worker.terminate());
  return promise;
}

function alarmText({ firstBadId, kind, reason }: Finding): string {
  return `audit entry ${firstBadId} does not verify (${kind}, ${reason}): run vigil audit verify`;
}
