// Connections to a node that it closes while they wait to be used again.

import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { NodeView } from '#cluster/members/membership.ts';
import { Forwarding } from '#http/forwarding/forwarding.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { listening } from '#test/support/listening.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { KnownNodes } from './known-nodes.ts';
import { NodeCalls } from './node-calls.ts';
import { NodeClient } from './node-client.ts';
import { FORWARDED_HEADER } from './signed-header.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, isReused: boolean) => void;

async function startNode(answer: Answer) {
  const used = new WeakSet<object>();
  const server = createServer((request, response) => {
    answer(request, response, used.has(request.socket));
    used.add(request.socket);
  });
  return {
    address: await listening(server),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const gone = new AbortController().signal;

/** Until the end, after which its connection can be used again. */
async function read(answer: IncomingMessage): Promise<number | undefined> {
  for await (const _ of answer);
  await setImmediate();
  return answer.statusCode;
}

describe('A connection that the node has closed', () => {
  it.each([
    { method: 'GET', sent: 3 },
    { method: 'HEAD', sent: 3 },
    { method: 'DELETE', sent: 2, refused: 'nodeUnreachable' },
  ])('takes a $method to a new one where it changes nothing', async ({ method, sent, refused }) => {
    const headers: unknown[] = [];
    using node = await startNode((request, response, isReused) => {
      headers.push(request.headers[FORWARDED_HEADER]);
      if (isReused) request.socket.destroy();
      else response.setHeader('content-length', 0).end();
    });
    using client = new NodeClient(systemClock);
    const nodes = new KnownNodes(async () => ({
      nodes: [{ name: 'n2', state: 'alive', address: node.address } as unknown as NodeView],
      nowMs: 0,
    }));
    const key = generateKeyPairSync('ed25519').privateKey;
    const calls = new NodeCalls({ self: 'n1', key, nodes, client, clock: systemClock, called() {} });
    const forwarding = new Forwarding({ calls, clock: systemClock, owners: undefined as never });
    const request = { id: 'r', method, url: '/', headers: {}, remoteIp: '10.0.0.9', isTls: false };
    const owner = { name: 'n2', kind: 'query', id: '7' } as const;
    const pass = async () => await read(await forwarding.pass(request, owner, { body: undefined, gone }));
    expect(await pass()).toBe(200);
    if (refused) await expect(pass()).rejects.toMatchObject({ kind: refused });
    else expect(await pass()).toBe(200);
    // Each is signed anew: a header is taken once.
    expect([headers.length, new Set(headers).size]).toEqual([sent, sent]);
  });

  it('does not say that the node is silent', async () => {
    let held: ServerResponse | undefined;
    using node = await startNode((request, response, isReused) => {
      if (request.url === '/held') held = response;
      else if (request.url === '/healthz' && isReused) request.socket.destroy();
      else response.end(() => void (request.url === '/healthz' && held?.end()));
    });
    const clock = new ManualClock('2026-11-17T00:00:00Z');
    using client = new NodeClient(clock);
    const send = (url: string) => client.send(node.address, { method: 'GET', url, headers: {}, gone });
    // Two connections: one for the request, one that waits.
    await Promise.all([send('/a'), send('/b')].map(async (sending) => read(await sending)));
    const answer = send('/held');
    await expect.poll(() => held).toBeDefined();
    // The bytes that the connection has brought before count once.
    clock.advance({ milliseconds: 2500 });
    await setImmediate();
    clock.advance({ milliseconds: 2500 });
    expect((await answer).statusCode).toBe(200);
  });
});
