// Ends the connection of a request that was refused before it was complete.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type ApiError, bodyTooLate, headTooLarge, malformedRequest } from '#contract/errors.ts';
import type { BodyDeadlines } from '#http/bodies/body-deadlines.ts';
import type { Clock } from '#kernel/time/clock.ts';

/** Time for a client that is still sending to read the refusal: until nothing has arrived for so long … */
const QUIET = Temporal.Duration.from({ seconds: 5 });
/** … and so many times at most, as long as a body without a key may take. */
const MAX_ROUNDS = 2;

/**
 * An answer after which the connection is closed. The whole text is sent at once; the end of the answer, which closes
 * the connection, waits briefly for the client to stop sending: an earlier close would discard the answer.
 */
export function lastAnswer(text: string | Uint8Array, request: IncomingMessage, clock: Clock): Readable {
  async function* parts() {
    yield text;
    sentWhole.add(request);
    if (!request.complete) await stoppedSending(request, clock);
  }
  return Readable.from(parts());
}

/** Requests whose last answer has been sent but for its end. */
const sentWhole = new WeakSet<IncomingMessage>();

/** Whether the client has its answer, though it has left before the end: nothing was to come. */
export const hasLastAnswer = (request: IncomingMessage): boolean => sentWhole.has(request);

/** Whether the end of an answer closes the connection of a client that is still sending, which would discard the answer. */
export const isCutOff = (request: IncomingMessage, response: ServerResponse): boolean =>
  !response.shouldKeepAlive && !request.complete;

async function stoppedSending(request: IncomingMessage, clock: Clock): Promise<void> {
  const done = new AbortController();
  const stop = () => done.abort();
  request.once('end', stop).once('close', stop).resume();
  request.socket.once('close', stop);
  let arrived = -1;
  for (let round = 0; round < MAX_ROUNDS && !done.signal.aborted && request.socket.bytesRead > arrived; round += 1) {
    arrived = request.socket.bytesRead;
    await clock.sleep(QUIET, done.signal);
  }
  request.socket.off('close', stop);
}

/**
 * After an answer, the rest of a body is discarded, so that the next request of the connection can be read, as long as
 * the rest arrives at the minimum rate. Otherwise the client could keep the connection open for any time.
 */
export function drainInTime(request: IncomingMessage, deadlines: BodyDeadlines, isUnauthenticated: boolean): void {
  // Node does this by itself only if the body was never read. A complete body may still be buffered, too.
  request.resume();
  if (request.complete || request.socket.destroyed) return;
  const { socket } = request;
  const before = socket.bytesRead;
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  const watching = deadlines.watch({
    // A body without a length may be endless.
    isOpen: isUnauthenticated || announcedBytes === 0,
    announcedBytes,
    arrivedBytes: () => socket.bytesRead - before,
    onLate: () => {
      if (!request.complete) socket.destroy();
    },
  });
  const stop = () => watching[Symbol.dispose]();
  request.once('end', stop).once('close', stop);
}

/** The HTTP parser gave up: there is only a socket, no request. */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = unreadable(error.code);
  const body = JSON.stringify(refusal.body);
  const head = {
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${refusal.status} ${REASONS[refusal.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function unreadable(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return headTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? bodyTooLate() : malformedRequest();
}
