// Stored text, made safe to look at.

import { describe, expect, it } from 'vitest';
import { cutText, visibleParts } from './visible-text.ts';

const shown = (text: string) =>
  visibleParts(text)
    .map(({ text: part, isCode }) => (isCode ? `[${part}]` : part))
    .join('');

describe('Stored text', () => {
  it.each([
    ['', ''],
    ['<script>alert(1)</script>\tx\ny 한글 😀', '<script>alert(1)</script>\tx\ny 한글 😀'],
    ['a\u202eb\u0000c\u200bd\ufeff', 'a[U+202E]b[U+0000]c[U+200B]d[U+FEFF]'],
    ['\u001b[31mred', '[U+001B][31mred'],
    // Half a character, a filler of Korean text, separators of lines, a tag beyond the first plane.
    ['\ud800', '[U+D800]'],
    ['ㅤa\u1160', '[U+3164]a[U+1160]'],
    ['a\u2028b\u2029', 'a[U+2028]b[U+2029]'],
    ['a\u{e0041}', 'a[U+E0041]'],
    ['\r\u007f\u0085', '[U+000D][U+007F][U+0085]'],
  ])('%j is shown as %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['ab', 5, 'ab'],
    ['abc', 2, 'ab'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['한글', 1, '한'],
  ])('%j cut to %d units is %j, never half a character', (text, length, expected) => {
    expect(cutText(text, length)).toBe(expected);
  });
});
