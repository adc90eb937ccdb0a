// What the fixture of ClickHouse must do for a test on it to prove anything: run statements side by side, end them when asked to,
// keep what it acknowledged when it is killed, and refuse what it does not speak.

import { it as always, describe, expect, inject } from 'vitest';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';

const { reason } = inject('clickhouse');
const LONG = `select sum(sleepEachRow(0.01)) from numbers(6000)
  settings max_block_size = 10, function_sleep_max_microseconds_per_block = 100000000`;

function send(
  { origin, user, password }: ClickhouseServer,
  params: Readonly<Record<string, string>>,
  init: RequestInit & { password?: string } = {},
) {
  const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': init.password ?? password, ...init.headers };
  return fetch(`${origin}/?${new URLSearchParams(params)}`, { method: 'POST', ...init, headers });
}

describe.skipIf(reason)('The fixture of ClickHouse', () => {
  // Nothing here is about a real server: it would be a test of ClickHouse.
  const it = process.env.VIGIL_TEST_CLICKHOUSE ? always.skip : always;

  it('binds parameters and settings, tells codes of errors, and refuses other users and what it does not know', async () => {
    await using server = await startClickhouse();
    const select = { body: `select {x:String}, {n:Int64}, getSetting('max_threads')` };
    const bound = await send(
      server,
      { param_x: "a\\nb\\\\'점", param_n: '-7', max_threads: '3', readonly: '2' },
      select,
    );
    expect([bound.status, await bound.text()]).toEqual([200, "a\\nb\\\\\\'점\t-7\t3\n"]);
    const refusals = [
      [{ nonsense: '1' }, {}, 115],
      [{ readonly: '2' }, { body: 'create table t (n Int8) engine = Memory' }, 164],
      [{}, { body: 'select * from absent' }, 60],
      [{}, { password: 'wrong' }, 516],
    ] as const;
    for (const [params, init, code] of refusals) {
      const { ok, headers } = await send(server, params, { body: 'select 1', ...init });
      expect([ok, Number(headers.get('x-clickhouse-exception-code'))]).toEqual([false, code]);
    }
    const unknown = [
      await send(server, { session_id: 'x' }, { body: 'select 1' }),
      await send(server, {}, { body: 'select 1', headers: { 'x-clickhouse-format': 'CSV' } }),
      await send(server, {}, { body: 'select 1', headers: { 'content-encoding': 'br' } }),
      await fetch(`${server.origin}/replicas_status`),
    ];
    expect(unknown.map(({ status }) => status)).toEqual([501, 501, 501, 501]);
  });

  it('runs statements side by side, shows them by their ids, and ends one when it is killed or its client is gone', async () => {
    await using server = await startClickhouse();
    const shown = async () =>
      (await server.ask("select query from system.processes where query_id in ('one', 'two')")).length;
    const gone = new AbortController();
    const killed = send(server, { query_id: 'one' }, { body: LONG });
    const params = { query_id: 'two', cancel_http_readonly_queries_on_client_close: '1' };
    const left = send(server, params, { body: LONG, signal: gone.signal }).catch((error: unknown) => error);
    await expect.poll(shown).toBe(2);
    gone.abort();
    await expect.poll(shown).toBe(1);
    expect(await left).toBeInstanceOf(Error);
    await server.ask("kill query where query_id = 'one' sync");
    expect((await killed).headers.get('x-clickhouse-exception-code')).toBe('394');
    expect(await shown()).toBe(0);
  });

  it('keeps what it acknowledged when it is killed, knows a token that it has seen, and tells of rows that it could not store', async () => {
    await using server = await startClickhouse();
    const database = await server.createDatabase();
    await server.ask(`create table ${database}.t (n UInt64) engine = MergeTree order by n
      settings fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 100`);
    const insert = (token: string, n: bigint) => {
      const query = `insert into ${database}.t (n) format RowBinary`;
      const body = new Uint8Array(BigUint64Array.of(n).buffer);
      return send(server, { query, async_insert: '0', insert_deduplication_token: token }, { body });
    };
    for (const [token, n] of [
      ['a', 1n],
      ['a', 1n],
      ['b', 2n],
    ] as const)
      expect((await insert(token, n)).ok).toBe(true);
    const room = 'min_free_disk_bytes_to_perform_insert';
    await server.ask(`alter table ${database}.t modify setting ${room} = ${2n ** 60n}`);
    const full = await insert('c', 3n);
    expect([full.ok, full.headers.get('x-clickhouse-exception-code')]).toEqual([false, '243']);
    await server.ask(`alter table ${database}.t reset setting ${room}`);
    await server.kill();
    await expect(server.ask('select 1')).rejects.toThrow();
    await server.start();
    expect((await insert('b', 2n)).ok).toBe(true);
    expect(await server.ask(`select n from ${database}.t order by n`)).toEqual([['1'], ['2']]);
  });
});
