import { styleText } from 'node:util';
import { describe, expect, it } from 'vitest';
import { columns, printable } from './text-table.ts';

describe('Columns', () => {
  const scenarios = [
    {
      it: 'are as wide as their widest cell',
      rows: [
        ['a', 'b'],
        ['ccc', 'd'],
      ],
      lines: ['a    b', 'ccc  d'],
    },
    {
      it: 'count Korean letters as two cells',
      rows: [
        ['한글', 'b'],
        ['ccccc', 'd'],
      ],
      lines: ['한글   b', 'ccccc  d'],
    },
    {
      it: 'count Korean letters in parts like whole ones',
      rows: [
        ['한'.normalize('NFD'), 'b'],
        ['ccc', 'd'],
      ],
      lines: [`${'한'.normalize('NFD')}   b`, 'ccc  d'],
    },
    {
      it: 'count pictures as two cells',
      rows: [
        ['🚀', 'b'],
        ['ccc', 'd'],
      ],
      lines: ['🚀   b', 'ccc  d'],
    },
    {
      it: 'end lines without blanks',
      rows: [
        ['a', ''],
        ['b', 'ccc'],
      ],
      lines: ['a', 'b  ccc'],
    },
  ];
  for (const { it: sentence, rows, lines } of scenarios) {
    it(sentence, () => expect(columns(rows)).toEqual(lines));
  }

  it('do not count colours', () => {
    const red = styleText('red', 'ab', { validateStream: false });
    expect(
      columns([
        [red, 'c'],
        ['ddd', 'e'],
      ]),
    ).toEqual([`${red}   c`, 'ddd  e']);
  });
});

describe('Text from elsewhere', () => {
  it('loses controls and changes of direction, and nothing else', () => {
    expect(printable('a\x1b[2Jb\u202ec\nd\u009b한글 é')).toBe('a·[2Jb·c·d·한글 é');
  });
});
