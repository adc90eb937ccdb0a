import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INTEGER } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { ExecutionSlots } from './execution-slots.ts';
import { type Instance, openInstance } from './instance.ts';

describe('A session', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-session-'));
  let instance: Instance;
  beforeAll(async () => {
    instance = await openInstance({ memoryBytes: 2 ** 28, spillFolder: folder });
    await instance.run('create table fresh (n integer)');
  });
  afterAll(async () => {
    await instance.end();
    rmSync(folder, { recursive: true, force: true });
  });
  const slots = new ExecutionSlots(systemClock);
  const open = (signal = new AbortController().signal) =>
    instance.session(slots.begin({ account: 'a', isLong: false, signal }));
  const plain = (text: string) => ({ text, values: [], types: [] });

  it('reads in all statements the fresh records of the first one that reads any', async () => {
    await using session = open();
    const count = async () => Number(await session.value('select count(*) from fresh'));
    expect(await session.value('select 1', { isLasting: true })).toBe(1);
    await instance.run('insert into fresh values (1)');
    expect(await count()).toBe(1);
    await instance.run('insert into fresh values (2)');
    expect(await session.value('select 2', { isLasting: true })).toBe(2);
    expect(await count()).toBe(1);
  });

  it('leaves no table and no open statement to the next one', async () => {
    for (let run = 0; run < 3; run += 1) {
      await using session = open();
      await session.rows(plain('create temp table stage_1 as select 1 as n'));
      expect(await session.rows(plain('select n from stage_1'))).toEqual([[1]]);
    }
    for (let run = 0; run < 3; run += 1) {
      await using session = open();
      const many = { ...plain('select r::varchar from range(500000) t(r)'), isLasting: true };
      for await (const texts of session.texts(many)) {
        expect(texts[0]).toBe('0');
        break;
      }
    }
    const stopping = new AbortController();
    await using session = open(stopping.signal);
    const endless = session.value('select count(*) from range(100000000000) where range % 7 = 8', { isLasting: true });
    setTimeout(() => stopping.abort(new Error('stopped')), 20);
    await expect(endless).rejects.toThrow('stopped');
    await using after = open();
    expect(await after.value('select 3', { isLasting: true })).toBe(3);
  });

  it('gives few rows at once as it gives many, with their other columns and errors', async () => {
    const told = async (text: string, isShort: boolean, value = 0) => {
      await using session = open();
      const texts: string[] = [];
      const others: unknown[] = [];
      const statement = { text, values: [value], types: [INTEGER], isShort, isLasting: true };
      const tell = (rows: readonly unknown[]) => void others.push(...rows);
      for await (const some of session.texts(statement, { columns: 1, tell })) texts.push(...some);
      return { texts, others };
    };
    for (const rows of [0, 1, 2048, 5000]) {
      const text = `select (r + $1)::varchar, r % 3 from range(${rows}) t(r) order by r`;
      const short = await told(text, true);
      const long = await told(text, false);
      expect(short).toEqual(long);
      expect(short.texts).toHaveLength(rows);
      expect(short.others).toHaveLength(rows);
    }
    const failing = `select case when r = 3 then error('broken at $1' || $1) else 'x' end, 1 from range(5) t(r)`;
    for (const isShort of [true, false]) await expect(told(failing, isShort, 7)).rejects.toThrow('broken at $17');
  });
});
