import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '#kernel/text/cells.ts';
import { choiceRows, viewOf } from './prompt-view.ts';

const prompts = ['> ', '. '] as const;
const screen = { columns: 11, rows: 20 };

describe('The view of what is typed', () => {
  it('has each line behind its prompt, and the cursor at its cell', () => {
    expect(viewOf({ text: 'ab\n한글c', cursor: 5, prompts }, screen)).toEqual({
      rows: ['> ab', '. 한글c'],
      cursor: { row: 1, column: 6 },
    });
  });

  it('goes on in the next row where a line is too long, and never cuts a letter', () => {
    expect(viewOf({ text: 'abcdefg한글', cursor: 9, prompts }, screen)).toEqual({
      rows: ['> abcdefg', '한글'],
      cursor: { row: 1, column: 4 },
    });
  });

  it('shows what steers terminals as dots', () => {
    expect(viewOf({ text: 'a\x1b[2J\tb', cursor: 0, prompts }, screen).rows).toEqual(['> a·[2J b']);
  });

  it('stays within the screen, around the cursor', () => {
    const text = Array.from({ length: 50 }, (_, line) => String(line)).join('\n');
    const { rows, cursor } = viewOf({ text, cursor: text.indexOf('25'), prompts }, { columns: 80, rows: 6 });
    expect([rows, rows[cursor.row]]).toEqual([['. 21', '. 22', '. 23', '. 24', '. 25'], '. 25']);
  });

  it('shows all of a text and keeps to the width', () => {
    const letter = fc.constantFrom('a', ' ', '한', '😀', 'e\u0301', '\n', '|');
    fc.assert(
      fc.property(fc.array(letter), fc.integer({ min: 6, max: 40 }), fc.nat(), (letters, columns, seed) => {
        const text = letters.join('');
        const cursor = letters.slice(0, seed % (letters.length + 1)).join('').length;
        const view = viewOf({ text, cursor, prompts: ['', ''] }, { columns, rows: 1000 });
        expect(view.rows.join('')).toBe(text.replaceAll('\n', ''));
        for (const row of view.rows) expect(cellsOf(row)).toBeLessThan(columns);
        const before = view.rows.slice(0, view.cursor.row).join('');
        const under = text.slice(0, cursor).replaceAll('\n', '').slice(before.length);
        expect(cellsOf(under)).toBe(view.cursor.column);
      }),
    );
  });
});

describe('Choices', () => {
  it('stand side by side, column by column', () => {
    const { rows, left } = choiceRows(['a', 'b', 'c ', '한글', 'e'], { columns: 20, rows: 24 });
    expect([rows, left]).toEqual([['a     c     e', 'b     한글'], 0]);
  });

  it('end with the screen, and tell how many are left out', () => {
    const names = Array.from({ length: 100 }, (_, at) => `name-${String(at).padStart(2, '0')}`);
    const { rows, left } = choiceRows(names, { columns: 40, rows: 8 });
    expect([rows.length, left]).toEqual([5, 80]);
  });
});
