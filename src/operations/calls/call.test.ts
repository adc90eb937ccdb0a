// What an operation gets of its call.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock as clock } from '#kernel/time/clock.ts';
import { map } from '#operations/answers/shapes.ts';
import { type AnyEndpoint, type Call, endpoint } from '#operations/endpoint.ts';
import { NO_PARAMS } from '#operations/requests/raw-params.ts';
import { openStore } from '#store/store.ts';
import { hasNoGetters } from '#test/support/getters-of-literals.ts';
import { type CallDeps, OperationCall, type RequestFacts } from './call.ts';

it('A call is not kept in memory by getters of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-call-'));
  await using disposal = new AsyncDisposableStack();
  disposal.defer(() => rmSync(folder, { recursive: true }));
  const store = await openStore(join(folder, 'data'), { groupCommitted() {}, storeFailed() {} });
  disposal.defer(() => store.close());
  const got: Call[] = [];
  const operation = endpoint({
    title: 'Get nothing',
    method: 'GET',
    path: '/api/core/nothing',
    access: 'none',
    params: {},
    answer: map,
    run: async (_input, call: Call & { readonly zone: string }) => {
      got.push(call);
      return { zone: call.zone, isGone: call.gone.aborted };
    },
  });
  // Of its request and of the other services this operation reads nothing.
  const facts = { path: {} } as RequestFacts;
  const deps = { store, clock, services: { zone: 'Asia/Seoul' } } as unknown as CallDeps;
  for (const _ of [1, 2]) {
    const call = new OperationCall(operation as AnyEndpoint, facts, deps);
    expect(await call.perform(NO_PARAMS)).toEqual({ zone: 'Asia/Seoul', isGone: false });
  }
  expect(got.map(hasNoGetters)).toEqual([true, true]);
  expect(() => got[0]?.caller).toThrow('Get nothing has no caller');
});
