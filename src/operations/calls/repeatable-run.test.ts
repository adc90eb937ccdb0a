import { expect, it } from 'vitest';
import type { Accounts } from '#access/accounts/accounts.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { anyText } from '#operations/params/params.ts';
import type { RawParams } from '#operations/requests/raw-params.ts';
import { isCollected } from '#test/support/garbage.ts';
import { CALLER } from '#test/support/scripted-queries.ts';
import { repeatableRun } from './repeatable-run.ts';

it('A run that is remembered for an hour holds nothing of the parameters of its request', async () => {
  const endpoint = { method: 'GET', path: '/api/core/query', params: { q: anyText } } as unknown as AnyEndpoint;
  const accounts = { isInSession: async () => true } as unknown as Accounts;
  const remembered = () => {
    const rawParams: RawParams = new Map([['q', ['table web']]]);
    return { run: repeatableRun(endpoint, rawParams, { caller: CALLER, accounts }), given: new WeakRef(rawParams) };
  };
  const { run, given } = remembered();
  expect(await isCollected(given)).toBe(true);
  expect(await run?.session.isOpen()).toBe(true);
});
