import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount, created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { rowsOf } from '#test/support/logs.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const LOOKUPS = '/api/core/lookups';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);

onEachDatabase('The rows of a lookup', (subject) => {
  const { call } = subject;
  let names = 0;
  const newLookup = async (more: Record<string, string> = {}) => {
    names += 1;
    const name = `people-${names}`;
    const guid = await created(subject, LOOKUPS, { name, key: 'user', columns: 'user,dept,floor', ...more });
    return { guid, name };
  };
  const at = (guid: string) => `${LOOKUPS}/${guid}/rows`;
  const put = (guid: string, body: string, type = 'text/csv', more: { mode?: string; key?: string } = {}) =>
    call('PUT', `${at(guid)}${more.mode ? `?mode=${more.mode}` : ''}`, {
      body,
      headers: { 'content-type': type },
      ...(more.key ? { key: more.key } : {}),
    });
  const read = async (guid: string, query = '') => (await call('GET', `${at(guid)}?${query}`)).json;

  it('are loaded from CSV, JSON and lines, and read in the order of the key', async () => {
    const { guid } = await newLookup();
    expect(await read(guid)).toEqual({ total_count: 0, columns: ['user', 'dept', 'floor'], rows: [] });
    expect(outcome(await put(guid, 'user,dept\nlee,dev\nkim,"R&D, ""2"""\nann,\n'))).toEqual([
      200,
      { row_count: 3, version: 1 },
    ]);
    expect(await read(guid)).toEqual({
      total_count: 3,
      columns: ['user', 'dept', 'floor'],
      rows: [{ user: 'ann' }, { user: 'kim', dept: 'R&D, "2"' }, { user: 'lee', dept: 'dev' }],
    });
    const json = JSON.stringify([
      { user: 'kim', floor: 3 },
      { user: 'zoe', floor: 2.5, dept: ['a', { b: null }] },
    ]);
    expect(outcome(await put(guid, json, 'application/json', { mode: 'merge' }))).toEqual([
      200,
      { row_count: 4, version: 2 },
    ]);
    expect((await read(guid, 'offset=1&limit=9')).rows).toEqual([
      { user: 'kim', floor: 3 },
      { user: 'lee', dept: 'dev' },
      { user: 'zoe', floor: 2.5, dept: ['a', { b: null }] },
    ]);
    expect(await read(guid, 'keywords=DEV')).toMatchObject({ total_count: 1, rows: [{ user: 'lee' }] });
    const lines = '{"user":"b"}\n\n{"user":"a","floor":1}\n';
    expect(outcome(await put(guid, lines, 'application/x-ndjson'))).toEqual([200, { row_count: 2, version: 3 }]);
    const csv = await call('GET', `${at(guid)}?format=csv`);
    expect(csv.text).toBe('user,dept,floor\r\na,,1\r\nb,,\r\n');
    const { lookup } = (await call('GET', `${LOOKUPS}/${guid}`)).json;
    expect(lookup).toMatchObject({ row_count: 2, version: 3, owner_name: 'master' });
  });

  it.each([
    ['user,dept\nkim,a\n,b\n', 'text/csv', '2: no-key'],
    ['user,dept\nkim,a\nkim,b\n', 'text/csv', '2: duplicate-key'],
    ['user,dept\nkim,a\nkim,b\nlee\n', 'text/csv', '2: duplicate-key'],
    ['user,dept\nkim,a\nlee\n', 'text/csv', '2: column-count'],
    ['user,team\nkim,a\n', 'text/csv', '1: unknown-column'],
    ['', 'text/csv', '1: column-count'],
    ['\r\n\n', 'text/csv', '1: column-count'],
    ['dept\n', 'text/csv', '1: no-key'],
    ['[{"user":"kim"},7]', 'application/json', '2: not-an-object'],
    ['{"user":1}\n{"user":1.0}\n', 'application/x-ndjson', '2: duplicate-key'],
    ['{"user":"x","who":1}\n', 'application/x-ndjson', '1: unknown-column'],
    ['{"user":\n', 'application/x-ndjson', '1: not-an-object'],
  ])('are refused as a whole for a wrong row: %j', async (body, type, reason) => {
    const { guid } = await newLookup();
    await put(guid, 'user\nold\n');
    expect(outcome(await put(guid, body, type))).toEqual(invalid(`wrong lookup row ${reason}`));
    expect(await read(guid)).toMatchObject({ total_count: 1, rows: [{ user: 'old' }] });
  });

  it('are refused for other reasons', async () => {
    const { guid } = await newLookup();
    expect(outcome(await put(NOWHERE, 'user\n'))).toEqual(illegal(`lookup not found: ${NOWHERE}`));
    expect(outcome(await call('GET', at(NOWHERE)))).toEqual(illegal(`lookup not found: ${NOWHERE}`));
    expect(outcome(await put(guid, '[{"user"', 'application/json'))).toEqual(invalid('malformed request body'));
    expect((await put(guid, 'x', 'text/plain')).status).toBe(415);
    expect(outcome(await put(guid, 'user\na\n', 'text/csv', { mode: 'add' }))).toEqual(
      invalid("mode value must be one of 'replace', 'merge'."),
    );
  });

  it('are joined by queries with their types, through another column too, and by procedures of their owner', async () => {
    const { guid, name } = await newLookup();
    const rows = [
      { user: 'kim', dept: 'sec', floor: 3 },
      { user: 'ann', dept: 'sec', floor: 1 },
    ];
    await put(guid, JSON.stringify(rows), 'application/json');
    const found = await rowsOf(
      subject,
      `json "{u:'kim',d:'sec'}" | lookup ${name} u as user output floor as f | lookup ${name} d as dept output user as first`,
    );
    expect(found).toEqual([{ u: 'kim', d: 'sec', f: 3, first: 'ann' }]);
    expect(await rowsOf(subject, `lookuptable ${name} floor | eval t = typeof(floor)`)).toEqual([
      { floor: 1, t: 'long' },
      { floor: 3, t: 'long' },
    ]);
    const built = `json "{user:'kim',dept:'mem'}" | memlookup op=build name=${name} key=user dept | lookup "${name}" user output dept as d | fields d`;
    expect(await rowsOf(subject, built)).toEqual([{ d: 'mem' }]);
    // The lookup in memory hides the stored one from its account until it is dropped.
    expect(await rowsOf(subject, `lookuptable ${name}`)).toEqual([{ user: 'kim', dept: 'mem' }]);
    const query = `json "{user:'kim'}" | lookup ${name} user output dept`;
    await created(subject, '/api/core/procedures', { name: `p-${names}`, query });
    expect(await rowsOf(subject, `proc field("p-${names}")()`)).toEqual([{ user: 'kim', dept: 'sec' }]);
    await rowsOf(subject, `memlookup op=drop name=${name}`);
    expect(await rowsOf(subject, `lookuptable ${name} | stats count`)).toEqual([{ count: 2 }]);
  });

  it('are written by outputlookup, which makes new lookups and leaves an audit entry', async () => {
    const { name } = await newLookup();
    const input = `json "[{user:'kim',dept:'a',x:1},{user:'kim',dept:'b'},{dept:'c'},{user:'lee'}]"`;
    expect(await rowsOf(subject, `${input} | outputlookup ${name} | stats count`)).toEqual([{ count: 4 }]);
    expect(await rowsOf(subject, `lookuptable ${name}`)).toEqual([{ user: 'kim', dept: 'a' }, { user: 'lee' }]);
    await rowsOf(subject, `json "{user:'lee',floor:7}" | outputlookup ${name} append=t key=user floor`);
    expect(await rowsOf(subject, `lookuptable ${name} user, floor`)).toEqual([
      { user: 'kim' },
      { user: 'lee', floor: 7 },
    ]);
    await rowsOf(
      subject,
      `json "{k:1,d:'2026-11-15 09:00:00+0900'}" | eval d = date(d) | outputlookup key=k made-${names}`,
    );
    expect(await rowsOf(subject, `lookuptable made-${names} | eval t = typeof(d)`)).toMatchObject([
      { k: 1, t: 'date' },
    ]);
    const [made] = (await call('GET', `${LOOKUPS}?keywords=made-${names}`)).json.lookups;
    expect(made).toMatchObject({ key: 'k', columns: ['k', 'd'], row_count: 1, version: 1, owner_name: 'master' });
    const again = () => rowsOf(subject, `json "[{k:1},{k:2}]" | outputlookup made-${names}`);
    const [, entry] = await entriesOf(subject, again);
    expect(entry).toMatchObject({ module: 'lookups', method: 'load', msg_params: { name: `made-${names}`, rows: 2 } });
  });

  it('lose the values of columns that an update leaves out', async () => {
    const { guid, name } = await newLookup();
    await put(guid, 'user,dept\nkim,sec\n');
    const update = (columns: string) => call('PUT', `${LOOKUPS}/${guid}`, { form: { name, columns } });
    expect(outcome(await update('dept'))).toEqual(invalid("'columns' should contain the key: user"));
    expect((await update('user,team')).status).toBe(200);
    expect((await update('user,dept')).status).toBe(200);
    expect(await read(guid)).toEqual({ total_count: 1, columns: ['user', 'dept'], rows: [{ user: 'kim' }] });
    expect(await rowsOf(subject, `lookuptable ${name}`)).toEqual([{ user: 'kim' }]);
  });

  it('take no room once they are replaced or removed', async () => {
    const folder = join(subject.service.config.data, 'lookups');
    const before = readdirSync(folder).length;
    const { guid } = await newLookup();
    for (const user of ['a', 'b', 'c']) await put(guid, `user\n${user}\n`);
    const files = async () => readdirSync(folder).length;
    expect(await until(files, (count) => count === before + 1)).toBe(before + 1);
    await call('DELETE', LOOKUPS, { form: { guids: guid } });
    expect(await until(files, (count) => count === before)).toBe(before);
  });

  let member: Account;
  beforeAll(async () => {
    member = await createAccount(subject, 'MEMBER', { login: 'lookup-member' });
  });

  it('are read by members unless the lookup is restricted, and written with a grant', async () => {
    const open = await newLookup();
    const grants = JSON.stringify([{ guid: member.guid, read_only: true }]);
    const shared = await newLookup({ restricted: 'true', shared_users: grants });
    const closed = await newLookup({ restricted: 'true' });
    const writing = await newLookup({ shared_users: JSON.stringify([{ guid: member.guid, read_only: false }]) });
    const asked = (guid: string) => call('GET', at(guid), { key: member.key });
    expect((await asked(open.guid)).status).toBe(200);
    expect((await asked(shared.guid)).status).toBe(200);
    expect(outcome(await asked(closed.guid))).toEqual(illegal(`lookup not found: ${closed.guid}`));
    const own = { key: member.key };
    expect(outcome(await put(open.guid, 'user\na\n', 'text/csv', own))).toEqual(NO_PERMISSION);
    expect(outcome(await put(closed.guid, 'user\na\n', 'text/csv', own))).toEqual(
      illegal(`lookup not found: ${closed.guid}`),
    );
    expect(outcome(await put(writing.guid, 'user\na\n', 'text/csv', own))).toEqual([200, { row_count: 1, version: 1 }]);
    const run = async (q: string) => (await call('GET', `/api/core/query?q=${encodeURIComponent(q)}`, own)).text;
    expect(await run(`lookuptable ${writing.name} user`)).toBe('{"user":"a"}\n');
    expect(await run(`lookuptable ${closed.name}`)).toContain('(21200)');
    expect(await run(`json "{user:1}" | outputlookup ${open.name}`)).toContain('(30303)');
    expect(await run(`json "{user:1}" | outputlookup fresh key=user`)).toContain('(30303)');
  });
});
