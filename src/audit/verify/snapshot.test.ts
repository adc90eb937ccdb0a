import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSnapshot, type Snapshot } from './snapshot.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-snapshot-'));
  const database = open();
  database.exec('pragma journal_mode = wal; create table t (n bigint)');
  database.exec(
    'insert into t with recursive r (n) as (select 1 union all select n + 1 from r limit 2500) select n from r',
  );
  database.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => new DatabaseSync(join(folder, 'metadata.db'));

async function numbersIn(snapshot: Snapshot): Promise<number[]> {
  const numbers: number[] = [];
  for await (const page of snapshot.pages('select n from t order by n')) numbers.push(...page.map(([n]) => Number(n)));
  return numbers;
}

describe('A snapshot of a SQLite database', () => {
  it('gives every row once, a page at a time', async () => {
    await using snapshot = await openSnapshot(folder);
    const sizes: number[] = [];
    for await (const page of snapshot.pages('select n from t')) sizes.push(page.length);
    expect(sizes).toEqual([1000, 1000, 500]);
    expect(await numbersIn(snapshot)).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
  });

  it('leaves no file beside a stopped database', async () => {
    const snapshot = await openSnapshot(folder);
    await numbersIn(snapshot);
    await snapshot[Symbol.asyncDispose]();
    expect(readdirSync(folder)).toEqual(['metadata.db']);
  });

  it('stays at its moment beside a writer, without blocking it', async () => {
    const writer = open();
    writer.exec('insert into t values (2501)');
    await using snapshot = await openSnapshot(folder);
    writer.exec('insert into t values (2502); delete from t where n < 2000');
    expect(await numbersIn(snapshot)).toHaveLength(2501);
    expect(snapshot.isDisturbed()).toBe(false);
    writer.close();
  });

  it('notices that a stopped database was written meanwhile', async () => {
    await using snapshot = await openSnapshot(folder);
    const writer = open();
    writer.exec('delete from t where n < 2000');
    writer.close();
    expect(snapshot.isDisturbed()).toBe(true);
  });

  it('writes nothing', async () => {
    await using snapshot = await openSnapshot(folder);
    await expect(async () => {
      for await (const _ of snapshot.pages('delete from t returning n'));
    }).rejects.toThrow('readonly');
  });
});
