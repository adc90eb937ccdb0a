// Statements on a server: what goes in comes back, what is given up ends there, and an answer that is not whole is none.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { listening } from '#test/support/listening.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { ROOT } from '#test/support/sources.ts';
import { ClickhouseClient } from './client.ts';
import { answered, NoAnswer, StatementFailed } from './failures.ts';
import { DATABASE_PRIVILEGES, FILTER_PRIVILEGE, OTHER_GRANTS, requireUsableServer } from './start-check.ts';

const { reason } = inject('clickhouse');
const LONG = `select sum(sleepEachRow(0.01)) from numbers(6000)
  settings max_block_size = 10, function_sleep_max_microseconds_per_block = 100000000`;

let server: ClickhouseServer;
beforeAll(async () => {
  if (!reason) server = await startClickhouse();
});
afterAll(() => server?.[Symbol.asyncDispose]());

function clientOf(
  changes: { readonly port?: number; readonly password?: string; readonly user?: string } = {},
  clock = systemClock,
) {
  const { hostname, port, protocol } = new URL(server.origin);
  const { user, password } = server;
  const where = { host: hostname, port: Number(port), isTls: protocol === 'https:', database: 'default' };
  return new ClickhouseClient({ clock, address: { ...where, user, password, ...changes } });
}

describe.skipIf(reason)('A client of ClickHouse', () => {
  it('binds values whatever is in them, and tells the code of a refused statement', async () => {
    const client = clientOf();
    const text = `'"\\ \t\n\r{점}`;
    const params = { text, list: [text, ''], big: 9007199254740991, less: -5n };
    const statement = 'select {text:String}, {list:Array(String)}, {big:Int64}, {less:Int64}';
    expect(await client.rows(statement, { params })).toEqual([[text, [text, ''], 9007199254740991, -5]]);
    expect(await client.rows('select 1 where 0')).toEqual([]);
    await expect(client.rows('create table x (n Int8) engine = Memory')).rejects.toMatchObject({ code: 164 });
    await expect(client.rows('select * from absent')).rejects.toMatchObject({ code: 60 });
    await client.close();
  });

  it('ends a statement on the server when it is given up, by its signal or by its deadline', async () => {
    const client = clientOf();
    const other = clientOf();
    const clock = new ManualClock('2026-11-15T03:00:00Z');
    const waiting = clientOf({}, clock);
    const stop = new AbortController();
    const stopped = client.rows(LONG, { signal: stop.signal, queryId: 'stopped' });
    const late = waiting.execute(LONG, { deadline: Temporal.Duration.from({ minutes: 1 }), queryId: 'late' });
    const gone = Promise.all([
      expect(stopped).rejects.toThrow('enough'),
      expect(answered(late)).rejects.toMatchObject({
        kind: 'logStoreUnreachable',
        message: expect.stringMatching(/^log store is not reachable: \S+:\d+$/),
      }),
    ]);
    for (const id of ['stopped', 'late']) await expect.poll(() => other.rowsReadBy(id)).toBeGreaterThan(0);
    stop.abort(new Error('enough'));
    clock.advance({ minutes: 1 });
    await gone;
    for (const id of ['stopped', 'late']) await expect.poll(() => other.rowsReadBy(id)).toBeUndefined();
    await expect(client.rows('select 1', { signal: stop.signal })).rejects.toThrow('enough');
    await Promise.all([client, waiting, other].map((one) => one.close()));
  });

  it('takes no answer for whole that breaks off, and shows neither user nor password in any error', async () => {
    const cutting = createServer((_, answer) => {
      answer.writeHead(200, { 'content-length': '100' });
      answer.write('PAR1');
      setImmediate(() => answer.destroy());
    });
    const claiming = createServer((_, answer) => answer.writeHead(200, { 'x-clickhouse-exception-code': '209' }).end());
    const port = Number(new URL(await listening(cutting)).port);
    const claimed = clientOf({ port: Number(new URL(await listening(claiming)).port) });
    await expect(claimed.insert('insert into t format TSV', Buffer.from('1'))).rejects.toMatchObject({ code: 209 });
    const broken = clientOf({ port });
    const unknown = clientOf({ password: 'wrong horse' });
    const closed = clientOf({ port: 1 });
    const failures = await Promise.all([
      broken.download('select 1 format Parquet', { take: async () => {} }).catch((error: unknown) => error),
      closed.rows('select 1').catch((error: unknown) => error),
      unknown.rows('select 1').catch((error: unknown) => error),
      requireUsableServer(unknown, server.user).catch((error: unknown) => error),
    ]);
    expect(failures.slice(0, 2)).toEqual([expect.any(NoAnswer), expect.any(NoAnswer)]);
    expect(failures[2]).toBeInstanceOf(StatementFailed);
    expect(failures[3]).toMatchObject({ code: 'log-store-refuses-user' });
    for (const failure of failures) expect(JSON.stringify([failure, String(failure)])).not.toContain('horse');
    await Promise.all([broken, unknown, closed, claimed].map((one) => one.close()));
    for (const server of [cutting, claiming]) server.close();
  });

  const answers = [
    [243, 'Cannot reserve 1.00 MiB, not enough space', 'logStoreFull'],
    [75, 'Cannot write to file, errno: 28, strerror: No space left on device', 'logStoreFull'],
    [252, 'Too many parts (300) in all data parts', 'tooManyRequests'],
    [202, 'Too many simultaneous queries', 'tooManyRequests'],
  ] as const;
  for (const [code, text, kind] of answers) {
    it(`answers ${code} with ${kind}`, async () => {
      await expect(answered(Promise.reject(new StatementFailed(code, text)))).rejects.toMatchObject({ kind });
    });
  }

  it('tells limits of the server that a statement has met', async () => {
    const client = clientOf();
    const time = client.within({ max_execution_time: 1 }).rows(LONG);
    const memory = client
      .within({ max_memory_usage: 1_000_000 })
      .rows('select groupArray(number) from numbers(1000000)');
    await Promise.all([
      expect(answered(time)).rejects.toThrow('a statement on the log store took longer than logs-time allows'),
      expect(answered(memory)).rejects.toMatchObject({ resource: 'memory', isMovable: false }),
    ]);
    await client.close();
  });

  it('refuses a server that forgets, and one that lets its own limits be raised', async () => {
    const client = clientOf();
    if (server.isOwn) {
      const free = clientOf({ user: 'unbounded' });
      const unbounded = { code: 'log-store-unbounded', values: { host: client.name, user: 'unbounded' } };
      await expect(requireUsableServer(free, 'unbounded')).rejects.toMatchObject(unbounded);
      await free.close();
    }
    expect(await requireUsableServer(client, server.user)).toEqual({
      memoryBytes: expect.any(Number),
      seconds: expect.any(Number),
    });
    await client.execute('create table t_7 (n Int8) engine = MergeTree order by n');
    const forgetting = requireUsableServer(client, server.user);
    await expect(forgetting).rejects.toMatchObject({ code: 'log-store-forgets', values: { table: 't_7' } });
    await client.execute('drop table t_7');
    await client.close();
  });
});

it('The page about ClickHouse and the compose file grant what the start asks for', () => {
  const [page, compose] = ['docs/clickhouse.md', 'compose.clickhouse.yaml'].map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  );
  const own = [DATABASE_PRIVILEGES.join(', '), FILTER_PRIVILEGE].map((privileges) => [privileges, 'vigil.*'] as const);
  const grants = [...own, ...OTHER_GRANTS];
  for (const [privileges, on] of grants) {
    expect(page).toContain(`grant ${privileges} on ${on} to vigil;`);
    expect(compose).toContain(`<query>GRANT ${privileges} ON ${on}</query>`);
  }
});
