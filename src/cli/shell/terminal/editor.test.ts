import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Edited, EMPTY, edited, holding, inserted, replaced } from './editor.ts';
import type { KeyName } from './keys.ts';

/** The cursor is where the mark is. */
const at = (marked: string): Edited => ({ text: marked.replace('‸', ''), cursor: marked.indexOf('‸'), cut: '' });
const shown = ({ text, cursor }: Edited) => `${text.slice(0, cursor)}‸${text.slice(cursor)}`;

describe('A text that is being edited', () => {
  it.each<[string, KeyName, string | undefined]>([
    ['ab‸c', 'left', 'a‸bc'],
    ['‸abc', 'left', '‸abc'],
    ['한‸', 'backspace', '‸'],
    ['a👨‍👩‍👧‸', 'backspace', 'a‸'],
    ['‸e\u0301x', 'right', 'e\u0301‸x'],
    ['a‸😀', 'delete', 'a‸'],
    ['ab\ncd‸', 'home', 'ab\n‸cd'],
    ['a‸b\ncd', 'end', 'ab‸\ncd'],
    ['ab\ncd‸', 'first', '‸ab\ncd'],
    ['‸ab\ncd', 'last', 'ab\ncd‸'],
    ['table web | st‸', 'word-left', 'table web | ‸st'],
    ['table web ‸| st', 'word-left', 'table ‸web | st'],
    ['table‸ web | st', 'word-right', 'table web‸ | st'],
    ['table web‸', 'cut-word', 'table ‸'],
    ['ab\ncd‸e', 'cut-before', 'ab\n‸e'],
    ['a‸b\ncd', 'cut-after', 'a‸\ncd'],
    ['ab‸\ncd', 'cut-after', 'ab‸cd'],
    ['‸table web', 'cut-word-after', '‸ web'],
    ['abc\nde‸', 'up', 'ab‸c\nde'],
    ['a\ndefg‸', 'up', 'a‸\ndefg'],
    ['abc‸', 'up', undefined],
    ['abc‸\nd', 'down', 'abc\nd‸'],
    ['ab\nc‸d', 'down', undefined],
    ['ab‸', 'new-line', 'ab\n‸'],
    ['ab‸', 'unknown', undefined],
  ])('%j after %s is %j', (before, key, expected) => {
    const state = edited(at(before), key);
    expect(state && shown(state)).toBe(expected);
  });

  it('puts back what was cut', () => {
    const cut = edited(at('table web‸'), 'cut-word') ?? EMPTY;
    expect(shown(edited(holding(cut, 'x '), 'put-back') ?? EMPTY)).toBe('x web‸');
  });

  it('is filled in at the cursor, and in place of a part', () => {
    expect(shown(inserted(at('a‸c'), 'b'))).toBe('ab‸c');
    expect(shown(replaced(at('ta‸ x'), { begin: 0, end: 2 }, 'table'))).toBe('table‸ x');
  });

  it('keeps its cursor on the border of a letter, whatever is pressed', () => {
    const keys = [
      'left',
      'right',
      'up',
      'down',
      'home',
      'end',
      'word-left',
      'word-right',
      'backspace',
      'delete',
    ] as const;
    const cuts = ['cut-word', 'cut-before', 'cut-after', 'put-back', 'new-line', 'first', 'last'] as const;
    const letter = fc.constantFrom('a', ' ', '한', '😀', 'e\u0301', '👨‍👩‍👧', '\n', '|');
    fc.assert(
      fc.property(fc.array(letter), fc.array(fc.constantFrom(...keys, ...cuts)), (letters, pressed) => {
        let state = holding(EMPTY, letters.join(''));
        for (const key of pressed) state = edited(state, key) ?? state;
        const borders = [0];
        for (const { segment, index } of new Intl.Segmenter().segment(state.text)) borders.push(index + segment.length);
        return borders.includes(state.cursor);
      }),
    );
  });
});
