// Waiting for what the service does by itself. What takes longer than anybody wants to wait comes about all the same, later.

import { systemClock } from '#kernel/clock.ts';

const PERIOD = Temporal.Duration.from({ milliseconds: 20 });
const TIMEOUT = Temporal.Duration.from({ minutes: 1 });

export async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  const end = systemClock.now().add(TIMEOUT);
  while (!(await isSo()) && Temporal.Instant.compare(systemClock.now(), end) < 0) await systemClock.sleep(PERIOD);
}
