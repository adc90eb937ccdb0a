// The nodes of one PostgreSQL database, each a process of its own.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { hostNodeName } from '#files/node-name.ts';
import { newGuid } from '#kernel/guid.ts';
import { createCollector } from '#test/support/collectors.ts';
import { createDatabase } from '#test/support/databases.ts';
import { freePort } from '#test/support/free-port.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { client, ended, home } from '#test/support/process-suite.ts';
import { databases, MASTER_KEY, send, type Wire } from '#test/support/service.ts';

const COMPANIES = '/api/core/companies';
const postgres = databases.find(({ name }) => name === 'postgres');

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
    await expect.poll(readiness).toEqual([200, 'ok']);
    await other.query("insert into migrations values (1000, 'of a newer version')");
    expect(await readiness()).toEqual([503, 'failed']);
    await other.query('delete from migrations where number = 1000');
    expect(await readiness()).toEqual([200, 'ok']);
    await other.end();
  });

  it('that stands by is listed and refuses everything, and starts in the place of the one that has gone', async () => {
    const installation = home();
    const first = installation.serve({ ...environment, VIGIL_NODE: 'n1' });
    const service = client(await first.ready());
    const logger = await createLogger(service, { table: 'kept' });
    await push(service, logger, { body: '{"n":1}' });
    const standby = { ...environment, VIGIL_STANDBY: 'true' };
    const unnamed = installation.serve({ ...standby, VIGIL_NODE: 'n1' });
    expect(await unnamed.exited()).toBe(1);
    expect(unnamed.output().stderr).toContain('vigil: node name is in use: n1');

    const port = String(await freePort());
    const second = installation.serve({ ...standby, VIGIL_NODE: 'n2' }, { port });
    const waiting = client(`http://127.0.0.1:${port}`);
    const states = () => nodesAt(first.output().stdout.match(/ready at (\S+)/)?.[1] ?? '');
    await expect.poll(states).toEqual([
      ['n1', 'alive'],
      ['n2', 'standby'],
    ]);
    const refusal = { error_code: 'unavailable', error_msg: 'node is standing by: n1 keeps the logs' };
    await expect.poll(async () => (await waiting.call('GET', COMPANIES)).json).toEqual(refusal);
    const { status, headers } = await waiting.call('POST', COMPANIES, { form: { name: 'x' } });
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    const readiness = await waiting.call('GET', '/readyz', { key: null });
    expect([readiness.status, readiness.json.checks.store]).toEqual([503, refusal.error_msg]);

    const third = installation.serve({ ...standby, VIGIL_NODE: 'n3' });
    await expect.poll(states).toContainEqual(['n3', 'standby']);
    expect(await ended(third, 'SIGTERM')).toBe(0);
    expect(await states()).toEqual([
      ['n1', 'alive'],
      ['n2', 'standby'],
    ]);

    await ended(first, 'SIGKILL');
    const url = await second.ready();
    expect(await nodesAt(url)).toEqual([['n1', 'alive']]);
    expect(await rowsOf(waiting, 'table kept | fields n, _node')).toEqual([{ n: 1, _node: 'n1' }]);
    expect((await push(waiting, logger, { body: '{"n":2}' })).status).toBe(200);
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
