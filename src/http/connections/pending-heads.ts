// Bytes of requests with incomplete headers: any client may send them, the HTTP parser holds them in memory, and no
// limit of bodies counts them. Their total is bounded; beyond the bound the connections that hold most are closed.

import type { Clock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';
import type { Connection } from './connection.ts';

const MAX_PENDING_HEAD_BYTES = 32 * 1024 * 1024;
/** Short, because a client in the same network can send a hundred megabytes in this time. */
const CHECK_PERIOD = Temporal.Duration.from({ milliseconds: 100 });
/** With fewer connections the total cannot exceed the bound. */
const MIN_CONNECTIONS = 16;

interface HeadDeps {
  readonly clock: Clock;
  close(connection: Connection): void;
}

/** `open` is read at each check. */
export function boundPendingHeads(open: ReadonlySet<Connection>, { clock, close }: HeadDeps): Disposable {
  return new Periodic({
    clock,
    period: CHECK_PERIOD,
    work: () => {
      if (open.size <= MIN_CONNECTIONS) return;
      for (const connection of largestBeyondBound(open)) close(connection);
    },
  });
}

function largestBeyondBound(open: ReadonlySet<Connection>): readonly Connection[] {
  let total = 0;
  for (const { pendingHeadBytes } of open) total += pendingHeadBytes;
  if (total <= MAX_PENDING_HEAD_BYTES) return [];
  const pending = [...open].map((connection) => ({ connection, bytes: connection.pendingHeadBytes }));
  const largest: Connection[] = [];
  for (const { connection, bytes } of pending.sort((one, other) => other.bytes - one.bytes)) {
    if (total <= MAX_PENDING_HEAD_BYTES) break;
    largest.push(connection);
    total -= bytes;
  }
  return largest;
}
