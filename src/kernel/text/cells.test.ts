import { describe, expect, it } from 'vitest';
import { cellsOf } from './cells.ts';

describe('Cells of a terminal', () => {
  it.each([
    ['', 0],
    ['status', 6],
    ['김철수', 6],
    ['＂｜', 4],
    ['e\u0301', 1],
    ['한'.normalize('NFD'), 2],
    ['😀', 2],
    ['❤\ufe0f', 1],
    ['\u{20000}', 2],
    ['zero\u200bwidth\ufeff', 9],
    ['ｱ', 1],
  ])('are counted as they are shown: %s', (text, cells) => {
    expect(cellsOf(text)).toBe(cells);
  });
});
