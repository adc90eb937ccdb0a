// `table window=D` and `fulltext window=D`: rows as they arrive, through the service, with a clock that the test moves.

import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { finished, openCursor, reached, statusOf } from '#test/support/queries.ts';
import { MASTER_KEY, type Wire } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { upload } from '#test/support/uploads.ts';

/** Descriptors come and go. */
function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

describe('A query over a window', () => {
  const subject = serviceFor();
  const loggers = new Map<string, string>();
  const logger = async (table: string, storage: Record<string, string> = {}) => {
    const known = loggers.get(table) ?? (await createLogger(subject, { table, storage }));
    loggers.set(table, known);
    return known;
  };
  const arrive = async (table: string, ...records: object[]) => {
    const answer = await push(subject, await logger(table), {
      body: records.map((one) => JSON.stringify(one)).join('\n'),
    });
    expect(answer.status).toBe(200);
  };
  /** Once it listens. */
  const begun = async (q: string, options = {}) => {
    const id = await openCursor(subject, q, options);
    await reached(subject, id, ({ commands }) => commands.at(0).status === 'Running', options);
    return id;
  };
  const rowsIn = async (id: number): Promise<Wire[]> => {
    const { json } = await subject.call('GET', `/api/core/cursors/${id}?format=json-single&limit=100000`);
    return json.rows;
  };
  const counts = ({ commands }: Wire) => commands.map(({ push_count }: Wire) => push_count);

  it('gives what arrives in it, in that order, and nothing that was stored before or comes later', async () => {
    await arrive('web', { n: 0 });
    const id = await begun('table window=10s web');
    await arrive('web', { n: 1, _time: '2020-01-01 00:00:00+0000' }, { n: 2 });
    await arrive('web', { n: 'x', more: { $date: 0 } });
    subject.clock.advance({ seconds: 9 });
    expect((await statusOf(subject, id)).is_finished).toBe(false);
    await arrive('web', { n: 4 });
    subject.clock.advance({ seconds: 1 });
    const status = await finished(subject, id);
    await arrive('web', { n: 5 });
    expect(status).toMatchObject({ rows: 4, is_cancelled: false });
    expect(counts(status)).toEqual([4]);
    expect(await rowsIn(id)).toEqual([
      { _table: 'web', _time: '2020-01-01 00:00:00+0000', _id: 2, n: 1 },
      { _table: 'web', _time: '2024-03-01 00:00:00+0000', _id: 3, n: 2 },
      { _table: 'web', _time: '2024-03-01 00:00:00+0000', _id: 4, n: 'x', more: '1970-01-01 00:00:00+0000' },
      { _table: 'web', _time: '2024-03-01 00:00:09+0000', _id: 5, n: 4 },
    ]);
  });

  it('hands rows on while it runs', async () => {
    const id = await begun('table window=1h web | search n > 10 | eval m = n * 2 | fields m');
    await arrive('web', { n: 1 }, { n: 11 });
    const status = await reached(subject, id, ({ rows }) => rows === 1);
    expect(status).toMatchObject({ is_finished: false });
    expect(counts(status)).toEqual([2, 1, 1, 1]);
    expect(await rowsIn(id)).toEqual([{ m: 22 }]);
    await arrive('web', { n: 12 });
    await reached(subject, id, ({ rows }) => rows === 2);
    subject.clock.advance({ hours: 1 });
    expect(counts(await finished(subject, id))).toEqual([3, 2, 2, 2]);
  });

  it('is answered as rows arrive', async () => {
    await logger('web');
    const q = encodeURIComponent('table window=1h web | fields n');
    const asking = fetch(`${subject.service.url}/api/core/query?q=${q}`, {
      headers: { authorization: `Bearer ${MASTER_KEY}` },
    });
    const unfinished = async () => (await subject.call('GET', '/api/core/queries?is_finished=false')).json.queries;
    await until(unfinished, (queries: Wire[]) => queries.some(({ commands }) => commands[0].status === 'Running'));
    await arrive('web', { n: 1 });
    const body = (await asking).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await body?.read())?.value).toBe('{"n":1}\n');
    await arrive('web', { n: 2 });
    expect((await body?.read())?.value).toBe('{"n":2}\n');
    subject.clock.advance({ hours: 1 });
    expect((await body?.read())?.done).toBe(true);
  });

  it('ends with a limit', async () => {
    const id = await begun('table window=1h web | limit 2');
    await arrive('web', { n: 1 }, { n: 2 }, { n: 3 });
    expect(await finished(subject, id)).toMatchObject({ rows: 2, is_cancelled: false });
    const cut = await begun('table window=1h offset=1 limit=1 web');
    await arrive('web', { n: 1 }, { n: 2 }, { n: 3 });
    await finished(subject, cut);
    expect((await rowsIn(cut)).map(({ n }) => n)).toEqual([2]);
  });

  it.each([
    [
      'groups',
      '| stats count, sum(n) as s by u',
      [
        { u: 'a', count: 2, s: 4 },
        { u: 'b', count: 1, s: 2 },
      ],
      [3, 2],
    ],
    ['sorted rows', '| sort -n | fields n', [{ n: 3 }, { n: 2 }, { n: 1 }], [3, 3, 3]],
    [
      'charts',
      '| pivot count rows n cols u',
      [
        { n: 1, a: 1 },
        { n: 2, b: 1 },
        { n: 3, a: 1 },
      ],
      [3, 3],
    ],
    [
      'running sums',
      '| evalc t = $("t", 0) + n | eval s = $("t") | fields s',
      [{ s: 1 }, { s: 3 }, { s: 6 }],
      [3, 3, 3, 3],
    ],
    ['what was stored', '| join n [ table stored ] | fields n, d', [{ n: 2, d: 'x' }], [3, 1, 1]],
  ])('makes %s of what has arrived when it ends', async (_, steps, expected, pushed) => {
    await logger('web');
    if (!loggers.has('stored')) await arrive('stored', { n: 2, d: 'x' });
    const id = await begun(`table window=1m web ${steps}`);
    await arrive('web', { n: 1, u: 'a' }, { n: 2, u: 'b' });
    await arrive('web', { n: 3, u: 'a' });
    subject.clock.advance({ minutes: 1 });
    const status = await finished(subject, id);
    expect(status.error_detail).toBeUndefined();
    expect(await rowsIn(id)).toEqual(expected);
    expect(counts(status)).toEqual(pushed);
  });

  it('looks at several tables at once, in both branches of a union too', async () => {
    await Promise.all(['web', 'one', 'two'].map((table) => logger(table)));
    const id = await begun('table window=1m web, *e | union [ table window=1m two ] | stats count by _table');
    await arrive('web', { n: 1 });
    await arrive('one', { n: 1 }, { n: 2 });
    await arrive('two', { n: 1 }, { n: 2 }, { n: 3 });
    subject.clock.advance({ minutes: 1 });
    await finished(subject, id);
    expect(await rowsIn(id)).toEqual([
      { _table: 'one', count: 2 },
      { _table: 'two', count: 3 },
      { _table: 'web', count: 1 },
    ]);
  });

  it('sees what an upload or another query imports, once it is there as a whole', async () => {
    await logger('web');
    const id = await begun('table window=1h web | search kind == "up" | fields n, word');
    const lines = Array.from({ length: 5000 }, (_, n) => JSON.stringify({ kind: 'up', n, word: `w${n}`, only: n }));
    expect((await upload(subject, lines.join('\n'), { metadata: { table: 'web' } })).status).toBe(200);
    await rowsOf(subject, "json \"[{kind:'up',n:5000,word:'last'}]\" | import web");
    await reached(subject, id, ({ rows }) => rows === 5001);
    subject.clock.advance({ hours: 1 });
    await finished(subject, id);
    const rows = await rowsIn(id);
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 5001 }, (_, n) => n));
    expect(rows.at(-1)).toEqual({ n: 5000, word: 'last' });
  });

  it('looks for terms in what arrives', async () => {
    await Promise.all(['web', 'two'].map((table) => logger(table)));
    await arrive('web', { line: 'login of kim, stored before' });
    const terms = '"login of" and not (src == iprange("10.0.0.0", "10.0.0.9") or "lee*")';
    const id = await begun(`fulltext window=1h ${terms} from web | fields line, src`);
    const anywhere = await begun('fulltext window=1h offset=1 limit=2 tt=t "KIM login" | fields _table, line');
    await arrive('web', { line: 'LOGIN  of Kim', src: '10.0.0.10' }, { line: 'login of kim', src: '10.0.0.1' });
    await arrive('two', { line: 'login', who: { name: 'Kim' } }, { line: 'login of kim' });
    expect(counts(await finished(subject, anywhere))).toEqual([2, 2]);
    expect(await rowsIn(anywhere)).toEqual([
      { _table: 'web', line: 'login of kim' },
      { _table: 'two', line: 'login' },
    ]);
    expect(await reached(subject, id, ({ rows }) => rows === 1)).toMatchObject({ is_finished: false });
    await arrive('web', { line: 'login, of Leeds' }, { line: 'relogin of x' }, { n: 5, more: 'Login Of' });
    subject.clock.advance({ hours: 1 });
    expect(counts(await finished(subject, id))).toEqual([2, 2]);
    expect(await rowsIn(id)).toEqual([{ line: 'LOGIN  of Kim', src: '10.0.0.10' }, {}]);
  });

  it('looks for terms in what was imported, and groups are made of what was found', async () => {
    await logger('web');
    const id = await begun('fulltext window=1m "up*" and n >= 2 from web | stats count, max(n) as most');
    await rowsOf(subject, "json \"[{kind:'UP',n:1},{kind:'Upper',n:2},{kind:'sup',n:3}]\" | import web");
    await arrive('web', { kind: 'up', n: 4 }, { kind: 'down', n: 5 });
    subject.clock.advance({ minutes: 1 });
    expect(counts(await finished(subject, id))).toEqual([2, 1]);
    expect(await rowsIn(id)).toEqual([{ count: 2, most: 4 }]);
  });

  it('is cancelled like any other', async () => {
    const id = await begun('table window=1y web | stats count');
    await subject.call('POST', `/api/core/queries/${id}/cancel`);
    expect(await finished(subject, id)).toMatchObject({ is_cancelled: true, cancel_reason: 'UserRequest' });
  });

  it('reads only what the caller may', async () => {
    const { key } = await createAccount(subject, 'MEMBER', { login: 'member' });
    const { text } = await subject.call('GET', `/api/core/query?q=${encodeURIComponent('table window=1m web')}`, {
      key,
    });
    expect(text).toContain('(10001) there is no table web');
    const everywhere = await begun('fulltext window=1m "x"', { key });
    await arrive('web', { n: 'x' });
    subject.clock.advance({ minutes: 1 });
    expect(await finished(subject, everywhere, { key })).toMatchObject({ rows: 0 });
  });

  it('keeps encrypted rows off the disk and gives them like others', async () => {
    const profile = await subject.call('POST', '/api/core/crypto-profiles', { form: { name: 'p' } });
    await logger('pay', { crypto_profile_guid: profile.json.guid, encryption: 'true' });
    const id = await begun('table window=1m pay | stats sum(salary) as s');
    await arrive('pay', { salary: 4200 }, { salary: 1 });
    const plain = await begun('table window=1m web | stats count');
    await arrive('web', { n: 1 });
    for (const one of [id, plain]) await reached(subject, one, ({ commands }) => commands[0].push_count > 0);
    if (process.platform === 'linux') {
      // Where rows lie that are being gathered: files without a name.
      const files = readdirSync('/proc/self/fd').flatMap((fd) => linkOf(`/proc/self/fd/${fd}`));
      const gathered = files.filter((path) => path.endsWith(' (deleted)'));
      expect(gathered.filter((path) => path.startsWith('/dev/shm/')).length).toBeGreaterThan(0);
      const onDisk = gathered.filter((path) => path.startsWith(join(subject.service.config.data, 'spill')));
      expect(onDisk).toHaveLength(1);
    }
    await rowsOf(subject, 'json "{salary:100}" | import pay');
    subject.clock.advance({ minutes: 1 });
    expect((await finished(subject, id)).error_detail).toBeUndefined();
    expect(await rowsIn(id)).toEqual([{ s: 4301 }]);
  });

  const lost = (name: string) => ({ error_code: 10001, error_detail: `there is no table ${name}` });
  const untilEnded = async (id: number): Promise<Wire> => {
    const listed = async () => (await subject.call('GET', '/api/core/queries')).json.queries;
    return await until(
      async () => {
        await subject.clock.pass({ seconds: 1 });
        return (await listed()).find((query: Wire) => query.id === id);
      },
      ({ is_finished }) => is_finished,
    );
  };
  const share = (table: string, users: readonly string[]) =>
    subject.call('PUT', `/api/core/tables/${table}`, { json: { shared_users: users } });

  it.each([
    ['table window=1h granted', 'reader1'],
    ['fulltext window=1h "x" from granted', 'reader2'],
    ['table window=1h grant*', 'reader3'],
  ])('ends when its account may no longer read a table: %s', async (q, login) => {
    await logger('granted');
    const member = await createAccount(subject, 'MEMBER', { login });
    await share('granted', [member.guid]);
    const id = await begun(q, { key: member.key });
    await subject.clock.pass({ seconds: 11 });
    expect(await statusOf(subject, id, { key: member.key })).toMatchObject({ is_finished: false });
    await share('granted', []);
    expect(await untilEnded(id)).toMatchObject({ is_cancelled: true, ...lost('granted') });
  });

  it('ends when its account loses the role that let it read, and goes on with a grant', async () => {
    await logger('ungranted');
    await logger('granted');
    const admin = await createAccount(subject, 'ADMIN', { login: 'former' });
    await share('granted', [admin.guid]);
    const ends = await begun('table window=1h ungranted', { key: admin.key });
    const stays = await begun('table window=1h granted', { key: admin.key });
    await subject.call('PUT', `/api/core/users/${admin.guid}`, { form: { role: 'MEMBER' } });
    expect(await untilEnded(ends)).toMatchObject(lost('ungranted'));
    await subject.clock.pass({ seconds: 11 });
    expect(await statusOf(subject, stays, { key: admin.key })).toMatchObject({ is_finished: false });
    await share('granted', []);
    await untilEnded(stays);
  });

  it('ends when its account no longer trusts the address, in the background too', async () => {
    await logger('granted');
    const admin = await createAccount(subject, 'ADMIN', { login: 'moved' });
    const id = await begun('table window=1h granted', { key: admin.key, background: true });
    await subject.call('PUT', `/api/core/users/${admin.guid}`, { form: { trust_hosts: '10.1.2.3' } });
    expect(await untilEnded(id)).toMatchObject({ is_cancelled: true, error_code: 93002 });
  });

  it('of a procedure ends when the owner of the procedure may no longer read a table', async () => {
    await logger('granted');
    const admin = await createAccount(subject, 'ADMIN', { login: 'owner' });
    const form = { name: 'tail', query: 'table window=1h granted', company_public: 'true' };
    await subject.call('POST', '/api/core/procedures', { form, key: admin.key });
    const id = await begun('proc tail()');
    await subject.call('PUT', `/api/core/users/${admin.guid}`, { form: { role: 'MEMBER' } });
    expect(await untilEnded(id)).toMatchObject({ is_cancelled: true, error_code: 10001 });
  });
});
