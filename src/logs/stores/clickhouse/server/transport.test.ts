// The client on two real servers, with plain statements: errors with and within an answer, statements that are given up and killed,
// servers that hang and die, inserts that break off.

import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { Shards } from '#logs/stores/clickhouse/storage/shards.ts';
import { OLD_ACCESS, OLD_CLUSTER, type OldClickhouse, startOldShards } from '#test/support/debian-clickhouse.ts';
import { addressOf } from '#test/support/open-clickhouse.ts';
import { ClickhouseClient } from './client.ts';
import { answered, NoAnswer, StatementFailed } from './failures.ts';

/** Half a minute, a row after the other. */
const LONG = 'select sleepEachRow(0.1) from numbers(300) settings max_block_size = 1';
/** As above, for a wait that its end is waited for. */
const SHORT = 'select sleepEachRow(0.1) from numbers(100) settings max_block_size = 1';
/** Sends rows before it fails. */
const FAILING = 'select number, throwIf(number = 300000) from numbers(1000000) settings max_block_size = 1000';
/** Bytes of an insert that end within a row of eight; the server begins with an insert when it has a mebibyte. */
const HALF_ROW = 2_000_004;

describe.skipIf(inject('oldClickhouseReason'))('The transport to two servers of ClickHouse 18.16', () => {
  let shards: readonly [OldClickhouse, OldClickhouse];
  let clients: readonly [ClickhouseClient, ClickhouseClient];
  const clientOf = ({ origin }: OldClickhouse, access: { user: string; password: string } = OLD_ACCESS) =>
    new ClickhouseClient({ clock: systemClock, address: addressOf({ origin, ...access }, 'default') });
  beforeAll(async () => {
    shards = await startOldShards();
    clients = [clientOf(shards[0]), clientOf(shards[1])];
    for (const client of clients) {
      await client.execute('create table t (n UInt64) engine = MergeTree order by n');
    }
    await clients[0].execute(`create table both (n UInt64) engine = Distributed(${OLD_CLUSTER}, default, t)`);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    for (const shard of shards) await shard[Symbol.asyncDispose]();
  });
  const running = async (id: string): Promise<boolean> =>
    (await clients[0].text(`select count() from system.processes where query_id = '${id}'`)) !== '0';
  const inserts = () => clients[0].text("select count() from system.processes where query like 'insert into t%'");
  const downloaded = async (statement: string, options: { signal?: AbortSignal; queryId?: string } = {}) => {
    const pieces: Buffer[] = [];
    await clients[0].download(statement, { ...options, take: async (piece) => void pieces.push(Buffer.from(piece)) });
    return Buffer.concat(pieces).toString('utf8');
  };

  it('tells the code of a refused statement, a refused user and a reader that may not write', async () => {
    await expect(clients[0].execute('select * from absent')).rejects.toMatchObject({ code: 60 });
    const [unknown, reader] = [{ password: 'wrong' }, { user: 'default', password: 'none' }].map((access) =>
      clientOf(shards[0], { ...OLD_ACCESS, ...access }),
    );
    await expect(unknown?.execute('select 1')).rejects.toMatchObject({ code: 193 });
    await expect(reader?.execute('insert into t values (1)')).rejects.toMatchObject({ code: 164 });
    await Promise.all([unknown?.close(), reader?.close()]);
  });

  it('fails where the server fails after it has sent rows; an answer in pieces ends like a whole one', async () => {
    await expect(clients[0].text(FAILING)).rejects.toBeInstanceOf(StatementFailed);
    const text = await downloaded(FAILING);
    // Why rows travel in a format that has an end of its own.
    expect(text.split('\n').length).toBeGreaterThan(1000);
    expect(text).toContain('Code: 395');
  });

  it('ends a statement that is given up, and one that another client kills', async () => {
    const stop = new AbortController();
    const stopped = downloaded(LONG, { signal: stop.signal, queryId: 'stopped' });
    const killed = downloaded(LONG, { queryId: 'killed' }).catch((error: unknown) => String(error));
    for (const id of ['stopped', 'killed']) await expect.poll(() => running(id)).toBe(true);
    stop.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
    await clients[0].kill('killed');
    expect(await killed).toMatch(/Code: 394|not reachable|Query was cancelled/);
    for (const id of ['stopped', 'killed']) await expect.poll(() => running(id)).toBe(false);
  });

  it('stores an insert whole, and one that breaks off within a row not at all', async () => {
    await clients[0].insert('insert into t format TabSeparated', Buffer.from('1\n2\n3\n'));
    // After a whole row a server of this age takes the break for the end; those that the engine runs on do not.
    const sending = beginInsert(shards[0], Buffer.alloc(HALF_ROW));
    await expect.poll(inserts).toBe('1');
    sending.destroy();
    await expect.poll(inserts).toBe('0');
    expect(await clients[0].text('select count() from t')).toBe('3');
  });

  it('names a server that hangs or is dead; a statement over both is an error, not a part', async () => {
    await clients[1].insert('insert into t format TabSeparated', Buffer.from('4\n5\n'));
    expect(await clients[0].text('select sum(n) from both')).toBe('15');
    const deadline = Temporal.Duration.from({ milliseconds: 500 });
    shards[1].child().kill('SIGSTOP');
    await expect(answered(clients[1].execute('select 1', { deadline }))).rejects.toMatchObject({
      kind: 'logStoreUnreachable',
      message: `log store is not reachable: ${clients[1].name}`,
    });
    await expect(clients[0].text('select sum(n) from both', { deadline })).rejects.toBeInstanceOf(NoAnswer);
    shards[1].child().kill('SIGCONT');
    await expect.poll(() => clients[0].text('select sum(n) from both')).toBe('15');
    await shards[1].kill();
    await expect(clients[1].execute('select 1')).rejects.toBeInstanceOf(NoAnswer);
    await expect(clients[0].text('select sum(n) from both')).rejects.toBeInstanceOf(StatementFailed);
    await shards[1].start();
    expect(await clients[0].text('select sum(n) from both')).toBe('15');
  });

  it('gives an error for each of twenty statements that were running when one of both was killed', async () => {
    const both = new Shards(clients);
    const asked = Array.from({ length: 20 }, () => both.each((client) => client.text(SHORT)));
    const outcomes = Promise.allSettled(asked);
    const begun =
      "select count() from system.processes where query like '%sleepEachRow%' and query not like '%system%'";
    for (const client of clients) await expect.poll(() => client.text(begun)).toBe('20');
    await shards[1].kill();
    const reasons = (await outcomes).map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome.value));
    expect(reasons).toEqual(Array.from({ length: 20 }, () => expect.any(NoAnswer)));
    expect(new Set(reasons.map(({ server }) => server))).toEqual(new Set([clients[1].name]));
    await shards[1].start();
  });
});

/** An insert of which the last bytes never come. */
function beginInsert({ origin }: OldClickhouse, data: Buffer): ClientRequest {
  const { user, password } = OLD_ACCESS;
  const query = new URLSearchParams({ query: 'insert into t format RowBinary', user, password });
  const sending = request(`${origin}/?${query}`, { method: 'POST', headers: { 'content-length': 2 * HALF_ROW } });
  sending.on('error', () => undefined);
  sending.write(data);
  return sending;
}
