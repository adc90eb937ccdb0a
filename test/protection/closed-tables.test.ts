// A service whose master secret is missing, or another one, does not start. That of an older version, whose database does not
// know its secret yet, starts, says so, and answers for all other tables.

import { once } from 'node:events';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { type Home, makeHome, type VigilProcess } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { outcome, refused } from '#test/support/suites.ts';

const PROFILE = 'cccccccc-0000-4000-8000-00000000000c';
const TABLES = '/api/core/tables';
const illegal = (message: string) => refused(500, 'illegal-state', message);

const SITUATIONS = [
  {
    it: 'missing',
    spoil: (file: string) => rmSync(file),
    language: 'en_US.UTF-8',
    refuses: 'master secret is not that of this installation',
    says: (file: string) =>
      `vigil: the master secret ${file} is missing. The tables under the crypto profiles 결제 stay closed, all others work.`,
  },
  {
    it: 'wrong',
    spoil: (file: string) => writeFileSync(file, Buffer.alloc(32, 9)),
    language: 'ko_KR.UTF-8',
    refuses: '마스터 시크릿이 이 설치의 것이 아닙니다',
    says: (file: string) =>
      `vigil: 마스터 시크릿 파일이 암호화 프로파일을 만들 때 쓴 것이 아닙니다: ${file}, 프로파일 결제.`,
  },
];

describe.each(SITUATIONS)('While the master secret is $it', ({ it: state, spoil, language, refuses, says }) => {
  let home: Home;
  let running: VigilProcess;
  let service: Pick<Service, 'call'>;
  const loggers: Record<string, string> = {};
  const secret = () => join(home.folder, 'keys/master-secret');
  const call: Service['call'] = (...args) => service.call(...args);
  const query = async (text: string) => outcome(await call('GET', `/api/core/query?q=${encodeURIComponent(text)}`));

  async function start(): Promise<void> {
    running = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, LANG: language });
    await running.said('http://');
    const [url = ''] = /http:\/\/[\d.]+:\d+/.exec(running.output().stdout) ?? [];
    service = { call: (method, path, options) => send(`${url}${path}`, method, options) };
  }
  function metadata(sql: string): Record<string, unknown>[] {
    const database = new DatabaseSync(join(home.folder, 'data/metadata.db'));
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  }
  async function stop(): Promise<void> {
    running.child.kill('SIGTERM');
    await once(running.child, 'close');
  }

  beforeAll(async () => {
    home = makeHome();
    await start();
    await created(service, '/api/core/crypto-profiles', { name: '결제', guid: PROFILE });
    const tables = {
      sealed: { crypto_profile_guid: PROFILE, encryption: 'true' },
      checked: { crypto_profile_guid: PROFILE },
      open: {},
    };
    for (const [table, storage] of Object.entries(tables)) {
      loggers[table] = await createLogger(service, { table, storage });
      await push(service, loggers[table], { body: '{"n":1}' });
    }
    await stop();
    copyFileSync(secret(), join(home.folder, 'copy'));
    spoil(secret());
  });
  afterAll(() => home[Symbol.dispose]());

  it('the service does not start, and names the secret that it needs', async () => {
    const [{ value: fingerprint } = {}] = metadata("select value from installation where key = 'master-secret'");
    const refused = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, LANG: language });
    expect(await refused.exited()).toBe(1);
    const { stderr } = refused.output();
    expect(stderr.startsWith(`vigil: ${refuses}: ${fingerprint}; `), stderr).toBe(true);
    expect(stderr).toContain(secret());
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('a service of an older version starts and says what is wrong and what to do, on standard error and in its log', async () => {
    metadata("delete from installation where key = 'master-secret' returning key");
    await start();
    await expect.poll(() => running.output().stderr).toContain(says(secret()));
    await expect.poll(() => running.output().stderr).toContain(`"msg":"the master secret is ${state}, and the tables`);
    expect(running.output().stderr).toContain('--keys');
    expect(outcome(await call('GET', '/readyz'))[0]).toBe(200);
  });

  it.each(['sealed', 'checked'])('everything that needs the records of table %s is refused', async (table) => {
    const closed = illegal(`table is closed: ${table}`);
    expect(await query(`table ${table}`)).toEqual(closed);
    expect(await query(`table ${table} | stats count`)).toEqual(closed);
    expect(outcome(await push(service, loggers[table] ?? '', { body: '{"n":2}' }))).toEqual(closed);
    const form = { start: '2024-01-01', end: '2030-01-01' };
    expect(outcome(await call('DELETE', `${TABLES}/${table}/partitions`, { form }))).toEqual(closed);
    const { json } = await call('GET', `${TABLES}/${table}`);
    expect(json.table).toMatchObject({ table_name: table, encrypted: table === 'sealed' });
  });

  it('other tables work, and nothing new comes under a key that cannot be had', async () => {
    expect((await push(service, loggers.open ?? '', { body: '{"n":2}' })).status).toBe(200);
    expect(await rowsOf(service, 'table open | stats count')).toEqual([{ count: 2 }]);
    const form = { table: 'new', crypto_profile_guid: PROFILE };
    expect(outcome(await call('POST', TABLES, { form }))).toEqual(illegal(`crypto profile is closed: ${PROFILE}`));
    expect(outcome(await call('POST', '/api/core/crypto-profiles', { form: { name: 'new' } }))).toEqual(
      illegal(`master secret is ${state}`),
    );
    expect(existsSync(secret())).toBe(state === 'wrong');
  });

  it('a closed table can be dropped', async () => {
    const logger = loggers.checked ?? '';
    expect((await call('DELETE', '/api/core/loggers', { form: { guids: logger, drop_table: 'true' } })).json).toEqual({
      failures: [],
    });
    expect((await call('GET', `${TABLES}/checked`)).json.table).toBeNull();
  });

  it('nothing is lost: with the secret back in its place the records are there', async () => {
    await stop();
    copyFileSync(join(home.folder, 'copy'), secret());
    await start();
    expect(running.output().stderr).not.toContain('master secret');
    expect(await rowsOf(service, 'table sealed | stats count')).toEqual([{ count: 1 }]);
    await stop();
  });
});
