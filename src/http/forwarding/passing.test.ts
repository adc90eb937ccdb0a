// The answer of the owner as the client gets it.

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as requestHttp } from 'node:http';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { KnownNodes } from '#cluster/calls/known-nodes.ts';
import { NodeCalls } from '#cluster/calls/node-calls.ts';
import { NodeClient } from '#cluster/calls/node-client.ts';
import type { NodeView } from '#cluster/members/membership.ts';
import { systemClock } from '#kernel/time/clock.ts';
import type { OperationCall } from '#operations/calls/call.ts';
import { listening } from '#test/support/listening.ts';
import { Forwarding } from './forwarding.ts';
import { passOn } from './passing.ts';

/** A node that passes every request on to the one at this address. */
function nodeBefore(address: string, client: NodeClient) {
  const owner = { name: 'n2', state: 'alive', address } as unknown as NodeView;
  const nodes = new KnownNodes(async () => ({ nodes: [owner], nowMs: 0 }));
  const key = generateKeyPairSync('ed25519').privateKey;
  const calls = new NodeCalls({ self: 'n1', key, nodes, client, clock: systemClock, called() {} });
  const forwarding = new Forwarding({ calls, clock: systemClock, owners: undefined as never });
  const server = Fastify();
  server.addContentTypeParser('*', (_request, _body, done) => done(null));
  server.all('/tags', async (request, reply) => {
    request.owner = { name: 'n2', kind: 'query', id: '7' };
    request.call = { gone: new AbortController().signal, endpoint: {} } as unknown as OperationCall;
    await passOn(request, reply, { forwarding, clock: systemClock });
    return reply;
  });
  return server;
}

it.each([
  { status: 408, told: 'close', connection: 'close' },
  { status: 429, told: 'close', connection: 'close' },
  { status: 429, told: 'keep-alive', connection: 'keep-alive' },
  { status: 500, told: 'close', connection: 'keep-alive' },
])('The connection of the client is $connection after $status and $told', async ({ status, told, connection }) => {
  const owner = createServer((_request, response) => {
    response.writeHead(status, { connection: told, 'content-length': 7 }).end('refused');
  });
  using client = new NodeClient(systemClock);
  const asked = nodeBefore(await listening(owner), client);
  const agent = new Agent({ keepAlive: true });
  try {
    const url = `${await asked.listen({ host: '127.0.0.1', port: 0 })}/tags`;
    const sent = requestHttp(url, { method: 'PUT', agent, headers: { 'content-type': 'a/b' } }).end('body');
    const [answer] = await once(sent, 'response');
    expect([answer.statusCode, answer.headers.connection, await text(answer)]).toEqual([status, connection, 'refused']);
  } finally {
    agent.destroy();
    await asked.close();
    owner.closeAllConnections();
    owner.close();
  }
});

it.each([
  { it: 'whole', head: { 'content-length': '6' }, told: { 'content-length': '6' }, body: 'answer' },
  { it: 'in chunks', head: {}, told: { 'transfer-encoding': 'chunked' }, body: 'answer' },
  { it: 'empty', head: { 'content-length': '0' }, told: { 'content-length': '0' }, body: '' },
])('A short answer that comes $it is passed on so', async ({ head, told, body }) => {
  const owner = createServer((_request, response) => {
    response.writeHead(200, { ...head, 'content-type': 'a/b', etag: '"1"' }).end(body);
  });
  using client = new NodeClient(systemClock);
  const asked = nodeBefore(await listening(owner), client);
  try {
    const url = `${await asked.listen({ host: '127.0.0.1', port: 0 })}/tags`;
    // On a connection that is used again the second answer comes as the first one did.
    for (let times = 0; times < 2; times += 1) {
      const [answer] = await once(requestHttp(url).end(), 'response');
      const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type, etag } = answer.headers;
      expect({
        ...(length ? { 'content-length': length } : {}),
        ...(encoding ? { 'transfer-encoding': encoding } : {}),
      }).toEqual(told);
      expect([type, etag, await text(answer)]).toEqual(['a/b', '"1"', body]);
    }
  } finally {
    await asked.close();
    owner.closeAllConnections();
    owner.close();
  }
});
