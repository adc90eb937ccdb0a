// Waits for work that the service does by itself, for a minute at most: the work continues without the wait.

import { systemClock } from '#kernel/time/clock.ts';

const PERIOD = Temporal.Duration.from({ milliseconds: 20 });
const TIMEOUT = Temporal.Duration.from({ minutes: 1 });

export async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  const end = systemClock.now().add(TIMEOUT);
  while (!(await isSo()) && Temporal.Instant.compare(systemClock.now(), end) < 0) await systemClock.sleep(PERIOD);
}
