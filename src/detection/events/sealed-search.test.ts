import { describe, expect, it } from 'vitest';
import { idsContaining } from './sealed-search.ts';

/** Rows with the ids from `count` down to 1, each of which holds its own number. */
function rowsUpTo(count: number) {
  const reads: number[] = [];
  let opened = 0;
  const page = async (before = count + 1, limit = 0) => {
    const rows = Array.from({ length: Math.min(limit, before - 1) }, (_, at) => ({ id: before - 1 - at }));
    reads.push(rows.length);
    return rows;
  };
  const fieldsOf = ({ id }: { id: number }) => {
    opened += 1;
    return [`Card ${id}.`, null];
  };
  return { rows: { page, fieldsOf }, reads, opened: () => opened };
}

describe('Keywords in sealed rows', () => {
  it('are sought whatever their case, the newest first', async () => {
    const { rows } = rowsUpTo(1200);
    expect(await idsContaining('CARD 119', rows)).toEqual([
      1199, 1198, 1197, 1196, 1195, 1194, 1193, 1192, 1191, 1190, 119,
    ]);
    expect(await idsContaining('nothing', rows)).toEqual([]);
  });

  it('are sought in the newest 10,000 and no more', async () => {
    const { rows, opened } = rowsUpTo(10_700);
    expect(await idsContaining('card 701.', rows)).toEqual([701]);
    expect(await idsContaining('card 700.', rows)).toEqual([]);
    expect(opened()).toBe(20_000);
  });

  it('are sought in few rows at a time', async () => {
    const { rows, reads } = rowsUpTo(1200);
    await idsContaining('x', rows);
    expect(reads).toEqual([500, 500, 200, 0]);
  });
});
