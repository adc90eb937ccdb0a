// Strangers that connect and say nothing.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { Handshakes } from './handshakes.ts';

const clock = new ManualClock('2026-11-16T00:00:00Z');
const handshakes = new Handshakes(clock);
const server = createServer((socket) => handshakes.begin(socket));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  handshakes.end();
  server.close();
});

const stranger = async (): Promise<Socket> => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').resume();
  socket.on('error', () => undefined);
  const before = handshakes.count;
  await once(socket, 'connect');
  await expect.poll(() => handshakes.count, { interval: 1 }).not.toBe(before);
  return socket;
};

it('A handshake ends after ten seconds, and not before', async () => {
  const silent = await stranger();
  clock.advance({ seconds: 5 });
  const later = await stranger();
  clock.advance({ seconds: 4 });
  expect(handshakes.count).toBe(2);
  clock.advance({ seconds: 1 });
  await once(silent, 'close');
  expect(handshakes.count).toBe(1);
  later.destroy();
  await expect.poll(() => handshakes.count).toBe(0);
});

it('Beyond 256 handshakes the oldest is closed', async () => {
  const { port } = server.address() as AddressInfo;
  const first = await stranger();
  const closed = once(first, 'close');
  const others = Array.from({ length: 256 }, () => connect(port, '127.0.0.1'));
  await closed;
  expect(handshakes.count).toBe(256);
  for (const socket of others) socket.destroy();
  await expect.poll(() => handshakes.count).toBe(0);
});

it('A client is told from another one by both ends: one port of it may reach two addresses of this machine', async () => {
  const everywhere = createServer((socket) => handshakes.begin(socket));
  everywhere.listen(0, '0.0.0.0');
  await once(everywhere, 'listening');
  const { port } = everywhere.address() as AddressInfo;
  const first = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1' }).resume();
  await once(first, 'connect');
  const second = connect({
    port,
    host: '127.0.0.2',
    localAddress: '127.0.0.1',
    localPort: first.localPort ?? 0,
  }).resume();
  await once(second, 'connect');
  await expect.poll(() => handshakes.count).toBe(2);
  clock.advance({ seconds: 11 });
  await Promise.all([first, second].map((socket) => socket.closed || once(socket, 'close')));
  expect(handshakes.count).toBe(0);
  everywhere.close();
});
