// What a failing test says of its services and of its generated cases, and that a passing one says nothing.

import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { failureReport } from './support/failure-report.ts';
import { Last } from './support/log-tails.ts';
import { ROOT } from './support/sources.ts';

const TEST = { file: 'a.test.ts', name: 'holds (always)', fullName: 'Suite > holds (always)', tails: [] };

it('Of many values the last ones are kept, in their order', () => {
  const last = new Last<number>(3);
  expect(last.all()).toEqual([]);
  for (let value = 1; value <= 7; value += 1) last.add(value);
  expect(last.all()).toEqual([5, 6, 7]);
});

it('A failure without generated cases is repeated by a command only if the seed of the run was drawn', () => {
  const failed = { ...TEST, messages: ['expected 1 to be 2'] };
  expect(failureReport(failed, 1)).toBeUndefined();
  expect(failureReport(failed, 5)).toContain('repeat with: VIGIL_FUZZ_SEED=5 npx vitest run a.test.ts -t ');
});

it.each([
  [
    'a property',
    ['Property failed after 3 tests\n{ seed: 5, path: "2:0:1", endOnFailure: true }'],
    "VIGIL_FUZZ_SEED=5 VIGIL_FUZZ_PATH=2:0:1 npx vitest run a.test.ts -t 'holds \\(always\\)'",
  ],
  ['a generated input', ['seed 17'], "VIGIL_FUZZ_SEED=17 npx vitest run a.test.ts -t 'holds \\(always\\)'"],
  [
    'a differential check',
    ['pipelines, seed 5, path 12:1\na difference'],
    "VIGIL_FUZZ_SEED=5 VIGIL_FUZZ_PATH=12:1 npx vitest run a.test.ts -t 'holds \\(always\\)'",
  ],
])('A failure of %s is repeated by a command', (_, messages, command) => {
  const report = failureReport({ ...TEST, messages }, 5);
  expect(report).toBe(`a.test.ts > Suite > holds (always)\n  repeat with: ${command}`);
});

it('A test whose name has the seed of the run is found with another seed', () => {
  const report = failureReport({ ...TEST, name: "it's from seed 5", messages: ['seed 17'] }, 5);
  expect(report).toMatch(/-t 'it'\\''s from seed \\d\+'$/);
});

/** In a process of its own, without the setup of a whole run. */
const RUN = `
await import('./test/support/fuzz-seed.ts');
const { startVitest } = await import('vitest/node');
const support = (name) => './test/support/' + name + '.ts';
const setupFiles = ['seeded-properties', 'reported-failures'].map(support);
const reporters = [support('failure-reporter')];
const vitest = await startVitest('test', [], {
  ...{ config: false, watch: false, include: [support('failing-tests')], setupFiles, reporters },
});
await vitest.close();
`;

function runFailing(variables: Readonly<Record<string, string>>): string {
  const { VIGIL_FUZZ_PATH: _, ...environment } = process.env;
  const env = { ...environment, ...variables };
  const args = ['--input-type=module', '--eval', RUN];
  return spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' }).stdout;
}

it('A failed test is reported with the last lines of its services and with its seed; others are not', () => {
  const output = runFailing({ VIGIL_FUZZ_SEED: '7' });
  const lines = Array.from({ length: 40 }, (_, at) => ` info request {"line":${21 + at}}`);
  expect(output.match(/ info request .*$/gm)).toEqual(lines);
  expect(output).toContain('  last lines of process B:\n    ready\n    broken\n');
  expect(output).toMatch(
    /VIGIL_FUZZ_SEED=7 VIGIL_FUZZ_PATH=0\S* npx vitest run \S+ -t 'fails with a generated case'\n/,
  );
  expect(output.match(/repeat with/g)).toHaveLength(2);
  expect(output).not.toContain('passing');
});

it('A run with a drawn seed has one for all its processes and says it first', () => {
  const output = runFailing({ VIGIL_FUZZ_SEED: 'random', npm_lifecycle_event: 'test:rest' });
  const [, seed] = /^seed (\d+): VIGIL_FUZZ_SEED=\1 npm run test:rest repeats it\n/.exec(output) ?? [];
  expect(seed).toBeDefined();
  expect(output).toContain(`repeat with: VIGIL_FUZZ_SEED=${seed} `);
});
