// Sealing at a clean stop: the next start has less to read back. Segments need no reading, journals do.

import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import type { LogTable } from './table.ts';

/** A journal that is read back in less time stays. */
const MAX_READ_BACK_MS = 500;
/** Of all tables. */
const MAX_SEALING = Temporal.Duration.from({ seconds: 5 });
/** Between two interruptions: a seal may have several statements. */
const INTERRUPT_PERIOD = Temporal.Duration.from({ milliseconds: 20 });

interface SealAtStopDeps {
  readonly clock: Clock;
  /** Running statements fail. */
  interrupt(): Promise<void>;
  /** Reports a table that could not be sealed; its records are in its journal. */
  failed(error: unknown): void;
}

/** Resolves when no table is being sealed. Tables that take longest to read back come first. */
export async function sealAtStop(
  tables: readonly Pick<LogTable, 'readBackMs' | 'flush'>[],
  { clock, interrupt, failed }: SealAtStopDeps,
): Promise<void> {
  const long = tables
    .filter(({ readBackMs }) => readBackMs > MAX_READ_BACK_MS)
    .toSorted((one, other) => other.readBackMs - one.readBackMs);
  let isOver = false;
  let isDone = false;
  const sealAll = async () => {
    for (const table of long) {
      if (isOver) break;
      // What the end interrupts is no failure.
      await table.flush().catch((error) => (isOver ? undefined : failed(error)));
    }
    isDone = true;
  };
  const sealing = sealAll();
  await withTimeout(clock, MAX_SEALING, sealing, undefined);
  isOver = true;
  while (!isDone) {
    await interrupt();
    await withTimeout(clock, INTERRUPT_PERIOD, sealing, undefined);
  }
}
