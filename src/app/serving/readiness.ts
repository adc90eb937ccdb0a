// Checks the parts of the service for /readyz.

import type { Collectors } from '#collectors/collectors.ts';
import { standingBy } from '#contract/errors.ts';
import type { DiskReserve } from '#files/disk-reserve.ts';
import type { ServiceState } from '#http/server.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { CallDeps } from '#operations/calls/call.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';

/** The check of ingest on a full disk, on which logs are refused. */
const NO_SPACE = 'no space left';
const TIMEOUT = Temporal.Duration.from({ seconds: 2 });

interface Parts {
  readonly callDeps: Pick<CallDeps, 'store'>;
  readonly engine: LogStore;
  readonly scheduler: Scheduler;
  readonly collectors: Collectors;
  readonly disk: DiskReserve;
}

/** Calls the check of every part; a part without an answer in time is not ready. */
export async function checkParts(
  state: ServiceState,
  opened: Parts | undefined,
  clock: Clock,
): Promise<Record<string, string>> {
  if (state !== 'running' || !opened) {
    const reason = typeof state === 'object' ? standingBy(state.keeper).message : state;
    return { store: reason, engine: reason, scheduler: reason, ingest: reason };
  }
  const tried = (work: Promise<unknown>) =>
    withTimeout(
      clock,
      TIMEOUT,
      work.then(
        () => 'ok',
        () => 'failed',
      ),
      'no answer',
    );
  const [store, engine, scheduler, ingest] = await Promise.all([
    tried(opened.callDeps.store.check()),
    tried(opened.engine.check()),
    tried(opened.scheduler.check()),
    tried(opened.collectors.check()),
  ]);
  const isFull = await opened.disk.isFull();
  return { store, engine, scheduler, ingest: isFull && ingest === 'ok' ? NO_SPACE : ingest };
}
