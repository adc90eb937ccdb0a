// Every function over every function: the engine gives rows, or a failure that has a code.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { functions } from '#query/functions/index.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { callsOf, callsOver, evalOf, failingOn, openFunctionTable } from '#test/support/function-calls.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';

let home: EngineHome;
let table: TableSpec;

beforeAll(async () => {
  home = await makeEngineHome();
  table = await openFunctionTable(home);
});

afterAll(() => home[Symbol.asyncDispose]());

const inner = functions.map((called) => callsOf(called)[0]);
const taking = functions.filter((called) => callsOver(called, 's').length > 0);

it.each(taking.map((called) => [called.name, called] as const))(
  '%s() over every function gives rows or a failure with a code',
  async (_, called) => {
    const texts = inner.flatMap((call) => callsOver(called, call));
    expect(await failingOn(home, table, { texts, command: evalOf })).toEqual([]);
  },
);
