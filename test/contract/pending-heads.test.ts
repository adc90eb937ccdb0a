// Requests whose headers do not end: anybody may send them. Bytes of requests that were read are no such headers.

import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answersOn } from '#test/support/raw-http.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { connectTo, TRANSPORTS } from '#test/support/tls.ts';
import { until } from '#test/support/until.ts';

const MIB = 1024 * 1024;
const MIB_OF_TEXT = Buffer.alloc(MIB, 'x');
/** More than all incomplete headers may have together. */
const PARTS = 40;
/** With fewer connections none is looked at. */
const OTHERS = 20;
const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

const postOf = (path: string, bytes: number): string =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${MASTER_KEY}`,
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${bytes}`,
    '\r\n',
  ].join('\r\n');

describe.each(TRANSPORTS)('Over %s', (transport) => {
  const subject = serviceFor({ alone: 'connection', transport, flags: { 'body-limit': String(64 * MIB) } });

  async function opened(): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = connectTo(subject.service.url, resolve).on('error', reject);
    onTestFinished(() => void socket.destroy());
    await promise;
    return socket.off('error', reject).on('error', () => undefined);
  }

  const written = (socket: Socket, bytes: string | Uint8Array) =>
    new Promise<unknown>((resolve) => socket.write(bytes, resolve));

  /** In pieces, with a look at incomplete headers after each. */
  async function writeParts(socket: Socket): Promise<void> {
    for (let part = 0; part < PARTS; part += 1) {
      await written(socket, MIB_OF_TEXT);
      await subject.clock.settled();
      subject.clock.advance({ milliseconds: 100 });
    }
  }

  it('headers that do not end are held up to 32 MiB in all; the connections that hold most are closed', async () => {
    const head = Buffer.from(`GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(900 * 1024)}`);
    const sockets = await Promise.all(Array.from({ length: 60 }, opened));
    await Promise.all(sockets.map((socket) => written(socket.resume(), head)));
    const closed = await until(
      async () => {
        subject.clock.advance({ milliseconds: 100 });
        return sockets.filter(({ closed }) => closed).length;
      },
      (count) => count >= 24,
    );
    expect(closed).toBeLessThan(60);
    expect((await subject.call('GET', '/healthz')).status).toBe(200);
  });

  it('a connection may send any number of requests', async () => {
    await Promise.all(Array.from({ length: OTHERS }, opened));
    const socket = await opened();
    const next = answersOn(socket);
    for (let request = 0; request < PARTS; request += 1) {
      socket.write(postOf('/api/core/companies', MIB));
      await written(socket, MIB_OF_TEXT);
      expect((await next()).status).toBe(400);
      subject.clock.advance({ milliseconds: 100 });
    }
  });

  it('a body that is arriving is no header, also behind a request of the same connection', async () => {
    await Promise.all(Array.from({ length: OTHERS }, opened));
    const socket = await opened();
    const next = answersOn(socket);
    await written(socket, `${HEALTH}${postOf('/api/core/companies', PARTS * MIB)}`);
    expect((await next()).status).toBe(200);
    await writeParts(socket);
    expect((await next()).status).toBe(400);
  });

  it('what is left of a body that was refused is no header', async () => {
    await Promise.all(Array.from({ length: OTHERS }, opened));
    const socket = await opened();
    const next = answersOn(socket);
    await written(socket, postOf('/api/core/nothing', PARTS * MIB));
    expect((await next()).status).toBe(404);
    await writeParts(socket);
    socket.write(HEALTH);
    expect((await next()).status).toBe(200);
  });
});
