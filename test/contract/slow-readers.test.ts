// A query reads the table as it was when it began, however slowly its rows are fetched and whatever becomes of the table
// meanwhile; and once nobody reads it any more, nothing of what was removed stays on disk.

import { describe, expect, it } from 'vitest';
import { createLogger, push } from '#test/support/logs.ts';
import { filesOf, seal } from '#test/support/segments.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

/** More than fits into the buffers between the service and a reader that waits. */
const COUNT = 10_000;
const TEXT_LENGTH = 750;
/** Of one account, all running at once. */
const READERS = 15;
const DAY_MS = 86_400_000;

describe.each(['columnar', 'row'])('A slow reader of a table of layout %s', (layout) => {
  const subject = serviceFor({ alone: 'embedded' });
  const { call } = subject;
  const table = `read_${layout}`;
  let logger = '';
  const pushAll = async (from: number) => {
    const lines = Array.from({ length: COUNT / 2 }, (_, at) => {
      const _time = 1_700_000_000_000 + (at % 2) * DAY_MS;
      return JSON.stringify({ n: from + at, _time, text: `${from + at}`.padStart(TEXT_LENGTH, '.') });
    });
    expect((await push(subject, logger, { body: lines.join('\n') })).json.accepted).toBe(COUNT / 2);
  };

  it('gets every row once, though the table is sealed, loses a day, and is dropped under it', async () => {
    logger = await createLogger(subject, { table, storage: { layout } });
    await pushAll(0);
    await seal(subject, table);
    await pushAll(COUNT / 2);
    const fresh = await beginReading();
    const sealed = await beginReading();
    await seal(subject, table);
    expect(await numbers(fresh)).toBe(COUNT);
    const removal = { start: '2023-11-14', end: '2023-11-14' };
    expect((await call('DELETE', `/api/core/tables/${table}/partitions`, { form: removal })).status).toBe(200);
    const half = await beginReading();
    const dropping = { guids: logger, drop_table: 'true' };
    expect((await call('DELETE', '/api/core/loggers', { form: dropping })).json).toEqual({ failures: [] });
    expect(await numbers(half)).toBe(COUNT / 2);
    expect(await numbers(sealed)).toBe(COUNT);
    expect(await until(async () => filesOf(subject.service, table), isEmpty)).toEqual([]);
  });

  it('that goes away in the middle keeps no file', async () => {
    const again = `${table}_again`;
    logger = await createLogger(subject, { table: again, storage: { layout } });
    await pushAll(0);
    await seal(subject, again);
    const left = await beginReading(again);
    await call('DELETE', '/api/core/loggers', { form: { guids: logger, drop_table: 'true' } });
    await left.body?.cancel();
    expect(await until(async () => filesOf(subject.service, again), isEmpty)).toEqual([]);
    expect((await call('GET', '/metrics')).text).not.toMatch(/defects_total [1-9]/);
  });

  it('keeps nobody from pushing, however many there are', async () => {
    const crowded = `${table}_crowded`;
    logger = await createLogger(subject, { table: crowded, storage: { layout } });
    await pushAll(0);
    const stalled = await Promise.all(Array.from({ length: READERS }, () => beginReading(crowded)));
    await pushAll(COUNT / 2);
    await seal(subject, crowded);
    for (const reader of stalled) await reader.body?.cancel();
  });

  const isEmpty = (files: readonly string[]) => files.length === 0;

  /** The answer has begun; its rows are fetched later. */
  async function beginReading(name = table): Promise<Response> {
    const url = `${subject.service.url}/api/core/query?q=${encodeURIComponent(`table ${name}`)}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${MASTER_KEY}` } });
    expect(answer.status).toBe(200);
    return answer;
  }

  /** How many different records there are, each of them once. */
  async function numbers(answer: Response): Promise<number> {
    const rows = (await answer.text()).trimEnd().split('\n');
    const different = new Set(rows.map((row) => JSON.parse(row).n)).size;
    expect(rows).toHaveLength(different);
    return different;
  }
});
