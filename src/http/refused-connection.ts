// What is done with a connection whose request was refused before all of it had come.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type ApiError, bodyTooLate, headTooLarge, malformedRequest } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import type { BodyDeadlines } from './body-deadlines.ts';

/** How long a client that is still sending may take to read why it should stop. */
const LINGER = Temporal.Duration.from({ seconds: 2 });

/**
 * The text of an answer after which the connection is closed. All of it leaves at once; its end, with which the connection is
 * closed, waits a little for the client to stop: closing while it sends would take the answer away from it.
 */
export function lastAnswer(text: string, request: IncomingMessage, clock: Clock): Readable {
  async function* parts() {
    yield text;
    if (!request.complete) await stoppedSending(request, clock);
  }
  return Readable.from(parts());
}

async function stoppedSending(request: IncomingMessage, clock: Clock): Promise<void> {
  const done = new AbortController();
  const stop = () => done.abort();
  request.once('end', stop).once('close', stop).resume();
  request.socket.once('close', stop);
  await clock.sleep(LINGER, done.signal);
  request.socket.off('close', stop);
}

/**
 * After an answer: what is left of a body runs out unread, so that the next request of the connection is heard, as long as it
 * comes as fast as a body must. Otherwise its connection would stay open as long as its client likes.
 */
export function drainInTime(request: IncomingMessage, deadlines: BodyDeadlines, isStranger: boolean): void {
  // Node does this by itself only where nobody has ever looked at the body. Whole bodies, too, may still wait to be read.
  request.resume();
  if (request.complete || request.socket.destroyed) return;
  const { socket } = request;
  const before = socket.bytesRead;
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  const watching = deadlines.watch({
    // One that does not say how long it is may have no end.
    isOpen: isStranger || announcedBytes === 0,
    announcedBytes,
    arrivedBytes: () => socket.bytesRead - before,
    late: () => {
      if (!request.complete) socket.destroy();
    },
  });
  const stop = () => watching[Symbol.dispose]();
  request.once('end', stop).once('close', stop);
}

/** The HTTP parser gave up: there is no request yet, only a socket. */
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
