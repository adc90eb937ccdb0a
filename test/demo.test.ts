import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { expectChained, exportedEntries } from '#test/support/audit.ts';
import { createDatabase } from '#test/support/databases.ts';
import { callerOf, makeHome, type VigilProcess } from '#test/support/process.ts';
import { databases, MASTER_KEY, type Wire } from '#test/support/service.ts';

const DEMO = { VIGIL_DEMO: 'true', VIGIL_MASTER_KEY: MASTER_KEY };
const CORE = '/api/core';
const HOURLY = 'de000014-0000-4000-8000-000000000001';
const LIVE = 'de000014-0000-4000-8000-000000000004';
const WEB_LOGGER = 'de000006-0000-4000-8000-000000000001';
const SYSLOG_LOGGER = 'de000006-0000-4000-8000-000000000005';

describe('A demo', () => {
  const home = makeHome();
  let running: VigilProcess;
  let call: ReturnType<typeof callerOf>['call'];
  const get = async (path: string): Promise<Wire> => (await call('GET', CORE + path)).json;
  const query = async (text: string) =>
    (await call('GET', `${CORE}/query?q=${encodeURIComponent(text)}`)).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  async function start(): Promise<void> {
    running = home.serve(DEMO);
    call = callerOf(await running.ready()).call;
  }

  /** The account that the printed link signs in. */
  async function signedIn(): Promise<Wire> {
    await running.said('#code=');
    const [, code = ''] = /\/#code=([\w-]{43})$/m.exec(running.output().stdout) ?? [];
    return (await call('POST', `${CORE}/sessions`, { form: { code } })).json.user;
  }

  beforeAll(start);
  afterAll(() => home[Symbol.dispose]());

  it('prints the keys of its accounts and what to try; it says what it is doing while it is made', async () => {
    await running.said('rule restore');
    const { stdout, stderr } = running.output();
    const keys = [...stdout.matchAll(/^ {2}(\w+) +([A-Z]+) +(vgl_[\w-]{43})$/gm)];
    expect(keys.map(([, login, role]) => [login, role])).toEqual([
      ['kim', 'ADMIN'],
      ['lee', 'MEMBER'],
    ]);
    for (const [, login, role, key = ''] of keys) {
      const { json } = await call('GET', `${CORE}/users?keywords=${login}`, { key });
      expect(json.users).toMatchObject([{ login, role_name: role }]);
    }
    expect(stderr.match(/^Creating the demo: .+$/gm)).toHaveLength(3);
    expect(await signedIn()).toMatchObject({ login: 'master' });
  });

  it('has a day of logs, and what the rules found in them', async () => {
    const [{ count }] = await query('table web, firewall, auth | stats count');
    expect(count).toBeGreaterThan(160_000);
    const { events } = await get('/events?to=2100-01-01 00:00:00%2B0000');
    const told = events.map(({ rule_type, msg }: Wire) => `${rule_type}: ${msg}`);
    expect(told).toEqual(
      expect.arrayContaining([
        'batch: 203.0.113.57 에서 로그인 480 회 실패 (계정 8 개)',
        'batch: 2001:db8:bad::17 에서 로그인 90 회 실패 (계정 8 개)',
        'batch: 198.51.100.23 tried 1024 ports',
        'batch: 203.0.113.145 asked for 550 pages that are not there',
        'batch: backup logged in to bastion-1 from 203.0.113.57 after 480 failures',
        "stream: 203.0.113.145: /goods?id=7' union select login, password from users--",
        'stream: 10.0.2.31 sent 1400000000 bytes to 203.0.113.85',
      ]),
    );
    const { tickets } = await get('/tickets');
    const statuses = tickets.map(({ status }: Wire) => status);
    expect(statuses).toEqual(expect.arrayContaining(['ASSIGNED', 'IN_PROGRESS', 'CLOSED']));
    const attackers = await get('/address-groups/de000008-0000-4000-8000-000000000003/addresses');
    expect(attackers.total_count).toBeGreaterThanOrEqual(4);
  });

  it('has schedules with a day in their ledger, one of them at work', async () => {
    const { slots } = await get(`/scheduled-queries/${HOURLY}/slots?outcome=backfilled`);
    expect(slots.map(({ state }: Wire) => state)).toEqual(Array(24).fill('succeeded'));
    expect(await query('table web_hourly | stats count, min(hits) as least')).toMatchObject([{ count: 24 }]);
    expect((await get(`/scheduled-queries/${LIVE}`)).scheduled_query).toMatchObject({ running_state: 'running' });
    expect((await get('/scheduled-queries?keywords=serach')).scheduled_queries).toMatchObject([
      { query_error: '(92000) there is no command serach at 1:13' },
    ]);
  });

  it('has something of everything that the interface knows', async () => {
    const lists = ['users', 'user-groups', 'tables', 'table-groups', 'log-schemas', 'logger-models', 'loggers'];
    const more = ['logger-groups', 'datasets', 'address-groups', 'rule-categories', 'audit-categories', 'alarm-groups'];
    const most = ['ticket-repos', 'procedures', 'batch-rules', 'stream-rules', 'upload-streams', 'queries'];
    for (const path of [...lists, ...more, ...most]) {
      expect([path, (await get(`/${path}`)).total_count]).toEqual([path, expect.any(Number)]);
      expect([path, (await get(`/${path}`)).total_count > 0]).toEqual([path, true]);
    }
  });

  it('was made by operations that everybody has: all of it is in the audit trail', async () => {
    const entries = await exportedEntries({ call } as Parameters<typeof exportedEntries>[0]);
    expectChained(entries);
    expect(new Set(entries.map(({ user_name }) => user_name))).toEqual(new Set(['-', 'master', 'kim', 'lee']));
    expect(entries.filter(({ error }) => error).map(({ user_name, error }) => [user_name, error])).toEqual([
      ['lee', 'no-permission'],
    ]);
  });

  const logCount = async (logger: string): Promise<number> => (await get(`/loggers/${logger}`)).logger.log_count;
  const grows = async (logger: string): Promise<void> => {
    const before = await logCount(logger);
    await expect.poll(() => logCount(logger)).toBeGreaterThan(before);
  };

  it('gets more logs while it runs, over HTTP and by syslog', async () => {
    await grows(WEB_LOGGER);
    await grows(SYSLOG_LOGGER);
    const [login] = await query('table limit=1 auth');
    expect(login).toMatchObject({ _schema: 'login', app: 'sshd', user: expect.any(String), sender_ip: '127.0.0.1' });
  });

  it('continues after a restart, and is not made a second time', async () => {
    running.child.kill('SIGTERM');
    expect(await running.exited()).toBe(0);
    const made = running.output();
    await start();
    await running.said('The demo continues');
    expect(running.output().stdout).not.toContain('vgl_');
    expect(await signedIn()).toMatchObject({ login: 'master' });
    await grows(WEB_LOGGER);
    await grows(SYSLOG_LOGGER);
    expect((await get('/users')).total_count).toBe(5);
    expect(made.stderr + running.output().stderr).not.toContain('"level":50');
  });
});

describe('A demo is not made', () => {
  function home() {
    const made = makeHome();
    onTestFinished(() => made[Symbol.dispose]());
    mkdirSync(join(made.folder, 'data'), { recursive: true });
    return made;
  }

  const filesIn = (folder: string) =>
    globSync('**', { cwd: folder })
      .toSorted()
      .map((path) => join(folder, path))
      .filter((path) => statSync(path).isFile())
      .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]);

  async function refused(serve: () => VigilProcess, text: string): Promise<void> {
    const running = serve();
    expect(await running.exited()).toBe(1);
    expect(running.output().stderr).toContain(text);
    expect(running.output().stderr).not.toContain('    at ');
  }

  it('in a folder that holds other files, and nothing there is touched', async () => {
    const { folder, serve } = home();
    writeFileSync(join(folder, 'data/thesis.txt'), 'years of work');
    const before = filesIn(folder);
    await refused(() => serve(DEMO), `${folder}/data holds other files`);
    expect(filesIn(folder)).toEqual(before);
    expect(existsSync(join(folder, 'keys'))).toBe(false);
  });

  it('in the folder of another service', async () => {
    const { folder, serve } = home();
    const other = serve();
    await other.ready();
    other.child.kill('SIGTERM');
    await other.exited();
    const before = filesIn(folder);
    await refused(() => serve(DEMO), `${folder}/data holds other files`);
    expect(filesIn(folder)).toEqual(before);
  });

  const postgres = databases.find(({ name }) => name === 'postgres');
  it.skipIf(postgres?.skip)('in the database of another service', async () => {
    const database = await createDatabase(`t_${newGuid().replaceAll('-', '')}`);
    const first = home().serve({ VIGIL_DATABASE: database, VIGIL_MASTER_KEY: MASTER_KEY });
    await first.ready();
    first.child.kill('SIGTERM');
    await first.exited();
    const { folder, serve } = home();
    await refused(() => serve({ ...DEMO, VIGIL_DATABASE: database }), 'empty database');
    expect(filesIn(folder)).toEqual([]);
  });

  it('further where it was broken off', async () => {
    const { folder, serve } = home();
    const running = serve(DEMO);
    await expect.poll(() => running.output().stderr).toContain('Creating the demo');
    running.child.kill('SIGTERM');
    expect(await running.exited()).toBe(0);
    expect(running.output().stdout).not.toContain('vgl_');
    await refused(() => serve(DEMO), `the demo in ${folder}/data was interrupted`);
  });
});
