import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import { type CsvRow, CsvSplitter } from './csv.ts';
import { type LineSink, LineSplitter } from './line-splitter.ts';

const LIMIT = 12;

/** `text` in pieces that end at `cuts`. */
function pieces(text: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return ends.map((end, index) => text.subarray(index === 0 ? 0 : ends[index - 1], end));
}

function linesIn(text: Buffer, cuts: readonly number[], most = LIMIT): [number, string | undefined][] {
  const splitter = new LineSplitter(most);
  const lines: [number, string | undefined][] = [];
  const sink: LineSink = {
    line: (number, piece, from, end) => void lines.push([number, piece.toString('utf8', from, end)]),
    tooLong: (number) => lines.push([number, undefined]),
  };
  for (const piece of pieces(text, cuts)) runToEnd(splitter.push(piece, sink));
  runToEnd(splitter.end(sink));
  return lines;
}

function rowsIn(text: Buffer, cuts: readonly number[], most = LIMIT): [number, CsvRow['values']][] {
  const splitter = new CsvSplitter(most);
  const rows: [number, CsvRow['values']][] = [];
  const take = ({ line, values }: CsvRow) => void rows.push([line, values]);
  for (const piece of pieces(text, cuts)) runToEnd(splitter.push(piece, take));
  runToEnd(splitter.end(take));
  return rows;
}

const bytes = fc
  .string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n', '\r\n', '\r', '가', '\ufeff', '""', '",'), maxLength: 40 })
  .map((text) => Buffer.from(text));
const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 8 });

describe('Pieces of a file', () => {
  it('give the same lines, wherever they are cut', () => {
    fc.assert(
      fc.property(bytes, cuts, (text, cutsAt) => {
        expect(linesIn(text, cutsAt)).toEqual(linesIn(text, []));
      }),
      { numRuns: 2000 },
    );
  });

  it('give the same rows, wherever they are cut', () => {
    fc.assert(
      fc.property(bytes, cuts, (text, cutsAt) => {
        expect(rowsIn(text, cutsAt)).toEqual(rowsIn(text, []));
      }),
      { numRuns: 5000 },
    );
  });

  it('give the lines that were joined', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '가', '"'), maxLength: 10 });
    fc.assert(
      fc.property(fc.array(line), cuts, fc.constantFrom('\n', '\r\n'), (lines, cutsAt, end) => {
        const text = Buffer.from(lines.map((one) => one + end).join(''));
        const expected = lines.map((one, index) => [index + 1, one]).filter(([, one]) => one !== '');
        expect(linesIn(text, cutsAt, 100)).toEqual(expected);
      }),
    );
  });

  it('give the rows that were written', () => {
    const value = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', '가', ' '), maxLength: 8 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 1, maxLength: 4 })), cuts, (rows, cutsAt) => {
        const text = Buffer.from(rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join(''));
        expect(rowsIn(text, cutsAt, 10_000).map(([, values]) => values)).toEqual(rows);
      }),
    );
  });
});
