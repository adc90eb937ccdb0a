// Begins with the files that take longest, so that no worker is left alone with one of them at the end, and spreads those that
// wait among the others, so that the processors have work meanwhile. A checkout has no times of earlier runs, and the size
// of a file says little about its time.

import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Wait for processes, connections and timers. */
const WAITING = [
  'test/schema/schema.test.ts',
  'test/crash/*.test.ts',
  'test/documents.test.ts',
  'src/store/broken-connections.test.ts',
  'test/demo.test.ts',
  'test/contract/queries/admission.test.ts',
  'test/contract/{store-outage,log-lease,file-modes}.test.ts',
  'test/collectors/{many-files,syslog-limits}.test.ts',
  'test/protection/{secrecy,upload-crashes}.test.ts',
  'src/resources/lookups/lookup-crash.test.ts',
];

/** More than ten seconds of a processor. */
const LONG = [
  'src/query/statements/{fulltext,windows}.test.ts',
  'test/differential/differential.test.ts',
  'src/engines/duckdb/{engine,engine-on-postgres}.test.ts',
  'test/contract/queries/{disturbances,counts}.test.ts',
  'src/cli/key/renew-audit-gap.test.ts',
  'test/collectors/files.test.ts',
  'src/objects/families.test.ts',
  'src/query/statements/pipelines.test.ts',
];

/** A worker of three waits, the others work. */
const OTHERS_PER_WAITING = 2;

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const [waiting, long] = [WAITING, LONG].map((patterns) => ranksOf(patterns, root));
    const groups = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...groups.values()].flatMap((sorted) => spread(sorted, waiting ?? new Map(), long ?? new Map(), root));
  }
}

type Ranks = ReadonlyMap<string, number>;

function spread(sorted: readonly TestSpecification[], waiting: Ranks, long: Ranks, root: string): TestSpecification[] {
  const rankIn = (ranks: Ranks, { moduleId }: TestSpecification) => ranks.get(relative(root, moduleId));
  const byRank = (ranks: Ranks) => (a: TestSpecification, b: TestSpecification) =>
    (rankIn(ranks, a) ?? ranks.size) - (rankIn(ranks, b) ?? ranks.size);
  const isWaiting = (file: TestSpecification) => rankIn(waiting, file) !== undefined;
  const others = sorted.filter((file) => !isWaiting(file)).toSorted(byRank(long));
  const among = sorted.filter(isWaiting).toSorted(byRank(waiting));
  const mixed = among.flatMap((file, at) => [
    file,
    ...others.slice(at * OTHERS_PER_WAITING, (at + 1) * OTHERS_PER_WAITING),
  ]);
  return [...mixed, ...others.slice(among.length * OTHERS_PER_WAITING)];
}

function ranksOf(patterns: readonly string[], root: string): Ranks {
  const files = patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: root }).toSorted();
    if (found.length === 0) throw new Error(`no file of tests is called ${pattern}`);
    return found;
  });
  return new Map(files.map((file, rank) => [file, rank]));
}
