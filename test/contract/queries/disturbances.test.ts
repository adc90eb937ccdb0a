// What happens under a query: damaged files, a table that goes, records that are sealed, readers that do not read.

import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import {
  ask,
  begin,
  endAll,
  fillMany,
  finished,
  type Held,
  hold,
  isRunning,
  openCursor,
  pause,
  postCursor,
  QUERY,
  ran,
  reached,
  readOut,
  type Status,
  statusOf,
} from '#test/support/queries.ts';
import { seal, segmentsOf } from '#test/support/segments.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { expectRecord } from '#test/support/status-records.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const numbersIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).n);

describe('A damaged segment', () => {
  const subject = serviceFor({ alone: 'embedded' });
  let file = '';
  beforeAll(async () => {
    await fillMany(subject, { count: 1000 });
    const profile = await created(subject, '/api/core/crypto-profiles', { name: 'p' });
    await fillMany(subject, { table: 'checked', count: 1000, storage: { crypto_profile_guid: profile } });
    await seal(subject, 'checked');
    const [path = ''] = segmentsOf(subject.service, 'checked');
    file = path.split('/').slice(-2).join('/');
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    // Whoever read the file before, for its filter of words, may have kept a copy of it in memory.
    await subject.service.restart();
  });

  const QUERIES_OVER_IT = [
    'table checked',
    'table checked | search k == 1 | stats count by k',
    'table many | union [ table checked ]',
    'table many | join n [ table checked ]',
    'setq [ table checked | search k == 1 | stats max(n) as m ] | table many',
    'table many, checked',
  ];

  it.each(QUERIES_OVER_IT)('is an answer of GET /query, never a part of the rows: %s', async (q) => {
    const url = `${QUERY}?${new URLSearchParams({ q })}`;
    const answer = await begin(subject.service.url, url, { authorization: `Bearer ${MASTER_KEY}` });
    const { text, isComplete } = await readOut(answer);
    if (answer.statusCode === 200) expect(isComplete).toBe(false);
    else expect([answer.statusCode, JSON.parse(text)]).toEqual(damaged());
  });

  it.each(QUERIES_OVER_IT)('fails a cursor, which says so: %s', async (q) => {
    const answer = await postCursor(subject, q);
    expect(outcome(answer)).toEqual([200, { id: expect.any(Number) }]);
    const last = await finished(subject, answer.json.id);
    expectRecord(last);
    expect(last).toMatchObject({ is_cancelled: true, cancel_reason: 'CommandFailure' });
    expect(last.error_code).toBeDefined();
    expect(last.error_detail).toContain('table is damaged: checked');
  });

  it('does no harm to a query over other tables', async () => {
    expect(await ran(subject, 'table many | search k == 1')).toMatchObject({ rows: 100, is_cancelled: false });
  });

  const damaged = () => refused(500, 'illegal-state', `table is damaged: checked [file: ${file}]`);
});

describe('A table that is dropped while it is read', () => {
  const subject = serviceFor();
  afterEach(() => endAll(subject));

  it('is read to its end', async () => {
    const logger = await fillMany(subject, { table: 'many', count: 20_000 });
    await seal(subject, 'many');
    const q =
      'table many | join type=cross [ table many | search n < 2000 | fields n | rename n as m ] | stats max(n + m) as x';
    const id = await openCursor(subject, q);
    await reached(subject, id, (status) => isRunning(status) || status.is_finished);
    using held = await hold(subject.service.url, 'table many | eval a = text, b = text, c = text | repeat count=20');
    const dropped = await subject.call('DELETE', '/api/core/loggers', { form: { guids: logger, drop_table: 'true' } });
    expect(dropped.json).toEqual({ failures: [] });
    expect(outcome(await ask(subject, { q: 'table many' }))).toEqual(
      refused(400, 'invalid-query', '(10001) there is no table many at 1:7'),
    );
    const last = await finished(subject, id);
    expectRecord(last);
    expect(last).toMatchObject({ is_cancelled: false, rows: 1 });
    expect(last.commands.map(({ push_count }: Status) => push_count)).toEqual([20_000, 40_000_000, 1]);
    const { text, isComplete } = await readOut(held.answer);
    expect([isComplete, numbersIn(text).length]).toEqual([true, 400_000]);
  });

  it('and made again under its name is another', async () => {
    const logger = await fillMany(subject, { table: 'again', count: 100 });
    const { id } = await ran(subject, 'table again');
    await subject.call('DELETE', '/api/core/loggers', { form: { guids: logger, drop_table: 'true' } });
    await subject.call('POST', '/api/core/tables', { form: { table: 'again' } });
    expect(await rowsOf(subject, 'table again | stats count')).toEqual([{ count: 0 }]);
    expect((await statusOf(subject, id)).rows).toBe(100);
  });
});

describe('Twenty slow readers', () => {
  const subject = serviceFor();
  afterEach(() => endAll(subject));

  it('hold nobody up, and each gets what was there when it began', async () => {
    const logger = await createLogger(subject, { table: 'live' });
    // Megabytes for each reader, in few records: what is not read is more than sockets hold.
    const text = '.'.repeat(3000);
    let count = 0;
    const pushMore = async (length: number) => {
      const lines = Array.from({ length }, (_, at) => JSON.stringify({ n: count + at, text }));
      const answer = await push(subject, logger, { body: lines.join('\n') });
      expect(answer.json.accepted).toBe(length);
      count += length;
    };
    const other = await createAccount(subject, 'ADMIN', { login: 'other' });
    await pushMore(2000);
    await pushMore(2000);
    const readers: { held: Held; expected: number }[] = [];
    for (let round = 0; round < 20; round += 1) {
      const held = await hold(subject.service.url, 'table live', round % 2 === 0 ? MASTER_KEY : other.key);
      readers.push({ held, expected: count });
      await pushMore(10);
    }
    for (let round = 0; round < 30; round += 1) await pushMore(10);
    expect(await rowsOf(subject, 'table live | stats count', { key: other.key })).toEqual([{ count }]);
    await seal(subject, 'live');
    await pushMore(10);
    for (const { held, expected } of readers) {
      const { text: body, isComplete } = await readOut(held.answer);
      const numbers = new Set(numbersIn(body));
      expect([isComplete, numbers.size, Math.max(...numbers)]).toEqual([true, expected, expected - 1]);
      const last = await finished(subject, held.id, {
        key: readers.findIndex((one) => one.held === held) % 2 ? other.key : MASTER_KEY,
      });
      expectRecord(last);
      expect(last).toMatchObject({ rows: expected, is_cancelled: false });
    }
  });
});

describe('A table whose records are being sealed', () => {
  const subject = serviceFor({ alone: 'embedded' });

  it('has each record once for every query, before, during and after', async () => {
    const logger = await createLogger(subject, { table: 'moving' });
    let count = 0;
    const seen: number[] = [];
    const look = async () => {
      const { rows, commands } = await ran(subject, 'table moving | dedup n | fields n');
      expect(commands[0].push_count).toBe(rows);
      return rows as number;
    };
    for (let round = 0; round < 4; round += 1) {
      const lines = Array.from({ length: 5000 }, (_, at) => JSON.stringify({ n: count + at }));
      await push(subject, logger, { body: lines.join('\n') });
      count += 5000;
      const sealing = seal(subject, 'moving');
      for (let again = 0; again < 5; again += 1) seen.push(await look());
      await sealing;
      seen.push(await look());
      await pause();
    }
    expect(seen).toEqual(Array.from({ length: 24 }, (_, at) => (Math.floor(at / 6) + 1) * 5000));
  });
});
