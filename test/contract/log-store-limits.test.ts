// What a log store on ClickHouse runs out of: room, parts, the memory of an account. The service says so by name, loses nothing, and
// goes on when it can.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { type ClickhouseServer, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { finished, openCursor, ran } from '#test/support/queries.ts';
import { type Service, startService } from '#test/support/service.ts';
import { canMount, mountSmallDisk } from '#test/support/small-disk.ts';
import { startStatementProxy } from '#test/support/statement-proxy.ts';
import { outcome, refused } from '#test/support/suites.ts';
import { append, complete, opened } from '#test/support/uploads.ts';

const MIB = 2 ** 20;
const NOON = Temporal.Instant.from('2026-11-15T03:00:00Z').epochMilliseconds;
const FULL = refused(500, 'illegal-state', 'log store is full');
const BUSY = refused(429, 'too-many-requests', 'too many requests');

// Tables are altered here as an operator would, and a server is put on a small disk.
const skip = inject('clickhouse').reason || process.env.VIGIL_TEST_CLICKHOUSE;

const hasSmallDisks = canMount();

const line = (n: number, more = {}) => `${JSON.stringify({ n, ...more, _time: NOON + n })}\n`;

describe.skipIf(skip)('A log store on ClickHouse', () => {
  let shared: ClickhouseServer;
  beforeAll(async () => {
    shared = await startClickhouse();
  });
  afterAll(() => shared?.[Symbol.asyncDispose]());

  async function webOn(server: ClickhouseServer, flags: Readonly<Record<string, string>> = {}) {
    const database = await server.createDatabase();
    const service = await startService({ flags: { logs: logsUrl([server], database), ...flags } });
    const logger = await createLogger(service, { table: 'web' });
    const one = async (n: number, more = {}) => outcome(await push(service, logger, { body: line(n, more) }));
    expect((await one(0))[0]).toBe(200);
    const [[name = ''] = []] = await server.ask(
      `select name from system.tables where database = '${database}' and match(name, '^t_[0-9]+$')`,
    );
    return { service, logger, one, table: `${database}.${name}` };
  }

  const numbers = async (service: Service) =>
    (await rowsOf(service, 'table order=asc web | fields n')).map(({ n }) => n);

  /** A whole upload but for its end. */
  async function sentFile(service: Service, text: string): Promise<string> {
    const token = await opened(service, { file_size: text.length, metadata: { table: 'web', format: 'ndjson' } });
    expect((await append(service, token, { offset: 0, body: text })).status).toBe(204);
    return token;
  }

  interface Room {
    fill(): Promise<void>;
    free(): Promise<void>;
  }

  const ways: readonly {
    name: string;
    open: () => Promise<{ room(table: string): Room; server: ClickhouseServer }>;
  }[] = [
    {
      name: 'by the room that its tables must leave',
      open: async () => ({
        server: shared,
        room: (table) => ({
          fill: async () =>
            void (await shared.ask(
              `alter table ${table} modify setting min_free_disk_bytes_to_perform_insert = ${2 ** 60}`,
            )),
          free: async () =>
            void (await shared.ask(`alter table ${table} reset setting min_free_disk_bytes_to_perform_insert`)),
        }),
      }),
    },
    ...(hasSmallDisks ? [{ name: 'on a small filesystem', open: onSmallDisk }] : []),
  ];

  async function onSmallDisk() {
    const folder = join(inject('folder'), `small-${newGuid()}`);
    mkdirSync(folder);
    const unmount = mountSmallDisk(folder, 32);
    const server = await startClickhouse({
      home: { python: inject('clickhouse').python, folder: join(folder, 'data') },
    });
    onTestFinished(async () => {
      await server[Symbol.asyncDispose]();
      unmount();
    });
    const ballast = join(folder, 'ballast');
    return { server, room: () => ({ fill: async () => writeUntilFull(ballast), free: async () => rmSync(ballast) }) };
  }

  for (const { name, open } of ways) {
    it(`that is full (${name}) refuses records and answers queries; writing goes on when there is room`, async () => {
      const { server, room } = await open();
      const { service, logger, one, table } = await webOn(server);
      await using _ = service;
      const token = await sentFile(service, line(1) + line(2));
      const { fill, free } = room(table);
      await fill();
      expect(await one(3)).toEqual(FULL);
      // Of two days, so that it is several inserts.
      expect(outcome(await push(service, logger, { body: line(3) + line(-86_400_000) }))).toEqual(FULL);
      expect(outcome(await complete(service, token))).toEqual(FULL);
      expect(await numbers(service)).toEqual([0]);
      expect(await rowsOf(service, 'table web | stats count')).toEqual([{ count: 1 }]);
      expect((await service.call('GET', '/api/core/tables')).status).toBe(200);
      await free();
      expect((await one(3))[0]).toBe(200);
      expect(outcome(await complete(service, token))[1]).toMatchObject({ accepted: 2 });
      expect(await numbers(service)).toEqual([0, 1, 2, 3]);
    });
  }

  const newField = async () => {
    const { server, room } = await onSmallDisk();
    const { service, one } = await webOn(server);
    await using _ = service;
    const { fill, free } = room();
    await fill();
    expect(await one(1, { fresh: 'x' })).toEqual(FULL);
    await free();
    expect(await one(1, { fresh: 'x' })).toMatchObject([200, { accepted: 1 }]);
    // The server may have lost the text that it has made the table of: a node that meets the table by now goes on, too.
    expect(await rowsOf(service, 'table web | search fresh == "x" | fields n')).toMatchObject([{ n: 1 }]);
  };
  // A table setting does not keep columns from being added.
  if (hasSmallDisks)
    it('on a full disk refuses records with a field that no table has a column for yet, by the same name', newField);

  it('with too many parts refuses records with 429 until they are merged, and keeps each that was taken once', async () => {
    const { service, logger, one, table } = await webOn(shared);
    await using _ = service;
    const token = await sentFile(service, line(1) + line(2));
    await shared.ask(`system stop merges ${table}`);
    await shared.ask(`alter table ${table} modify setting parts_to_delay_insert = 3, parts_to_throw_insert = 3`);
    const taken = [0];
    for (const n of [10, 11, 12, 13]) {
      const answer = await push(service, logger, { body: line(n) });
      if (answer.status === 200) taken.push(n);
      else {
        expect(outcome(answer)).toEqual(BUSY);
        expect(answer.headers.get('retry-after')).toBe('1');
      }
    }
    expect(taken).toEqual([0, 10, 11]);
    expect(outcome(await complete(service, token))).toEqual(BUSY);
    expect(await numbers(service)).toEqual([0, 10, 11]);
    await shared.ask(`system start merges ${table}`);
    await shared.ask(`optimize table ${table} final`);
    expect((await one(12))[0]).toBe(200);
    await shared.ask(`optimize table ${table} final`);
    expect(outcome(await complete(service, token))[1]).toMatchObject({ accepted: 2 });
    expect(await numbers(service)).toEqual([0, 1, 2, 10, 11, 12]);
  });

  it('ends a query that takes more than the memory of its account; the next one has its rows', async () => {
    const { service, logger } = await webOn(shared, { 'logs-memory-per-account': String(8 * MIB) });
    await using _ = service;
    const body = Array.from({ length: 60_000 }, (_, n) => line(n + 1, { text: `${n} ${'x'.repeat(100)}` })).join('');
    expect((await push(service, logger, { body })).json).toMatchObject({ accepted: 60_000 });
    const exhausted = { cancel_reason: 'LowDisk', error_code: 93003, error_detail: 'memory or disk is exhausted' };
    expect(await ran(service, 'table web')).toMatchObject(exhausted);
    expect(await rowsOf(service, 'table web | stats count')).toEqual([{ count: 60_001 }]);
    expect(await ran(service, 'table web | sort text | limit 1')).toMatchObject(exhausted);
    expect(await rowsOf(service, 'table limit=1 order=asc web | fields n')).toMatchObject([{ n: 0 }]);
  });

  it('gives statements of one account parts of its memory and lets others wait; another account has its own', async () => {
    await using proxy = await startStatementProxy(shared.origin);
    const database = await shared.createDatabase();
    const logs = logsUrl([{ ...shared, origin: proxy.origin }], database);
    await using service = await startService({
      alone: 'node',
      flags: { logs, 'logs-memory-per-account': String(64 * MIB) },
    });
    const logger = await createLogger(service, { table: 'web' });
    await push(service, logger, { body: line(0) });
    const [first, second] = await Promise.all(
      ['one', 'two'].map((login) => createAccount(service, 'ADMIN', { login })),
    );
    const counting = (account: Account | undefined) =>
      openCursor(service, 'table web | stats count', { key: account?.key ?? '' });
    const shares = () =>
      proxy.sent
        .filter(({ text }) => COUNTS.test(text))
        .map(({ settings }) => Number(settings.get('max_memory_usage')) / MIB);
    proxy.hold(COUNTS);
    const ids: number[] = [];
    for (const share of [32, 16, 8, 4, 2, 2]) {
      const before = shares().length;
      ids.push(await counting(first));
      await expect.poll(shares).toHaveLength(before + 1);
      expect(shares().at(-1)).toBe(share);
    }
    const waiting = await counting(first);
    const other = await counting(second);
    await expect.poll(shares).toEqual([32, 16, 8, 4, 2, 2, 32]);
    proxy.release();
    for (const id of [...ids, waiting]) {
      expect(await finished(service, id, { key: first?.key ?? '' })).toMatchObject({ rows: 1, is_cancelled: false });
    }
    expect(await finished(service, other, { key: second?.key ?? '' })).toMatchObject({ rows: 1, is_cancelled: false });
    expect(shares()).toHaveLength(8);
  });

  it('is reached with the password of a file, which is shown nowhere', async () => {
    const database = await shared.createDatabase();
    const file = join(inject('folder'), `password-${newGuid()}`);
    const logs = logsUrl([shared], database).replace(/:[^:@/]+@/, '@');
    expect(logs).not.toContain(encodeURIComponent(shared.password));
    const flags = { logs, 'logs-password-file': file };
    await expect(startService({ flags })).rejects.toMatchObject({ code: 'no-such-file', values: { path: file } });
    writeFileSync(file, 'wrong\n');
    await expect(startService({ flags })).rejects.toMatchObject({ code: 'log-store-refuses-user' });
    writeFileSync(file, `${shared.password}\n`);
    await using service = await startService({ flags });
    const logger = await createLogger(service, { table: 'web' });
    expect((await push(service, logger, { body: line(7) })).status).toBe(200);
    expect(await rowsOf(service, 'table web | fields n')).toMatchObject([{ n: 7 }]);
    const { text } = await service.call('GET', '/api/core/settings');
    expect(text).toContain(file);
    expect(text).not.toContain(shared.password);
  });
});

/** Statements of `stats count`. */
const COUNTS = /^select -?\d+, -?\d+, count\(\) from t_/;

function writeUntilFull(path: string): void {
  for (let size = 16 * MIB; size >= 4096; size /= 2) {
    for (;;) {
      try {
        writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}
