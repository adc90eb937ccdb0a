// Begins with the files that take longest, so that no worker is left alone with one of them at the end, and spreads those that
// wait among the others, so that the processors have work meanwhile. A checkout has no times of earlier runs, and the size
// of a file says little about its time.

import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Wait for processes, connections and timers; those that wait longest come first. */
const WAITING = [
  'test/schema/schema.test.ts',
  'test/contract/{store-outage,full-disk-cursors}.test.ts',
  'test/documents.test.ts',
  'src/store/broken-connections.test.ts',
  'test/contract/queries/admission.test.ts',
  'test/crash/*.test.ts',
  'test/contract/{connections,log-lease,import-as-a-user}.test.ts',
  'test/demo.test.ts',
  'test/protection/secrecy.test.ts',
  'src/resources/upload-streams/dropped.test.ts',
  'test/collectors/{many-files,syslog-limits}.test.ts',
  'src/cli/import/import.test.ts',
  'test/contract/{file-modes,process}.test.ts',
  'test/protection/upload-crashes.test.ts',
  'src/resources/lookups/lookup-crash.test.ts',
];

/** More than ten seconds while two other workers work; those that take longest come first. */
const LONG = [
  'src/engines/duckdb/{engine,engine-on-postgres}.test.ts',
  'src/engines/clickhouse/{engine,faults}.test.ts',
  'test/differential/differential.test.ts',
  'src/query/statements/{windows,fulltext}.test.ts',
  'test/contract/{audit-truth,log-values}.test.ts',
  'src/engines/duckdb/storage/corruption.test.ts',
  'test/contract/queries/running.test.ts',
  'test/contract/databases.test.ts',
  'test/collectors/files.test.ts',
  'src/query/statements/pipelines.test.ts',
  'src/query/sql/element-limits.test.ts',
  'test/contract/queries/disturbances.test.ts',
  'src/engines/duckdb/reads/word-selection.test.ts',
  'test/contract/scheduled-queries/workflows.test.ts',
  'src/engines/duckdb/storage/run-files.test.ts',
  'src/objects/families.test.ts',
  'src/query/statements/host.test.ts',
  'src/cli/key/{renew-audit-gap,renew-audit}.test.ts',
  'test/contract/queries/{charts,counts,secrecy,catalog-counts,races}.test.ts',
  'src/resources/query/{file-drivers,too-large,host-commands}.test.ts',
  'test/contract/{full-disk,slow-readers}.test.ts',
  'test/collectors/{syslog,syslog-tls}.test.ts',
  'test/contract/rules/{restore,parameters,dataset-rights}.test.ts',
  'src/query/values/{dates,aggregates,regexes,examples}.test.ts',
  'src/audit/verify-service.test.ts',
  'src/engines/duckdb/storage/merge.test.ts',
  'src/resources/audit-logs/filters.test.ts',
  'test/protection/{keyed-tables,closed-tables,upload-damage}.test.ts',
  'src/engines/duckdb/reads/newest-first.test.ts',
  'src/scheduler/orphaned-runs.test.ts',
  'test/contract/scheduled-queries/{remove-and-stop,settings}.test.ts',
  'test/contract/detection/failure-alarms.test.ts',
  'src/query/statements/{examples,charts,keys}.test.ts',
  'src/resources/loggers/push-limits.test.ts',
  'src/resources/queries/sessions.test.ts',
  'test/contract/database-examples.test.ts',
  'test/contract/stream-rules/selection.test.ts',
  'src/resources/upload-streams/concurrency.test.ts',
  'src/cli/import/repeated-import.test.ts',
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
