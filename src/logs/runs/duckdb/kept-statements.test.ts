import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INTEGER } from '@duckdb/node-api';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunWork } from './execution-slots.ts';
import { type Instance, openInstance } from './instance.ts';

/** Without slots. The first task of a session prepares its statement, unless a kept one serves. */
const work = {
  signal: new AbortController().signal,
  prepared: 0,
  async runTask<T>(task: () => Promise<T>): Promise<T> {
    const done = await task();
    if (done instanceof Object && 'bindValue' in done) work.prepared += 1;
    return done;
  },
};

describe('Prepared statements', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-kept-'));
  const opened: Instance[] = [];
  beforeEach(() => {
    work.prepared = 0;
  });
  afterAll(async () => {
    for (const instance of opened) await instance.end();
    rmSync(folder, { recursive: true, force: true });
  });
  const instanceIn = async (spillFolder?: string) => {
    const instance = await openInstance({ memoryBytes: 2 ** 28, ...(spillFolder ? { spillFolder } : {}) });
    opened.push(instance);
    return instance;
  };
  const textsOf = async (instance: Instance, text: string, { isLasting = true, value = 1, most = Infinity } = {}) => {
    // A session needs no more of a run than its signal and its tasks.
    await using session = instance.session(work as unknown as RunWork);
    const found: string[] = [];
    const statement = { text, values: [value], types: [INTEGER], isLasting };
    for await (const texts of session.texts(statement)) {
      found.push(...texts);
      if (found.length >= most) break;
    }
    return found;
  };

  it('serve later runs with other values, where what they read stays as it is', async () => {
    const shared = await instanceIn(folder);
    const text = 'select ($1 + 1)::varchar';
    for (const value of [1, 2, 3]) expect(await textsOf(shared, text, { value })).toEqual([`${value + 1}`]);
    expect(work.prepared).toBe(1);
    for (const value of [1, 2]) await textsOf(shared, 'select ($1 + 2)::varchar', { value, isLasting: false });
    expect(work.prepared).toBe(3);
  });

  it('are not kept where a path may become another file', async () => {
    const secret = await instanceIn();
    for (const value of [1, 2]) expect(await textsOf(secret, 'select $1::varchar', { value })).toEqual([`${value}`]);
    expect(work.prepared).toBe(2);
  });

  it('are not kept when they failed or were left, and are right afterwards', async () => {
    const shared = await instanceIn(folder);
    const failing = `select case when $1 = 1 then error('no') else 'yes' end`;
    await expect(textsOf(shared, failing)).rejects.toThrow('no');
    expect(await textsOf(shared, failing, { value: 2 })).toEqual(['yes']);
    expect(work.prepared).toBe(2);
    const many = 'select (r + $1)::varchar from range(50000) t(r)';
    expect((await textsOf(shared, many, { most: 1 })).length).toBeLessThan(50_000);
    for (const value of [1, 2]) expect(await textsOf(shared, many, { value })).toHaveLength(50_000);
    expect(work.prepared).toBe(4);
  });

  it('are few: the one that was not used for longest goes first', async () => {
    const shared = await instanceIn(folder);
    const long = (letter: string) => `select $1::varchar || '${letter.repeat(25_000)}'`;
    for (const letter of ['a', 'b', 'a', 'c', 'a', 'b']) await textsOf(shared, long(letter));
    expect(work.prepared).toBe(4);
    for (const _ of [1, 2]) await textsOf(shared, long('tooLong'));
    expect(work.prepared).toBe(6);
  });
});
