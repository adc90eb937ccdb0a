import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '#kernel/cells.ts';
import type { Key, KeyName } from './keys.ts';
import { cellsFrom, FIRST, moved, seen, Table, type Window } from './pager-view.ts';

const screen = { columns: 20, rows: 12 };
const letter = (text: string): Key => ({ text, isPasted: false });

function tableOf(lines: number): Table {
  const table = new Table();
  const texts = Array.from({ length: lines }, (_, at) => `line ${at} ${'x'.repeat(30)}`);
  table.add({ names: '[]', head: 'first page', lines: texts.slice(0, 25) });
  table.add({ names: '[]', head: 'second page', lines: texts.slice(25) });
  return table;
}

describe('The window of the pager', () => {
  const table = tableOf(35);
  const after = (...keys: (Key | KeyName)[]): Window =>
    keys.reduce<Window>((window, key) => {
      return moved(window, typeof key === 'string' ? { name: key } : key, { table, screen }) ?? window;
    }, FIRST);

  it.each<[string, (Key | KeyName)[], Window]>([
    ['a page on', [letter(' ')], { top: 10, left: 0 }],
    ['a page on and back', ['page-down', 'page-down', letter('b')], { top: 10, left: 0 }],
    ['a line on and back', ['down', letter('j'), 'enter', letter('k')], { top: 2, left: 0 }],
    ['not before the beginning', ['up', letter('b')], { top: 0, left: 0 }],
    ['to the last page, which is full', [letter('G')], { top: 25, left: 0 }],
    ['not beyond it', [letter('G'), letter(' '), 'down'], { top: 25, left: 0 }],
    ['back to the beginning', [letter('G'), letter('g')], { top: 0, left: 0 }],
    ['sideways as far as there is something', ['right', 'right', 'right', 'right'], { top: 0, left: 19 }],
    ['and back', ['right', 'left', 'left'], { top: 0, left: 0 }],
    ['nowhere with other keys', [letter('x'), 'tab'], { top: 0, left: 0 }],
  ])('goes %s', (_, keys, expected) => {
    expect(after(...keys)).toEqual(expected);
  });

  it('shows the names that belong to its first line, and as many cells as fit', () => {
    const [head, first, ...others] = seen({ top: 24, left: 0 }, table, screen);
    expect([head, first, others.length]).toEqual(['first page', 'line 24 xxxxxxxxxxx', 9]);
    expect(seen({ top: 25, left: 5 }, table, screen).slice(0, 2)).toEqual(['d page', '25 xxxxxxxxxxxxxxxx']);
  });

  it('finds lines in both directions', () => {
    expect([table.find('line 3', 0, 1), table.find('line 3', 4, 1), table.find('line 3', 29, -1)]).toEqual([3, 30, 3]);
    expect([table.find('LINE 3', 0, 1), table.find('nothing', 0, 1)]).toEqual([undefined, undefined]);
  });
});

describe('Cells of a line', () => {
  it.each<[string, number, number, string]>([
    ['abcdef', 2, 3, 'cde'],
    ['가나다', 2, 2, '나'],
    ['가나다', 1, 4, ' 나 '],
    ['abc', 5, 3, ''],
    ['e\u0301x', 0, 1, 'e\u0301'],
  ])('of %s from %i, %i of them', (text, left, width, expected) => {
    expect(cellsFrom(text, left, width)).toBe(expected);
  });

  it('are never more than asked for', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '한', '😀', '\u0301', ' ') });
    fc.assert(
      fc.property(text, fc.nat({ max: 20 }), fc.integer({ min: 1, max: 20 }), (line, left, width) => {
        const shown = cellsFrom(line, left, width);
        expect(cellsOf(shown)).toBe(Math.max(0, Math.min(width, cellsOf(line) - left)));
      }),
    );
  });
});
