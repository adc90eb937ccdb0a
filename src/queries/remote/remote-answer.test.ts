import { describe, expect, it } from 'vitest';
import { BrokenOff, EndedElsewhere, LineTooLong, remoteRowsOf } from './remote-answer.ts';

const COLUMNS = '{"columns":[["n","long"],["d","date"]],"without":["hidden"]}';
const LINES = ['{"query":7}', COLUMNS, '[1,0,{"한글":"é","hidden":1}]', '[2,null,null]', '{"end":"whole"}'];
const ROWS = [
  { n: 1n, d: Temporal.Instant.fromEpochMilliseconds(0), 한글: 'é' },
  { n: 2n, d: null },
];

async function* pieces(lines: readonly string[], size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const read = async (bytes: AsyncIterable<Uint8Array | string>): Promise<object[]> => {
  const rows: object[] = [];
  for await (const some of remoteRowsOf(bytes, () => undefined)) rows.push(...some.map(Object.fromEntries));
  return rows;
};

describe('The answer of another node', () => {
  it.each([1, 2, 7, 64, 4096])('is read in pieces of %i bytes', async (size) => {
    expect(await read(pieces(LINES, size))).toEqual(ROWS);
  });

  it.each([0, 1, 2, 3, 4])('is broken off after %i lines', async (count) => {
    await expect(read(pieces(LINES.slice(0, count), 5))).rejects.toThrow(BrokenOff);
  });

  it('is broken off in the middle of its last line', async () => {
    async function* cut() {
      yield LINES.join('\n');
    }
    await expect(read(cut())).rejects.toThrow(BrokenOff);
  });

  it('gives the rows before the end that its node tells', async () => {
    const end = { end: 'cancelled', reason: 'UserRequest', code: 93001, detail: 'cancelled on request' };
    const rows: object[] = [];
    const reading = async () => {
      for await (const some of remoteRowsOf(pieces([...LINES.slice(0, 4), JSON.stringify(end)], 4096), () => undefined))
        rows.push(...some);
    };
    await expect(reading()).rejects.toMatchObject({ constructor: EndedElsewhere, line: end });
    expect(rows).toHaveLength(2);
  });

  it('holds no more than one row of a bounded length', async () => {
    let taken = 0;
    async function* endless() {
      for (;;) {
        taken += 1;
        yield Buffer.alloc(4 * 1024 * 1024, 'a');
      }
    }
    await expect(read(endless())).rejects.toThrow(LineTooLong);
    expect(taken).toBe(2);
  });

  it('has no row that is too long, in a single piece either', async () => {
    const row = `["${'a'.repeat(5 * 1024 * 1024)}"]`;
    await expect(read(pieces([COLUMNS, row, '{"end":"whole"}'], 2 ** 26))).rejects.toThrow(LineTooLong);
  });

  it('passes over empty lines, which its node sends while it has no rows', async () => {
    expect(await read(pieces(['{}', ...LINES.slice(0, 3), '{}', ...LINES.slice(3)], 4096))).toEqual(ROWS);
  });

  it('is refused where its columns are', async () => {
    const refuse = () => {
      throw new Error('other columns');
    };
    await expect(remoteRowsOf(pieces(LINES, 4096), refuse).next()).rejects.toThrow('other columns');
  });
});
