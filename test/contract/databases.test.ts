// dbquery, dblookup and dboutput against real servers: rows, values and their types, ceilings, rights, and hostile statements.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { databaseFor, KINDS, profileOf } from '#test/support/outside-databases.ts';
import { ask, cancel, endAll, finished, linesOf, openCursor, ran } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const PROFILES = '/api/core/connection-profiles';

describe.each(KINDS)('A database of the kind %s', (kind) => {
  const subject = serviceFor({ flags: { 'database-hosts': '127.0.0.1' } });
  const database = databaseFor(kind);
  const isPostgres = kind === 'postgresql';
  const rows = async (q: string, more: object = {}) => {
    const answer = await ask(subject, { q, ...more });
    return answer.status === 200 ? linesOf(answer) : answer.json.error_msg;
  };
  /** The code and text that a run ends with. */
  const failure = async (q: string): Promise<string> => (await ran(subject, q)).error_detail;

  const SLEEP = isPostgres ? 'select pg_sleep(600) as s' : 'select sleep(600) as s';
  /** How many statements sleep in the database. */
  const sleeping = async (): Promise<number> => {
    const all = isPostgres
      ? "pg_stat_activity where state = 'active' and query"
      : 'information_schema.processlist where info';
    return Number((await database().run(`select count(*) as n from ${all} like '${SLEEP}%'`))[0]?.n);
  };

  beforeAll(async () => {
    const json = isPostgres ? 'jsonb' : 'json';
    await database().run(
      'create table users (id int primary key, name varchar(50))',
      "insert into users values (1, 'kim'), (2, 'lee'), (3, null)",
      'create table hits (ip varchar(50) primary key, n int not null)',
      `create table docs (id int, doc ${json})`,
    );
    await created(subject, PROFILES, { name: 'crm', ...profileOf(database()), writable: 'true' });
    await created(subject, PROFILES, { name: 'small', ...profileOf(database()), max_rows: '2', max_connections: '1' });
  });
  afterEach(() => endAll(subject));

  it('gives rows in its order, with values bound', async () => {
    expect(await rows('set id = 2 | dbquery crm select id, name from users where id >= :id order by id desc')).toEqual([
      { id: 3 },
      { id: 2, name: 'lee' },
    ]);
    expect(await rows('dbquery limit=1 crm select id from users order by id')).toEqual([{ id: 1 }]);
    expect(await rows('dbquery crm limit=0 select id from users')).toEqual([]);
    expect(await rows('dbquery crm select id from users where id > 99')).toEqual([]);
    expect(await rows('dbquery crm "(select id from users where id = 1)" | stats count')).toEqual([{ count: 1 }]);
  });

  it('takes SQL in a value for a value', async () => {
    const value = "x' or 1 = 1; drop table users; --";
    const q = `set v = "${value}" | dbquery crm "select id from users where name = :v"`;
    expect(await rows(q)).toEqual([]);
    expect(await rows(`set v = "${value}" | dbquery crm select :v as v, ':v; --' as w`)).toEqual([
      { v: value, w: ':v; --' },
    ]);
    expect(Number((await database().run('select count(*) as n from users'))[0]?.n)).toBe(3);
  });

  it('gives and takes values with their types', async () => {
    const typed = async (sql: string, before = '') =>
      await rows(`${before}dbquery crm "${sql}" | eval t = typeof(v) | fields v, t`);
    const text = isPostgres ? 'text' : 'char';
    expect(await typed('select 9007199254740991 as v')).toEqual([{ v: 9007199254740991, t: 'long' }]);
    expect(await typed('select cast(5.00 as decimal(10,2)) as v')).toEqual([{ v: 5, t: 'long' }]);
    expect(await typed('select cast(5.25 as decimal(10,2)) as v')).toEqual([{ v: 5.25, t: 'double' }]);
    expect(await typed(isPostgres ? "select 'nan'::float8 as v" : 'select 1e0 as v')).toEqual([
      isPostgres ? { t: 'null' } : { v: 1, t: 'double' },
    ]);
    expect(await typed(`select cast('x' as ${text}) as v`)).toEqual([{ v: 'x', t: 'string' }]);
    expect(await typed('select null as v')).toEqual([{ t: 'null' }]);
    expect(await typed("select cast('2026-11-15' as date) as v", 'set _timezone = "Asia/Seoul" | ')).toEqual([
      { v: '2026-11-15 00:00:00+0900', t: 'date' },
    ]);
    const stamp = isPostgres ? 'timestamp' : 'datetime';
    const wall = `select cast('2026-11-15 12:30:00' as ${stamp}) as v`;
    expect(await typed(wall, 'set _timezone = "Asia/Seoul" | ')).toEqual([
      { v: '2026-11-15 12:30:00+0900', t: 'date' },
    ]);
    for (const [written, t] of [
      ['5', 'long'],
      ['0.5', 'double'],
      ['"한글 😀"', 'string'],
    ]) {
      expect(await typed('select :x as v', `set x = ${written} | `)).toEqual([{ v: JSON.parse(written ?? ''), t }]);
    }
    const moment = 'set x = date("2026-11-15 12:00:00+0900") | ';
    const [row] = await rows(
      `${moment}dbquery crm "select cast(:x as ${isPostgres ? 'timestamptz' : 'datetime'}) as v"`,
    );
    expect(Temporal.Instant.from(row.v.replace(' ', 'T')).epochMilliseconds).toBe(Date.UTC(2026, 10, 15, 3));
  });

  it('gives JSON, bytes and booleans as values of the language', async () => {
    await database().run(`insert into docs values (1, '{"a":[1,2.5,null],"b":{"c":"d"}}')`);
    expect(await rows('dbquery crm select doc from docs | eval t = typeof(doc) | fields doc, t')).toEqual([
      { doc: { a: [1, 2.5, null], b: { c: 'd' } }, t: 'map' },
    ]);
    const [bytes, bool] = isPostgres ? ["'\\\\x0102'::bytea", 'true'] : ["unhex('0102')", "b'1'"];
    const q = `dbquery crm "select ${bytes} as b, ${bool} as f" | eval t = typeof(b), u = typeof(f) | fields t, u, f`;
    expect(await rows(q)).toEqual([{ t: 'binary', u: isPostgres ? 'bool' : expect.any(String), f: expect.anything() }]);
    if (!isPostgres) return;
    expect(await rows(`dbquery crm "select array[1,null,3] as v, array['a','b \\"c\\"'] as w"`)).toEqual([
      { v: [1, null, 3], w: ['a', 'b "c"'] },
    ]);
    expect(await rows('set l = array(1, 3) | dbquery crm select id from users where id = any(:l) order by id')).toEqual(
      [{ id: 1 }, { id: 3 }],
    );
  });

  it('binds no list where the database has no type for it', async () => {
    if (isPostgres)
      return expect(await rows('set l = array("kim") | dbquery crm select :l as l')).toEqual([{ l: ['kim'] }]);
    expect(await failure('set l = array(1) | dbquery crm select :l as l')).toContain('l cannot be bound');
  });

  it('refuses statements that do not read before anything is sent', async () => {
    for (const sql of [
      "copy (select 1) to program 'id'",
      'set transaction read write',
      'commit',
      'set search_path = x',
      'delete from users',
      '/* select */ drop table users',
      'explain analyze delete from users',
    ]) {
      expect(await rows(`dbquery crm "${sql}"`), sql).toContain('(10605)');
    }
    expect(await rows('dbquery crm "select 1; select 2"')).toContain('(10603)');
    expect(await rows('dbquery crm ""')).toContain('(10602)');
    expect(await rows('dbquery crm')).toContain('(10602)');
    expect(await rows('dbquery nodb select 1')).toContain('(10600)');
  });

  it('refuses what writes inside a statement that reads', async () => {
    const writing = isPostgres
      ? 'with w as (insert into users values (9) returning 1) select * from w'
      : 'select id from users for update';
    const detail = await failure(`dbquery crm "${writing}"`);
    if (isPostgres) expect(detail).toMatch(/the database refused: cannot execute \w+ in a read-only/);
    const reading = isPostgres ? "select pg_read_file('/etc/hosts')" : "select 1 into outfile '/tmp/vigil-no'";
    expect(await failure(`dbquery crm "${reading}"`)).toContain('the database refused: ');
    expect(Number((await database().run('select count(*) as n from users'))[0]?.n)).toBe(3);
  });

  it('leaves nothing of a statement in a connection that serves again', async () => {
    const lock = isPostgres ? 'select pg_advisory_lock(1) as l' : "select get_lock('vigil', 1) as l";
    const held = isPostgres
      ? `select count(*) as n from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and l.objid = 1 and d.datname = current_database()`
      : "select is_free_lock('vigil') = 0 as n";
    expect(await rows(`dbquery small ${lock} | stats count`)).toEqual([{ count: 1 }]);
    expect(Number((await database().run(held))[0]?.n)).toBe(0);
    const setting = isPostgres ? "select set_config('search_path', 'x', false)" : 'select @v := 5 as v';
    await rows(`dbquery small "${setting}" | stats count`);
    expect(await rows('dbquery small select id from users where id = 1')).toEqual([{ id: 1 }]);
    if (!isPostgres)
      expect(await rows('dbquery small select @v as v | eval w = isnull(v) | fields w')).toEqual([{ w: true }]);
  });

  it('ends a query beyond a ceiling and names it', async () => {
    expect(await failure('dbquery small select id from users')).toMatch(/rows of the database: 3 is more than 2/);
    expect(await rows('dbquery small limit=2 select id from users order by id')).toEqual([{ id: 1 }, { id: 2 }]);
    await created(subject, PROFILES, { name: 'narrow', ...profileOf(database()), max_bytes: '2000' });
    const long = isPostgres ? "select repeat('x', 5000) as v" : "select repeat('x', 5000) as v";
    expect(await failure(`dbquery narrow ${long}`)).toMatch(/bytes of the database: \d+ is more than 2000/);
    // A gigabyte: the profile's own ceiling is a quarter of it.
    const series = isPostgres ? 'generate_series(1, 1000) n' : 'seq_1_to_1000';
    const gigabyte = `dbquery crm "select repeat('x', 1000000) as v from ${series}" | stats count`;
    expect(await failure(gigabyte)).toMatch(/bytes of the database: \d+ is more than 268435456/);
    // A connection that was broken off does not serve again.
    expect(await rows('dbquery narrow select 1 as v')).toEqual([{ v: 1 }]);
  });

  it('ends a statement that takes longer than its time, and serves the next', async () => {
    await created(subject, PROFILES, { name: 'hasty', ...profileOf(database()), timeout: '5', max_connections: '1' });
    const id = await openCursor(subject, `dbquery hasty ${SLEEP}`);
    expect(await until(sleeping, (n) => n === 1)).toBe(1);
    // One connection: the next statement waits for it.
    const waiting = await openCursor(subject, 'dbquery hasty select 7 as v');
    subject.clock.advance({ seconds: 4 });
    expect((await subject.call('GET', `/api/core/queries/${waiting}`)).json.is_finished).toBe(false);
    subject.clock.advance({ seconds: 2 });
    expect((await finished(subject, id)).error_detail).toBe('seconds of the database: 6 is more than 5');
    expect(await finished(subject, waiting)).toMatchObject({ is_cancelled: false, rows: 1 });
    expect(await until(sleeping, (n) => n === 0)).toBe(0);
  });

  it('reads many rows with bounded memory, and some of them with little work', async () => {
    const many = isPostgres
      ? "select n, repeat('x', 100) as t from generate_series(1, 200000) n"
      : "select seq as n, repeat('x', 100) as t from seq_1_to_200000";
    expect(await rows(`dbquery crm "${many}" | stats count, sum(n) as s`)).toEqual([
      { count: 200_000, s: 20_000_100_000 },
    ]);
    expect(await rows(`dbquery crm "${many}" | limit 3 | fields n`)).toHaveLength(3);
  });

  it('adds fields to rows, asking once for equal values', async () => {
    const given = `json "[{id:1,name:'old'},{id:9,name:'old'},{id:null},{id:1,x:2}]"`;
    const q = `${given} | dblookup crm bypass="isnull(id)" select name, id + 1 as next from users where id = :id`;
    expect(await rows(q)).toEqual(
      [{ id: 1, name: 'kim', next: 2 }, { id: 9 }, {}, { id: 1, name: 'kim', next: 2, x: 2 }].map((row) =>
        expect.objectContaining(row),
      ),
    );
    const many = 'json "{}" | repeat count=5000 | eval id = mod(seq(), 3) + 1';
    expect(
      await rows(`${many} | dblookup crm select name from users where id = :id | stats count by name`),
    ).toHaveLength(3);
    expect(await failure(`${given} | dblookup crm select nothing from users where id = :id`)).toContain(
      'the database refused',
    );
    expect(await rows(`${given} | dblookup crm bypass="isnull(" select 1`)).toContain('(90');
  });

  it('takes rows into a table, with an entry of the audit trail', async () => {
    const given = `json "[{ip:'10.0.0.1',c:5},{ip:'10.0.0.2',c:6},{ip:'10.0.0.1',c:7}]"`;
    const stored = () => database().run('select ip, n from hits order by ip');
    await database().run('delete from hits');
    const entries = await entriesOf(subject, async () => {
      expect(await rows(`${given} | dboutput crm table=hits type=upsert key=ip ip, c as n | stats count`)).toEqual([
        { count: 3 },
      ]);
    });
    expect(entries.find(({ method }) => method === 'store')).toMatchObject({
      module: 'query',
      msg_params: { profile: 'crm', table: 'hits', rows: 3 },
    });
    expect(await stored()).toEqual([
      { ip: '10.0.0.1', n: 7 },
      { ip: '10.0.0.2', n: 6 },
    ]);
  });

  it('refuses a batch as a whole, or its rows one by one', async () => {
    const given = `json "[{ip:'a',c:1},{ip:'b',c:null},{ip:'c',c:3}]"`;
    const stored = async () => (await database().run('select ip from hits order by ip')).map(({ ip }) => ip);
    await database().run('delete from hits');
    expect(await failure(`${given} | dboutput crm table=hits ip, c as n`)).toContain('the database refused: ');
    expect(await stored()).toEqual([]);
    expect(await failure(`${given} | dboutput crm table=hits batchsize=1 ip, c as n`)).toContain(
      'the database refused',
    );
    expect(await stored()).toEqual(['a']);
    const left = await ran(subject, `${given} | dboutput crm table=hits stoponfail=f ip, c as n`);
    expect(left.warnings).toEqual(['warning: 3 rows were refused by the database']);
    await database().run('delete from hits');
    const retried = await ran(subject, `${given} | dboutput crm table=hits stoponfail=f rowretry=t ip, c as n`);
    expect(retried.warnings).toEqual(['warning: 1 rows were refused by the database']);
    expect(await stored()).toEqual(['a', 'c']);
  });

  it('is written to through a profile that may, by accounts that may', async () => {
    const given = 'json "{ip:1,n:1}"';
    expect(await rows(`${given} | dboutput small table=hits ip, n`)).toContain('(30201)');
    expect(await rows(`${given} | dboutput crm ip`)).toContain('(30200)');
    expect(await rows(`${given} | dboutput crm table=hits`)).toContain('(30102)');
    expect(await rows(`${given} | dboutput crm table=hits key=ip ip`)).toContain('(30203)');
    expect(await rows(`${given} | dboutput crm table=hits type=upsert ip`)).toContain('(30203)');
    expect(await rows(`${given} | dboutput crm table=hits type=upsert key=n ip`)).toContain('(30203)');
    expect(await rows('setq [ json "{a:1}" | dboutput crm table=hits a ] | json "{}"')).toContain('(92002)');
  });

  it('is used by members with a grant alone', async () => {
    const member = await createAccount(subject, 'MEMBER', { login: `m-${kind}` });
    const asMember = async (q: string) => {
      const answer = await ask(subject, { q }, { key: member.key });
      return answer.status === 200 ? linesOf(answer) : answer.json.error_msg;
    };
    const q = 'dbquery granted select id from users where id = 1';
    expect(await asMember('dbquery crm select 1')).toContain('(10600) there is no connection profile crm');
    const form = { name: 'granted', ...profileOf(database()), writable: 'true' };
    const guid = await created(subject, PROFILES, { ...form, shared_users: JSON.stringify([member.guid]) });
    expect(await asMember(q)).toEqual([{ id: 1 }]);
    const writing = 'json "{ip:9,n:1}" | dboutput granted table=hits ip, n';
    expect(await asMember(writing)).toContain('(30201)');
    const shared_users = JSON.stringify([{ guid: member.guid, read_only: false }]);
    await subject.call('PUT', `${PROFILES}/${guid}`, { form: { ...form, shared_users } });
    expect(await asMember(writing)).toHaveLength(1);
  });

  it('is cancelled with its query', async () => {
    const id = await openCursor(subject, `dbquery crm ${SLEEP}`);
    expect(await until(sleeping, (n) => n === 1)).toBe(1);
    await cancel(subject, id);
    // A statement that went on would end after ten minutes, long after the test is given up.
    await finished(subject, id);
    expect(await until(sleeping, (n) => n === 0)).toBe(0);
  });
});
