// Which sockets are kept of connections that are over.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type Server } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { addressSet } from '#kernel/net/address.ts';
import { listening } from '#test/support/listening.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { TRANSPORTS, trustedCertificate } from '#test/support/tls.ts';
import { Connections } from './connections.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const SERVERS = {
  http: () => http.createServer(),
  https: () => {
    const { cert, key } = trustedCertificate();
    return https.createServer({ cert: readFileSync(cert), key: readFileSync(key) });
  },
} as const;

it.each(TRANSPORTS)('Connections over %s that were closed are not kept in memory', async (transport) => {
  const observer = { connected() {}, disconnected() {}, connectionClosed() {} };
  const clock = new ManualClock('2026-11-18T00:00:00Z');
  using connections = new Connections({ max: 100, trustedProxies: addressSet([]), clock, observer });
  const server: Server = SERVERS[transport]();
  connections.watch(server, { isTls: transport === 'https' });
  const sockets: WeakRef<object>[] = [];
  server.on('request', (request, response) => {
    sockets.push(new WeakRef(request.socket));
    response.end();
  });
  const { port } = new URL(await listening(server));
  onTestFinished(() => void server.close());
  for (let count = 0; count < 3; count += 1) {
    const client = { http, https }[transport];
    const [answer] = await once(client.get(`${transport}://127.0.0.1:${port}`, { agent: false }), 'response');
    await text(answer);
  }
  expect(sockets).toHaveLength(3);
  const kept = () => {
    collectGarbage();
    return sockets.filter((socket) => socket.deref() !== undefined).length;
  };
  await expect.poll(kept).toBe(0);
});
