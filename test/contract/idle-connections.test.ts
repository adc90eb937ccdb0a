// Connections that one address, or many, open and leave idle: at a limit the oldest of them is closed, and others are served.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answersOn } from '#test/support/raw-http.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { slowRequest } from '#test/support/slow-request.ts';
import { serviceFor } from '#test/support/suites.ts';
import { connectTo, TRANSPORTS } from '#test/support/tls.ts';
import { BYTES_TYPE, createTable, offsetOf, opened, STREAMS, TUS } from '#test/support/uploads.ts';

const MAX = 100;
const MAX_OF_ADDRESS = 10;
const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
const PROXY = '127.1.0.1';
const FLAGS = { connections: String(MAX), 'trusted-proxies': PROXY };
/** An address that no other test uses: connections of one test may still be closing when the next begins. */
const strangerAt = (test: number, at = 0) => `127.0.${1 + test}.${1 + at}`;
const COMPANY = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/x-www-form-urlencoded' };

describe.each(TRANSPORTS)('Over %s', (transport) => {
  const subject = serviceFor({ alone: 'connection', transport, flags: FLAGS });

  /** A connection of a stranger, once the service has accepted it. */
  async function idle(from: string): Promise<Socket> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connectTo(subject.service.url, resolve, { from }).resume();
    // A connection beyond a limit may be closed before its handshake.
    socket.on('error', () => undefined).on('close', resolve);
    onTestFinished(() => void socket.destroy());
    await promise;
    return socket;
  }

  async function idleOnes(count: number, from: (at: number) => string): Promise<Socket[]> {
    const sockets = [];
    for (let at = 0; at < count; at += 1) sockets.push(await idle(from(at)));
    return sockets;
  }

  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await subject.call('GET', '/metrics')).text)?.[1]);
  const openOf = (sockets: readonly Socket[]) => sockets.map(({ closed }) => !closed);
  const served = async (from: string) => {
    const socket = await idle(from);
    const next = answersOn(socket);
    socket.write(HEALTH);
    const { status } = await next();
    return { socket, status };
  };

  it('one address keeps a tenth of all connections idle, and closes its own oldest with the next', async () => {
    const sockets = await idleOnes(MAX + 5, () => strangerAt(1));
    const expected = sockets.map((_, at) => at >= sockets.length - MAX_OF_ADDRESS);
    await expect.poll(() => openOf(sockets)).toEqual(expected);
    expect((await served(strangerAt(1))).status).toBe(200);
    expect((await served(strangerAt(1, 1))).status).toBe(200);
  });

  it('at the limit of all connections the oldest idle one is closed, and the new one is served', async () => {
    const sockets = await idleOnes(MAX, (at) => strangerAt(2, Math.floor(at / MAX_OF_ADDRESS)));
    expect((await served(strangerAt(2, 100))).status).toBe(200);
    await expect.poll(() => openOf(sockets)[0]).toBe(false);
    expect(openOf(sockets).at(-1)).toBe(true);
  });

  it('a connection whose request was answered stays, and the new one is closed in place of it', async () => {
    const answered = [];
    for (let at = 0; at < MAX_OF_ADDRESS; at += 1) answered.push((await served(strangerAt(3))).socket);
    const further = await idle(strangerAt(3));
    await expect.poll(() => further.closed).toBe(true);
    expect(openOf(answered)).toEqual(answered.map(() => true));
    answered[0]?.destroy();
    await expect.poll(async () => (await served(strangerAt(3))).status).toBe(200);
  });

  it('a connection that has shown a key stays, however long its request takes', async () => {
    const sent = slowRequest(`${subject.service.url}/api/core/companies`, 'POST', {
      headers: { ...COMPANY, 'content-length': '6' },
      from: strangerAt(4),
    });
    await sent.write('n');
    await expect.poll(() => metric('vigil_http_requests_open')).toBe(2);
    await idleOnes(2 * MAX, (at) => strangerAt(4, at % 15));
    await sent.write('ame=a');
    expect((await sent.answer).status).toBe(200);
  });

  it('a connection that has shown the token of an upload stays', async () => {
    await createTable(subject, 'web');
    const token = await opened(subject, { file_size: 8, metadata: { table: 'web', format: 'ndjson' } });
    const sent = slowRequest(`${subject.service.url}${STREAMS}/${token}`, 'PATCH', {
      headers: { ...TUS, 'upload-offset': '0', 'content-type': BYTES_TYPE, 'content-length': '8' },
      from: '127.0.0.1',
    });
    await sent.write('{"n"');
    await expect.poll(() => offsetOf(subject, token)).toBe(4);
    await idleOnes(2 * MAX, (at) => strangerAt(5, at % 15));
    await sent.write(':1}\n');
    expect((await sent.answer).status).toBe(204);
  });

  it('a trusted proxy has as many as there may be', async () => {
    const sockets = await idleOnes(MAX_OF_ADDRESS + 5, () => PROXY);
    expect((await served('127.0.0.1')).status).toBe(200);
    expect(openOf(sockets)).toEqual(sockets.map(() => true));
  });

  it('the first byte of a request comes within ten seconds', async () => {
    const silent = await idle(strangerAt(7));
    const begun = await idle(strangerAt(7, 1));
    const answered = await served(strangerAt(7, 2));
    const { hostname, port } = new URL(subject.service.url);
    const withoutHandshake = connect(Number(port), hostname).resume();
    await once(withoutHandshake, 'connect');
    await expect.poll(() => metric('vigil_http_connections_open')).toBeGreaterThanOrEqual(4);
    begun.write('G');
    await subject.clock.pass({ seconds: 9 });
    expect((await served('127.0.0.1')).status).toBe(200);
    expect(openOf([silent, begun, answered.socket, withoutHandshake])).toEqual([true, true, true, true]);
    await subject.clock.pass({ seconds: 2 });
    await expect.poll(() => openOf([silent, withoutHandshake])).toEqual([false, false]);
    expect(openOf([begun, answered.socket])).toEqual([true, true]);
  });
});
