// Every function below every operator: the engine gives rows, or a failure that has a code.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { functions } from '#query/functions/index.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { callsOf, evalOf, failingOn, isAccepted, openFunctionTable } from '#test/support/function-calls.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';

const ARITHMETIC: readonly ((call: string) => string)[] = [
  (call) => `${call} + l`,
  (call) => `1 - ${call}`,
  (call) => `${call} * a`,
  (call) => `${call} / 2`,
  (call) => `-(${call})`,
];
const TESTS: readonly ((call: string) => string)[] = [
  ...['==', '!=', '<', '<=', '>', '>='].map((operator) => (call: string) => `(${call} ${operator} a)`),
  ...['==', '!='].map((operator) => (call: string) => `(${call} ${operator} "a*b")`),
  ...['and', 'or'].map((operator) => (call: string) => `(b ${operator} ${call})`),
];

/** A call as it is, and the numbers that calculations make of it: DuckDB plans a long otherwise than a number of any type. */
const asNumbers = (call: string): readonly string[] => [call, `len(${call})`, `long(${call})`];

const COMMANDS: readonly (readonly [name: string, command: (texts: readonly string[]) => string])[] = [
  ['search', (texts) => `search ${texts.map((text) => `(${text})`).join(' or ')}`],
  ['stats', (texts) => `stats ${texts.map((text, index) => `max(${text}) as r${index}`).join(', ')} by b`],
  ['timechart', (texts) => `timechart span=1d ${texts.map((text, index) => `count(${text}) as r${index}`).join(', ')}`],
];

let home: EngineHome;
let table: TableSpec;

beforeAll(async () => {
  home = await makeEngineHome();
  table = await openFunctionTable(home);
});

afterAll(() => home[Symbol.asyncDispose]());

it('Every function below every operator gives rows or a failure with a code', async () => {
  const texts = functions.flatMap((called) => {
    const [call, ...others] = callsOf(called);
    const numbers = asNumbers(call).flatMap((number) => ARITHMETIC.map((written) => written(number)));
    return [
      ...numbers,
      ...TESTS.map((written) => written(call)),
      ...others.map((other) => `long(${other}) + len(${other})`),
    ];
  });
  expect(await failingOn(home, table, { texts: texts.filter(isAccepted), command: evalOf })).toEqual([]);
});

it.each(COMMANDS)('Calculating with every function gives rows or a failure with a code in %s', async (_, command) => {
  const texts = functions.map((called) => `len(${callsOf(called)[0]}) - 1`);
  expect(await failingOn(home, table, { texts: texts.filter(isAccepted), command })).toEqual([]);
});
