import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ResultReservation } from '#queries/limits/result-quota.ts';
import { ResultFile } from './result-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const reservation: ResultReservation = { reserve() {}, [Symbol.dispose]() {} };

const rowsFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => JSON.stringify([from + index, '값']));

const read = async (file: ResultFile, offset: number, limit: number) =>
  (await Array.fromAsync(file.read(offset, limit))).flat();

/** What lies on the disk under the files of the folder that this process has open. */
function bytesOnDisk(): string {
  const open = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(folder));
  return open.map((fd) => readFileSync(`/proc/self/fd/${fd}`, 'latin1')).join('');
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

describe.each([{ isSecret: false }, { isSecret: true }])('Kept rows, %j', ({ isSecret }) => {
  it('give any page of what was written, across blocks', async () => {
    const file = await ResultFile.open(folder, { isSecret, reservation });
    for (const [from, count] of [
      [0, 1],
      [1, 2999],
      [3000, 5],
    ] as const) {
      await file.append(rowsFrom(from, count));
    }
    expect(file.rows).toBe(3005);
    for (const [offset, limit] of [
      [0, 1],
      [0, 3005],
      [999, 2],
      [1000, 1001],
      [3004, 100],
      [3005, 1],
      [9_000_000_000_000_000, 9_007_199_254_740_991],
    ] as const) {
      const expected = rowsFrom(0, 3005).slice(offset, offset + limit);
      expect(await read(file, offset, limit), `${offset} ${limit}`).toEqual(expected);
    }
    await file.release();
  });

  it('have no name, and are readable on the disk only where nothing is secret', async () => {
    const file = await ResultFile.open(folder, { isSecret, reservation });
    await file.append(['["a telling word"]']);
    expect(readdirSync(folder)).toEqual([]);
    if (process.platform === 'linux') expect(bytesOnDisk().includes('a telling word')).toBe(!isSecret);
    await file.release();
  });

  it('can be read while more are written', async () => {
    const file = await ResultFile.open(folder, { isSecret, reservation });
    await file.append(rowsFrom(0, 10));
    const [, early] = await Promise.all([file.append(rowsFrom(10, 5000)), read(file, 0, 10)]);
    expect(early).toEqual(rowsFrom(0, 10));
    expect(await read(file, 5009, 5)).toEqual(rowsFrom(5009, 1));
    await file.release();
  });

  it('stay for whoever is reading them when they are released', async () => {
    const file = await ResultFile.open(folder, { isSecret, reservation });
    await file.append(rowsFrom(0, 2500));
    const pages = file.read(0, 2500);
    const first = await pages.next();
    await file.release();
    const rest = (await Array.fromAsync(pages)).flat();
    expect([...(first.value ?? []), ...rest]).toEqual(rowsFrom(0, 2500));
    await expect(read(file, 0, 1)).rejects.toThrow();
  });

  it('of great length make blocks of few rows', async () => {
    const file = await ResultFile.open(folder, { isSecret, reservation });
    const long = Array.from({ length: 20 }, (_, index) => JSON.stringify(['x'.repeat(100_000) + index]));
    await file.append(long);
    const [first] = await Array.fromAsync(file.read(0, 20));
    expect(first?.length).toBe(3);
    expect(await read(file, 18, 2)).toEqual(long.slice(18));
    await file.release();
  });
});
