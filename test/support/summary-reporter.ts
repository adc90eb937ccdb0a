// Ends the output with what the run has cost, which files were the dearest, what it has left out, which tests failed, and one
// plain line of counts: the end is all that is left of a long output.
// With CI=true every skip is a failure; a promise that an engine declines, with its reason, is no skip: there is nothing to run.

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { QUICK, REST } from '#test/parts.ts';
import type { FileCost } from './file-cost.ts';
import { ROOT } from './sources.ts';
import { costKey, readTimes, TIMES_FILE, type Times } from './times.ts';

const DEAREST = 10;
/** What `npm test` may take on two quiet cores. */
const MAX_QUICK_SECONDS = 8 * 60;

interface Costly extends FileCost {
  readonly project: string;
  readonly file: string;
}

export default class ClosingLines implements Reporter {
  #vitest: Vitest | undefined;
  #begun = 0;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    this.#begun = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const seconds = (performance.now() - this.#begun) / 1000;
    const costs = modules.flatMap(costOf);
    console.log(`\n${costLines(costs, seconds).join('\n')}`);
    for (const line of this.#leftOut(modules, seconds)) console.log(line);
    if (process.env.VIGIL_TEST_TIMES === 'write') writeTimes(costs);
    closingLine(modules);
  }

  /** Nothing for a run of chosen files, or of parts that `npm test` does not have. */
  #leftOut(modules: readonly TestModule[], seconds: number): readonly string[] {
    const names = new Set(this.#vitest?.projects.map(({ name }) => name));
    const isWhole = modules.length >= Object.values(QUICK).reduce((sum, { files }) => sum + files.length, 0);
    const isQuick = Object.keys(QUICK).every((name) => names.has(name)) && names.size === Object.keys(QUICK).length;
    if (!isQuick || !isWhole) return [];
    const late = `WARNING: npm test took ${duration(seconds)}, more than ${duration(MAX_QUICK_SECONDS)}`;
    return [
      ...(seconds > MAX_QUICK_SECONDS ? [late] : []),
      `left out: ${Object.keys(REST).join(', ')} (npm run test:rest, or npm run test:NAME)`,
    ];
  }
}

const costOf = (module: TestModule): Costly[] => {
  const { cost } = module.meta();
  const file = relative(ROOT, module.moduleId);
  return cost ? [{ ...cost, project: module.project.name, file }] : [];
};

function costLines(costs: readonly Costly[], seconds: number): string[] {
  const processor = costs.reduce((sum, { processorSeconds }) => sum + processorSeconds, ownSeconds());
  const dearest = costs.toSorted((one, other) => other.processorSeconds - one.processorSeconds).slice(0, DEAREST);
  return [
    `${duration(seconds)} of time, ${duration(processor)} of processor time; the dearest files:`,
    ...dearest.map(
      ({ processorSeconds, seconds: own, file, project }) =>
        `${fixed(processorSeconds)} s of processor time, ${fixed(own)} s: ${file} (${project})`,
    ),
  ];
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const fixed = (seconds: number): string => seconds.toFixed(1).padStart(6);
const duration = (seconds: number): string => `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;

/** Of the files that take a second or more, and of parts that did not run; `longest-first.ts` begins with the longest. */
function writeTimes(costs: readonly Costly[]): void {
  const parts = new Set(costs.map(({ project }) => project));
  const others = Object.entries(readTimes()).filter(([key]) => !parts.has(key.split(' ')[0] ?? ''));
  const own = costs
    .filter(({ seconds }) => seconds >= 1)
    .map(({ project, file, seconds, processorSeconds }): [string, Times[string]] => [
      costKey(project, file),
      [Math.round(seconds), Math.round(processorSeconds)],
    ]);
  const times = [...others, ...own].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = times.map(([key, values]) => `  ${JSON.stringify(key)}: [${values.join(', ')}]`);
  writeFileSync(TIMES_FILE, `{\n${lines.join(',\n')}\n}\n`);
}

const MAX_MESSAGE = 300;

/** A line for each failed test and for each file that does not load, with the beginning of its error. */
function failureLines(modules: readonly TestModule[]): string[] {
  const broken = modules.map((module) => ({ name: module.relativeModuleId, errors: module.errors() }));
  const failed = modules
    .flatMap((module) => [...module.children.allTests('failed')])
    .map((test) => ({
      name: `${test.module.relativeModuleId} > ${test.fullName}`,
      errors: test.result().errors ?? [],
    }));
  return [...broken.filter(({ errors }) => errors.length > 0), ...failed].map(
    ({ name, errors }) => `FAILED ${name}: ${errors[0]?.message.replaceAll(/\s+/g, ' ').slice(0, MAX_MESSAGE)}`,
  );
}

function closingLine(modules: readonly TestModule[]): void {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  // A file that does not even load has no tests to count.
  const broken = modules.filter((module) => module.errors().length > 0).length;
  const declined = tests.filter(({ name }) => name.includes('(declined: ')).length;
  const skipped = count('skipped') - declined;
  for (const line of failureLines(modules)) console.log(line);
  console.log(
    `\n${count('passed')} passed, ${count('failed') + broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  if (skipped > 0 && process.env.CI === 'true') process.exitCode = 1;
}
