// The header of a request that another node passes on: who may make one, for what, and how often it is taken.

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NodeView } from '#cluster/members/membership.ts';
import { publicKeyText } from '#kernel/public-key.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { KnownNodes } from './known-nodes.ts';
import { NodeCalls } from './node-calls.ts';
import { FORWARDED_HEADER, type Forwarded, signedHeader, VALID_MS } from './signed-header.ts';

const NOW = 1_800_000_000_000;
const REQUEST = { method: 'GET', url: '/api/core/queries/7?wait=1', headers: { authorization: 'Bearer a' } };
const CLIENT = { node: 'n1', address: '10.0.0.9', requestId: 'r1', isTls: true };

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

/** The node n2, which knows n1 by its key and in this state. */
function ownerKnowing(key: KeyObject, state: NodeView['state'] = 'alive'): NodeCalls {
  const asker = { name: 'n1', state, publicKey: publicKeyText(key) } as unknown as NodeView;
  const nodes = new KnownNodes(async () => ({ nodes: [asker], nowMs: NOW }));
  const deps = { self: 'n2', key: newKey(), nodes, clock: systemClock, called() {} };
  return new NodeCalls({ ...deps, client: undefined as never });
}

interface Header extends Partial<Forwarded> {
  readonly time?: number | undefined;
  readonly target?: string;
}

const headerBy = (key: KeyObject, { time = NOW, target = 'n2', ...claims }: Header = {}, request = REQUEST) => ({
  ...request.headers,
  [FORWARDED_HEADER]: signedHeader({ ...CLIENT, ...claims }, { ...request, target }, { key, time }),
});

describe('A request that another node has passed on', () => {
  it('is that of the client, once', async () => {
    const key = newKey();
    const owner = ownerKnowing(key);
    const request = { ...REQUEST, headers: headerBy(key) };
    expect(await owner.verify(request)).toEqual(CLIENT);
    expect(await owner.verify(request)).toBeUndefined();
  });

  it.each([
    { it: 'was signed by another key', headers: headerBy(newKey()) },
    { it: 'is for another node', change: { target: 'n3' } },
    { it: 'names another node', change: { node: 'n4' } },
    { it: 'has another method', request: { method: 'DELETE' } },
    { it: 'has another path', request: { url: '/api/core/queries/8?wait=1' } },
  ])('is nobody’s where its header $it', async ({ headers, change = {}, request = {} }) => {
    const key = newKey();
    const sent = { ...REQUEST, headers: headers ?? headerBy(key, change), ...request };
    expect(await ownerKnowing(key).verify(sent)).toBeUndefined();
  });

  it('is nobody’s with the credentials of somebody else', async () => {
    const key = newKey();
    const headers = { ...headerBy(key), authorization: 'Bearer b' };
    expect(await ownerKnowing(key).verify({ ...REQUEST, headers })).toBeUndefined();
  });

  it('names the account of a query that its node has signed, and no other', async () => {
    const key = newKey();
    const account = { guid: 'g1', isService: false, body: 'b' };
    const headers = headerBy(key, { account });
    expect(await ownerKnowing(key).verify({ ...REQUEST, headers })).toEqual({ ...CLIENT, account });
    const [claims = '', signature] = String(headers[FORWARDED_HEADER]).split('.');
    const { account: _, ...others } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    for (const changed of [
      { ...account, guid: 'g2' },
      { ...account, isService: true },
      { ...account, body: 'c' },
      null,
    ]) {
      const text = Buffer.from(JSON.stringify({ ...others, account: changed })).toString('base64url');
      const forged = { ...headers, [FORWARDED_HEADER]: `${text}.${signature}` };
      expect(await ownerKnowing(key).verify({ ...REQUEST, headers: forged })).toBeUndefined();
    }
  });

  it.each<{ it: string; state?: NodeView['state']; time?: number }>([
    { it: 'its node has lost its lease', state: 'gone' },
    { it: 'its header is too old', time: NOW - VALID_MS },
    { it: 'its header is of later', time: NOW + 2 * VALID_MS },
  ])('is to be sent again where $it', async ({ state, time }) => {
    const key = newKey();
    const verifying = ownerKnowing(key, state).verify({ ...REQUEST, headers: headerBy(key, { time }) });
    await expect(verifying).rejects.toMatchObject({ kind: 'nodeUnreachable', message: 'node is not reachable: n2' });
  });
});
