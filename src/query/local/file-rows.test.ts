// Rows of files by themselves: the same whatever the pieces in which their bytes come.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkQuery } from '#query/query.ts';
import { rowTextOf } from '#query/rows/row-texts.ts';
import { type Charset, encodeLossy } from '#query/values/text/charsets.ts';
import { known } from '#test/support/known-plan-node.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { FileFailure, MAX_LINE } from './file-failures.ts';
import { FileRowReader } from './file-rows.ts';

function rowsOf(command: string, files: readonly Uint8Array[], size = Number.POSITIVE_INFINITY): unknown[] {
  const { plan } = checkQuery(`${command} a`, contextOf({}));
  const node = known(plan.result);
  if (node.kind !== 'files') throw new Error(`${command} reads no files`);
  const reader = new FileRowReader(node);
  return files.flatMap((bytes, index) => {
    const made: unknown[] = [];
    const read = (from: number, isEnd: boolean) => {
      const piece = { file: `f${index}`, bytes: bytes.subarray(from, Math.min(bytes.length, from + size)), isEnd };
      for (const row of reader.rows(piece)) made.push(JSON.parse(rowTextOf(row, node.rows)));
    };
    for (let from = 0; from < bytes.length; from += size) read(from, false);
    read(bytes.length, true);
    return made;
  });
}

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('Rows of files', () => {
  it.each([
    [
      'textfile',
      'a\r\n\nb',
      [
        ['a', 'f0'],
        ['', 'f0'],
        ['b', 'f0'],
      ],
    ],
    ['textfile', '', []],
    ['textfile', '\n', [['', 'f0']]],
    [
      'textfile',
      '\uFEFFa\n\uFEFFb\n',
      [
        ['a', 'f0'],
        ['\uFEFFb', 'f0'],
      ],
    ],
    ['csvfile', '\uFEFFa,b\n1,2\n', [['f0', { a: '1', b: '2' }]]],
    [
      'csvfile',
      'a,b\n1\n1,2,3\n\n',
      [
        ['f0', { a: '1', b: null }],
        ['f0', { a: '1', b: '2', column2: '3' }],
      ],
    ],
    ['csvfile', 'a,,a\n1,2,3\n', [['f0', { a: '1', column1: '2' }]]],
    ['csvfile', 'a\n"x\r\ny""",2\n', [['f0', { a: 'x\r\ny"', column1: '2' }]]],
    [
      'csvfile',
      'a\n5" disk\nb\n',
      [
        ['f0', { a: '5" disk' }],
        ['f0', { a: 'b' }],
      ],
    ],
    [
      'csvfile',
      'a\n"open\nb\n',
      [
        ['f0', { a: 'open' }],
        ['f0', { a: 'b' }],
      ],
    ],
    ['csvfile tab=t', 'a\tb\n1,1\t2\n', [['f0', { a: '1,1', b: '2' }]]],
    ['csvfile maxcol=1', 'a,b\n1,2,3\n', [['f0', { a: '1' }]]],
    [
      'jsonfile',
      '{"a":1}\n\n[1]\n{"line":2}\n',
      [
        [null, 'f0', { a: 1 }],
        ['[1]', 'f0', {}],
        [2, 'f0', {}],
      ],
    ],
    [
      'jsonfile',
      ' [ {"a":"]\\"},{"} , 7,[1,[]] ]\n',
      [
        [null, 'f0', { a: ']"},{' }],
        ['7', 'f0', {}],
        ['[1,[]]', 'f0', {}],
      ],
    ],
    ['jsonfile', '[]', []],
    ['jsonfile', ' \n ', []],
    ['jsonfile overlay=t', '{"a":1}', [['{"a":1}', 'f0', { a: 1 }]]],
    ['jsonfile', '{"_file":"x"}', [[null, 'f0', {}]]],
  ])('%s reads %j, in pieces of any size', (command, text, rows) => {
    for (const size of [1, 2, 3, 7, Number.POSITIVE_INFINITY]) {
      expect(rowsOf(command, [utf8(text)], size), `pieces of ${size}`).toEqual(rows);
    }
  });

  it.each(['[1', '[1}', '[1,]', '[,1]', '[1] x', '[{"a":1}\n{"a":2}', '["x'])('%s is no list', (text) => {
    const isList = text === '[{"a":1}\n{"a":2}';
    const read = () => rowsOf('jsonfile', [utf8(text)], 2);
    expect(read, isList ? 'without a comma and an end' : text).toThrow(new FileFailure(10801));
  });

  it('begins anew with every file', () => {
    expect(rowsOf('csvfile', [utf8('a\n"1'), utf8('b\n2\n')])).toEqual([
      ['f0', { a: '1' }],
      ['f1', { b: '2' }],
    ]);
    expect(rowsOf('jsonfile', [utf8('[{"a":1}]'), utf8('{"a":2}')])).toEqual([
      [null, 'f0', { a: 1 }],
      [null, 'f1', { a: 2 }],
    ]);
  });

  it.each<Charset>(['utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1', 'us-ascii', 'euc-kr', 'cp949'])(
    'reads %s as a whole and in pieces alike, malformed bytes included',
    (encoding) => {
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => encodeLossy(text, encoding)),
        fc.constant(encodeLossy('가나\n[다라]\r\n"a","b\nc"\n{"k":"로그"}\n', encoding)),
      );
      fc.assert(
        fc.property(bytes, fc.integer({ min: 1, max: 9 }), (file, size) => {
          for (const command of ['textfile', 'csvfile']) {
            const read = `${command} encoding=${encoding}`;
            expect(rowsOf(read, [file], size)).toEqual(rowsOf(read, [file]));
          }
        }),
      );
    },
  );

  it('replaces malformed bytes, and never a line end with them', () => {
    expect(rowsOf('textfile', [Uint8Array.of(0xe1, 0x88, 0x0a, 0x61)])).toEqual([
      ['\uFFFD', 'f0'],
      ['a', 'f0'],
    ]);
    expect(rowsOf('textfile encoding=cp949', [Uint8Array.of(0xb0, 0x0a, 0x61)])).toEqual([
      ['\uFFFD', 'f0'],
      ['a', 'f0'],
    ]);
  });

  it('has lines of at most 1 MiB, and list elements too', () => {
    const piece = 2 ** 18;
    const long = Buffer.alloc(MAX_LINE, 'x');
    expect(rowsOf('textfile', [Buffer.concat([long, Buffer.from('\nb')])], piece)).toHaveLength(2);
    expect(() => rowsOf('textfile', [Buffer.concat([long, Buffer.from('x\nb')])], piece)).toThrow(FileFailure);
    expect(() => rowsOf('textfile', [Buffer.concat([long, Buffer.from('x')])], piece)).toThrow(FileFailure);
    expect(() => rowsOf('jsonfile', [Buffer.concat([Buffer.from('["'), long, long])], piece)).toThrow(FileFailure);
    expect(() => rowsOf('jsonfile', [Buffer.alloc(2 * MAX_LINE, ' ')], piece)).toThrow(FileFailure);
    // A list is longer than any of its elements.
    const list = Buffer.from(
      `[${Array.from({ length: 20_000 }, (_, n) => `{"n":${n},"t":"${'x'.repeat(50)}"}`).join(',')}]`,
    );
    expect(list.length).toBeGreaterThan(MAX_LINE);
    expect(rowsOf('jsonfile', [list], piece)).toHaveLength(20_000);
  });

  it('gives up a quote that is never closed after 1 MiB, and reads on behind its line', () => {
    const text = `a\n"open\n${`${'x'.repeat(99)}\n`.repeat(12_000)}`;
    expect(rowsOf('csvfile', [utf8(text)], 2 ** 18)).toHaveLength(12_001);
  });
});
