// Several services on one PostgreSQL database: one keeps the logs, and every other one is refused with words that say where.

import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { hostNodeName } from '#files/node-name.ts';
import { newGuid } from '#kernel/guid.ts';
import { createDatabase } from '#test/support/databases.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { callerOf } from '#test/support/process.ts';
import { client, ended, home } from '#test/support/process-suite.ts';
import { databases, MASTER_KEY } from '#test/support/service.ts';

const COMPANIES = '/api/core/companies';
const OWN_NAME = hostNodeName();
const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('The logs of one PostgreSQL database', () => {
  let environment: Record<string, string>;
  beforeEach(async () => {
    const database = await createDatabase(`t_${newGuid().replaceAll('-', '')}`);
    environment = { VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_DATABASE: database };
  });

  async function sql(text: string): Promise<Record<string, unknown>[]> {
    const connection = new pg.Client({ connectionString: environment.VIGIL_DATABASE });
    await connection.connect();
    const { rows } = await connection.query(text);
    await connection.end();
    return rows;
  }

  const sentence = (node: string) =>
    new RegExp(
      `^vigil: node ${node} keeps the logs of this database: use --logs, or --standby with its data folder$`,
      'm',
    );

  it('are kept once, though three services start at the same moment on an empty database', async () => {
    const started = [1, 2, 3].map((at) => home().serve({ ...environment, VIGIL_NODE: `n${at}` }));
    const outcomes = await Promise.all(
      started.map((process) =>
        process.ready().then(
          () => 'serves',
          () => 'refused',
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['refused', 'refused', 'serves']);
    const keeper = `n${outcomes.indexOf('serves') + 1}`;
    for (const [at, process] of started.entries()) {
      if (outcomes[at] === 'serves') continue;
      expect(await process.exited()).toBe(1);
      expect(process.output().stderr).toMatch(sentence(keeper));
      expect(process.output().stderr).not.toContain('    at ');
    }
    expect(await sql("select count(*)::int as n from users where login = 'master'")).toEqual([{ n: 1 }]);
    expect(await sql("select count(*)::int as n from audit_entries where method = 'install'")).toEqual([{ n: 1 }]);
  });

  it('are not lost to a second process on one data folder, which is refused', async () => {
    const installation = home();
    const first = installation.serve(environment);
    const service = client(await first.ready());
    const logger = await createLogger(service, { table: 'kept' });
    const second = installation.serve(environment);
    expect(await second.exited()).toBe(1);
    const { folder } = installation;
    expect(second.output().stderr).toContain(`the data folder ${folder}/data is in use by another Vigil process`);
    for (const n of [1, 2, 3]) expect((await push(service, logger, { body: `{"n":${n}}` })).status).toBe(200);
    await ended(first, 'SIGKILL');
    // The holder of the folder's lock does not wait until the lease of the dead process has ended.
    const again = client(await installation.serve(environment).ready());
    expect(await rowsOf(again, 'table kept | sort n | fields n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('stay where they are when their service has stopped: another folder is refused, in Korean too', async () => {
    const installation = home();
    const first = installation.serve(environment);
    await first.ready();
    expect(await ended(first, 'SIGTERM')).toBe(0);
    const other = home();
    const refused = other.serve(environment);
    expect(await refused.exited()).toBe(1);
    expect(refused.output().stderr).toMatch(sentence(OWN_NAME));
    const korean = other.serve({ ...environment, LANG: 'ko_KR.UTF-8' });
    expect(await korean.exited()).toBe(1);
    expect(korean.output().stderr).toContain(`노드 ${OWN_NAME}에 이 데이터베이스의 로그가 있습니다`);
    await installation.serve(environment).ready();
  });

  it('go with their folder when it is moved, and not with a copy while the service runs', async () => {
    const installation = home();
    const { folder } = installation;
    const first = installation.serve(environment);
    const service = client(await first.ready());
    const logger = await createLogger(service, { table: 'moved' });
    await push(service, logger, { body: '{"n":1}' });
    const copy = home();
    cpSync(join(folder, 'data/folder-id'), join(copy.folder, 'data/folder-id'));
    const refused = copy.serve(environment);
    expect(await refused.exited()).toBe(1);
    expect(refused.output().stderr).toMatch(sentence(OWN_NAME));
    await ended(first, 'SIGTERM');
    const moved = home();
    for (const part of ['data', 'keys']) renameSync(join(folder, part), join(moved.folder, part));
    const there = client(await moved.serve(environment).ready());
    expect(await rowsOf(there, 'table moved | stats count')).toEqual([{ count: 1 }]);
    expect(await sql('select path from logs_keeper')).toEqual([{ path: join(moved.folder, 'data') }]);
  });

  it('are left to another folder by a first start that has installed nothing', async () => {
    const failed = home().serve({ ...environment, VIGIL_MASTER_KEY: 'x'.repeat(31) });
    expect(await failed.exited()).toBe(2);
    await home().serve(environment).ready();
  });

  it('of an older version are not given to a folder without any, and to theirs at once', async () => {
    const installation = home();
    const first = installation.serve({ ...environment, VIGIL_SEGMENT_ROWS: '1' });
    const service = client(await first.ready());
    const logger = await createLogger(service, { table: 'older' });
    for (const n of [1, 2, 3]) await push(service, logger, { body: `{"n":${n}}` });
    await expect.poll(() => sql('select count(*)::int as n from log_segments')).not.toEqual([{ n: 0 }]);
    await ended(first, 'SIGKILL');
    await sql('delete from logs_keeper');
    const other = home();
    const refused = other.serve(environment);
    expect(await refused.exited()).toBe(1);
    const { folder } = other;
    expect(refused.output().stderr).toContain(`lists records that the data folder ${folder}/data does not hold`);
    const again = client(await installation.serve(environment).ready());
    expect(await rowsOf(again, 'table older | stats count')).toEqual([{ count: 3 }]);
  });

  it('of a newer version are left alone', async () => {
    const installation = home();
    const first = installation.serve(environment);
    await first.ready();
    await ended(first, 'SIGTERM');
    await sql("insert into migrations values (1000, 'of a newer version')");
    const refused = installation.serve(environment);
    expect(await refused.exited()).toBe(1);
    expect(refused.output().stderr).toMatch(
      /^vigil: the database is at migration 1000, this version knows \d+: run the/,
    );
  });

  it('are given up by a process whose lease was taken: it writes nothing more, and ends', async () => {
    const installation = home();
    const running = installation.serve(environment);
    const { call } = callerOf(await running.ready());
    expect((await call('POST', COMPANIES, { form: { name: 'before' } })).status).toBe(200);
    await sql(`update logs_keeper set lease = '${newGuid()}'`);
    const late = await call('POST', COMPANIES, { form: { name: 'after' } }).catch(() => undefined);
    expect(late?.status).not.toBe(200);
    expect(await running.exited()).toBe(1);
    expect(running.output().stderr).toContain('another process keeps the logs of this database now');
    expect(await sql("select name from companies where name in ('before', 'after')")).toEqual([{ name: 'before' }]);
  });
});
