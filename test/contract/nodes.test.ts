// The nodes of one PostgreSQL database, each a process of its own.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hostNodeName } from '#files/node-name.ts';
import { newGuid } from '#kernel/guid.ts';
import { createCollector } from '#test/support/collectors.ts';
import { createDatabase } from '#test/support/databases.ts';
import { freePort } from '#test/support/free-port.ts';
import { makeHome, type VigilProcess } from '#test/support/process.ts';
import { databases, MASTER_KEY, send, type Wire } from '#test/support/service.ts';

const postgres = databases.find(({ name }) => name === 'postgres');

function home() {
  const made = makeHome();
  onTestFinished(() => made[Symbol.dispose]());
  return made;
}

/** The calls of `test/support/service.ts`, to a process. */
const client = (url: string) => ({
  call: (method: string, path: string, options?: Parameters<typeof send>[2]) => send(`${url}${path}`, method, options),
});

async function ended(process: VigilProcess, signal: NodeJS.Signals): Promise<number | null> {
  process.child.kill(signal);
  return await process.exited();
}

describe.skipIf(postgres?.skip)('A node of one PostgreSQL database', () => {
  let environment: Record<string, string>;
  beforeEach(async () => {
    const database = await createDatabase(`t_${newGuid().replaceAll('-', '')}`);
    environment = { VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_DATABASE: database };
  });

  const nodesAt = async (url: string): Promise<string[][]> =>
    (await send(`${url}/api/core/nodes`, 'GET')).json.nodes.map(({ name, state }: Wire) => [name, state]);

  it('has the name that its folder has kept since the first start, and `vigil` in an older folder', async () => {
    const installation = home();
    const started = async (own: Record<string, string> = {}) => {
      const process = installation.serve({ ...environment, ...own });
      return { process, url: await process.ready() };
    };
    const first = await started();
    const name = hostNodeName();
    expect(await nodesAt(first.url)).toEqual([[name, 'alive']]);
    expect(await ended(first.process, 'SIGTERM')).toBe(0);
    const renamed = await started({ VIGIL_NODE: 'renamed' });
    await ended(renamed.process, 'SIGKILL');
    const kept = await started();
    expect(await nodesAt(kept.url)).toEqual(
      [
        [name, 'gone'],
        ['renamed', 'alive'],
      ].toSorted(),
    );
    await ended(kept.process, 'SIGKILL');
    rmSync(join(installation.folder, 'data/node-name'));
    const older = await started();
    expect(await nodesAt(older.url)).toEqual(
      [
        [name, 'gone'],
        ['renamed', 'gone'],
        ['vigil', 'alive'],
      ].toSorted(),
    );
  });

  it('is not ready while another session holds the lock of the writers, nor on a database of a newer version', async () => {
    const url = await home().serve(environment).ready();
    const readiness = async () => {
      const { status, json } = await send(`${url}/readyz`, 'GET', { key: null });
      return [status, json.checks.store];
    };
    expect(await readiness()).toEqual([200, 'ok']);
    const other = new pg.Client({ connectionString: environment.VIGIL_DATABASE });
    await other.connect();
    await other.query(`begin; select pg_advisory_xact_lock(${0x56494749})`);
    expect(await readiness()).toEqual([503, 'no answer']);
    await other.query('rollback');
    await expect.poll(readiness, { timeout: 60_000 }).toEqual([200, 'ok']);
    await other.query("insert into migrations values (1000, 'of a newer version')");
    expect(await readiness()).toEqual([503, 'failed']);
    await other.query('delete from migrations where number = 1000');
    expect(await readiness()).toEqual([200, 'ok']);
    await other.end();
  });

  it('collects for its own loggers and those of every node, and those of a node that is gone have stopped', async () => {
    const installation = home();
    const first = installation.serve({ ...environment, VIGIL_NODE: 'n1' });
    const before = client(await first.ready());
    const configs = async () => ({ port: await freePort(), bind: '127.0.0.1' });
    const own = await createCollector(before, { table: 'own', factory: 'syslog-udp', configs: await configs() });
    const every = { table: 'every', factory: 'syslog-udp', configs: await configs(), fields: { node: '*' } } as const;
    const anywhere = await createCollector(before, every);
    const loggerAt = async ({ call }: typeof before, guid: string) =>
      (await call('GET', `/api/core/loggers/${guid}`)).json.logger;
    expect(await loggerAt(before, own)).toMatchObject({ node: 'n1', status: 'running', failure: null });
    expect(await loggerAt(before, anywhere)).toMatchObject({ node: '*', status: 'running', failure: null });
    await ended(first, 'SIGTERM');

    const after = client(await installation.serve({ ...environment, VIGIL_NODE: 'n2' }).ready());
    const left = await loggerAt(after, own);
    expect(left).toMatchObject({ node: 'n1', status: 'stopped', failure: 'node is gone: n1' });
    expect(await loggerAt(after, anywhere)).toMatchObject({ status: 'running', failure: null });
    const { model_guid, name, table_name } = left;
    const form = { model_guid, name, table_name, enabled: 'true', configs: JSON.stringify(left.configs) };
    const moved = await after.call('PUT', `/api/core/loggers/${own}`, { form: { ...form, node: 'n2' } });
    expect(moved.status).toBe(200);
    expect(await loggerAt(after, own)).toMatchObject({ node: 'n2', status: 'running', failure: null });
  });
});
