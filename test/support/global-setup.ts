// Prepares what the parts of a run need before any test: one PostgreSQL server for all, databases with all migrations, the
// bundle, which suites that start the executable run, and the programs that a part names. `npm test` installs nothing.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { CONSOLE_FOLDER, isCurrent } from '#runtime/bundle.ts';
import { type Part, type Program, QUICK, REST } from '#test/parts.ts';
import { chromiumMissing } from './chromium.ts';
import { type ClickhouseProgram, clickhouseProgram } from './clickhouse.ts';
import { migrateTemplates } from './databases.ts';
import { oldClickhouseMissing } from './debian-clickhouse.ts';
import { mariadbMissing } from './mariadb.ts';
import { startPostgres } from './postgres.ts';
import { rsyslogMissing } from './rsyslog.ts';
import { ROOT } from './sources.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty when no server could be had; `postgresReason` then says why. */
    postgresUrl: string;
    postgresReason: string;
    databases: Part['databases'];
    outside: Part['outside'];
    /** Of the files of services and engines in the processes of tests. */
    folder: string;
    /** Of a metadata file with all migrations. */
    migratedFolder: string;
    /** Why no MariaDB server can be had; empty where one can. */
    mariadbReason: string;
    /** Why rsyslog cannot be run; empty where it can. */
    rsyslogReason: string;
    /** Why no browser can be run; empty where it can. */
    chromiumReason: string;
    clickhouse: ClickhouseProgram;
    /** Why no ClickHouse 18.16 can be run; empty where it can. */
    oldClickhouseReason: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const isBuilt = isCurrent() && isCurrent(ROOT, CONSOLE_FOLDER);
  if (!isBuilt) execFileSync(process.execPath, [join(ROOT, 'bin/build.ts')], { stdio: 'inherit' });
  const server = await startPostgres();
  const reason = 'reason' in server ? server.reason : '';
  const url = 'reason' in server ? '' : server.url;
  project.provide('postgresUrl', url);
  project.provide('postgresReason', told('postgresql', reason));
  const parts = partsOf(project);
  const missing = (program: Program, reasonOf: () => string) =>
    parts.some(({ needs }) => needs.includes(program)) ? told(program, reasonOf()) : notNeeded(program);
  // Once, and not by several suites at a time: the package manager lets only one work.
  project.provide('mariadbReason', missing('mariadb', mariadbMissing));
  project.provide('rsyslogReason', missing('rsyslog', rsyslogMissing));
  project.provide('chromiumReason', missing('chromium', chromiumMissing));
  project.provide('oldClickhouseReason', missing('old-clickhouse', oldClickhouseMissing));
  // Services of several nodes keep their logs there.
  const hasNodes = Number(process.env.VIGIL_TEST_NODES ?? 1) > 1;
  const needsClickhouse = hasNodes || parts.some(({ needs }) => needs.includes('clickhouse'));
  const clickhouse = needsClickhouse ? await clickhouseProgram() : { python: '', reason: notNeeded('clickhouse') };
  const clickhouseReason = needsClickhouse ? told('clickhouse', clickhouse.reason) : clickhouse.reason;
  project.provide('clickhouse', { ...clickhouse, reason: clickhouseReason });
  const folder = mkdtempSync(join(fastFolder(), 'vigil-tests-'));
  project.provide('folder', folder);
  project.provide('migratedFolder', await migrateTemplates(folder, url));
  return async () => {
    if (!('reason' in server)) server.stop();
    await removeFolders('reason' in server ? [folder] : [folder, server.folder]);
  };
}

/**
 * In a process of its own: the databases of a whole run are some hundred thousand files, and vitest reports every worker
 * that it does not hear of for ten seconds.
 */
async function removeFolders(folders: readonly string[]): Promise<void> {
  await promisify(execFile)('rm', ['-rf', ...folders]);
}

const IN_MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4 * 2 ** 30;

/** Every change is flushed to disk, and suites would wait for it most of their time. Suites that kill processes use a disk. */
function fastFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < MIN_FREE_BYTES ? tmpdir() : IN_MEMORY;
}

/** Those of the run; without `--project` all. */
function partsOf({ vitest }: TestProject): readonly Part[] {
  const names = new Set(vitest.projects.map(({ name }) => name));
  return Object.entries({ ...QUICK, ...REST }).flatMap(([name, part]) => (names.has(name) ? [part] : []));
}

const notNeeded = (program: Program): string => `${program} is not prepared: no part of this run needs it`;

function told(what: string, reason: string): string {
  if (reason === '') return reason;
  if (process.env.CI === 'true') throw new Error(`with CI=true a skipped suite is a failure: ${reason}`);
  console.error(`\n*** SUITES ON ${what.toUpperCase()} ARE SKIPPED: ${reason} ***\n`);
  return reason;
}
