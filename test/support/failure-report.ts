// What is reported of a failed test beside its error: the last lines of its services, and how to repeat it with the same
// generated cases.

import { SUITE_SEED } from './fuzz-seed.ts';
import type { ReportedTail } from './log-tails.ts';

export interface FailedTest {
  /** Path below the folder of the project. */
  readonly file: string;
  readonly name: string;
  /** The name after those of its suites. */
  readonly fullName: string;
  readonly messages: readonly string[];
  readonly tails: readonly ReportedTail[];
}

/** Undefined if there is nothing to add to the error. `seed` is the seed of the run. */
export function failureReport(test: FailedTest, seed: number): string | undefined {
  const parts = [...test.tails.map(tailText), ...repetitionOf(test, seed)];
  return parts.length === 0 ? undefined : [`${test.file} > ${test.fullName}`, ...parts].join('\n');
}

function tailText({ name, lines }: ReportedTail): string {
  const title = `  last lines of ${name}:`;
  return lines.length === 0 ? `${title} none` : [title, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** The seed of one case, as fast-check and the checks of generated inputs report it. */
const CASE_SEED = /\bseed:? (-?\d+)/;
const CASE_PATH = /\bpath:? "?(\d[\d:]*)/;

function repetitionOf({ file, name, messages }: FailedTest, seed: number): string[] {
  const message = messages.find((one) => CASE_SEED.test(one)) ?? '';
  if (message === '' && seed === SUITE_SEED) return [];
  const [, caseSeed = String(seed)] = CASE_SEED.exec(message) ?? [];
  const [, path] = CASE_PATH.exec(message) ?? [];
  const variables = [`VIGIL_FUZZ_SEED=${caseSeed}`, ...(path === undefined ? [] : [`VIGIL_FUZZ_PATH=${path}`])];
  return [`  repeat with: ${variables.join(' ')} npx vitest run ${file} -t ${quoted(patternOf(name, seed))}`];
}

/** Matches the test however its name spells the seed of the run. */
const patternOf = (name: string, seed: number): string =>
  name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(`seed ${seed}`, 'seed \\d+');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
