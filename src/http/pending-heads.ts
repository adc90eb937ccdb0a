// Bytes of requests with incomplete headers: any client may send them, the HTTP parser holds them in memory, and no
// limit of bodies counts them. Their total is bounded; beyond the bound the connections that hold most are closed.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#kernel/clock.ts';

const MAX_PENDING_HEAD_BYTES = 32 * 1024 * 1024;
/** Short, because a client in the same network can send a hundred megabytes in this time. */
const CHECK_PERIOD = Temporal.Duration.from({ milliseconds: 100 });
/** With fewer connections the total cannot exceed the bound. */
const MIN_CONNECTIONS = 16;

export function boundPendingHeads(server: Server, clock: Clock): Disposable {
  /** Bytes of each connection that belong to parsed requests; undefined while a request is being answered. */
  const heard = new Map<Socket, number | undefined>();
  server.on('connection', (socket: Socket) => {
    heard.set(socket, 0);
    socket.once('close', () => heard.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    heard.set(socket, undefined);
    response.once('close', () => {
      if (heard.has(socket)) heard.set(socket, socket.bytesRead);
    });
  });
  return clock.every(CHECK_PERIOD, () => {
    if (heard.size > MIN_CONNECTIONS) closeLargest(heard);
  });
}

function closeLargest(heard: ReadonlyMap<Socket, number | undefined>): void {
  const pending = [...heard].flatMap(([socket, before]) =>
    before === undefined ? [] : [{ socket, bytes: socket.bytesRead - before }],
  );
  let total = pending.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= MAX_PENDING_HEAD_BYTES) return;
  for (const { socket, bytes } of pending.sort((one, other) => other.bytes - one.bytes)) {
    if (total <= MAX_PENDING_HEAD_BYTES) return;
    socket.destroy();
    total -= bytes;
  }
}
