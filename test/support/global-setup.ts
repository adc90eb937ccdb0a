// Starts what the tests need before any of them runs: one PostgreSQL server for all.

import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty when no server could be had; `postgresReason` then says why. */
    postgresUrl: string;
    postgresReason: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => void> {
  const server = await startPostgres();
  if ('reason' in server) {
    if (process.env.CI === 'true') throw new Error(`with CI=true a skipped suite is a failure: ${server.reason}`);
    console.error(`\n*** SUITES ON POSTGRESQL ARE SKIPPED: ${server.reason} ***\n`);
    project.provide('postgresUrl', '');
    project.provide('postgresReason', server.reason);
    return () => undefined;
  }
  project.provide('postgresUrl', server.url);
  project.provide('postgresReason', '');
  return () => server.stop();
}
