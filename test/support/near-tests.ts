// Chooses the tests that are worth running while a line is being changed.

import { dirname } from 'node:path';
import { QUICK, REST } from '#test/parts.ts';
import { allImports, type Imports, importersOf, reachedFrom } from './imports.ts';
import { sourcesIn } from './sources.ts';
import { costKey, readTimes } from './times.ts';

/** They hold the structure of the project, whatever has changed. */
export const STRUCTURE = [
  'answers',
  'document-paths',
  'import-cycles',
  'layers',
  'plan-nodes',
  'registries',
  'repository',
  'sizes',
  'words',
].map((name) => `test/${name}.test.ts`);

/** Of worker time: three workers are done with it in half a minute, the set-up and a build of the bundle included. */
const MAX_SECONDS = 30;
/** Of a file that took less than a second when times were written. */
const SHORT_SECONDS = 0.5;

interface NearTest {
  readonly file: string;
  readonly part: string;
  readonly seconds: number;
}

interface Choice {
  readonly chosen: readonly NearTest[];
  /** They are near, but take too long. */
  readonly tooLong: readonly NearTest[];
  /** How many files more following all imports would run. */
  readonly deeper: number;
}

export function chooseNear({ changed, isDeep }: { changed: readonly string[]; isDeep: boolean }): Choice {
  const sources = sourcesIn('src/**/*.ts', 'test/**/*.ts', 'console/src/**/*.{ts,tsx}');
  const importers = importersOf(new Map(sources.map((source) => [source.path, allImports(source)])));
  const tests = new Set(sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts')));
  const near = new Set([...STRUCTURE, ...nearestFirst(changed, importers, tests)]);
  const further = [...reachedFrom(changed, importers)].filter((path) => tests.has(path) && !near.has(path));
  if (isDeep) return { chosen: inParts([...near, ...further]), tooLong: [], deeper: 0 };
  return { ...withinTime(inParts([...near]), changed), deeper: further.length };
}

/** Changed tests, those of the same name, those that import a changed file, and the others of its folder. */
function nearestFirst(changed: readonly string[], importers: Imports, tests: ReadonlySet<string>): string[] {
  const sameName = changed.map((path) => path.replace(/\.tsx?$/, '.test.ts'));
  const direct = changed.flatMap((path) => importers.get(path) ?? []);
  const isSource = (path: string) => /\.tsx?$/.test(path) && !tests.has(path);
  const folders = new Set(changed.filter(isSource).map(dirname));
  const beside = [...tests].filter((path) => folders.has(dirname(path)));
  return [...changed, ...sameName, ...direct, ...beside].filter((path) => tests.has(path));
}

/** Each in the first part of the suite that has it: those of `npm test` come first. */
function inParts(files: readonly string[]): NearTest[] {
  const times = readTimes();
  const parts = Object.entries({ ...QUICK, ...REST });
  return files.flatMap((file) => {
    const part = parts.find(([, { files: own }]) => own.includes(file))?.[0];
    return part ? [{ file, part, seconds: times[costKey(part, file)]?.[0] ?? SHORT_SECONDS }] : [];
  });
}

/** Of parts that `npm test` leaves out, only what has changed itself: they need programs, or a quiet machine. */
function withinTime(tests: readonly NearTest[], changed: readonly string[]): Pick<Choice, 'chosen' | 'tooLong'> {
  const chosen: NearTest[] = [];
  const tooLong: NearTest[] = [];
  let seconds = 0;
  for (const test of tests) {
    const isNear = Object.hasOwn(QUICK, test.part) || changed.includes(test.file);
    const isShort = isNear && seconds + test.seconds <= MAX_SECONDS;
    if (isShort) seconds += test.seconds;
    (isShort ? chosen : tooLong).push(test);
  }
  return { chosen, tooLong };
}
