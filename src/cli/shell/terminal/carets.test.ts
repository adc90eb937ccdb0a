import { describe, expect, it } from 'vitest';
import { caretRow } from './carets.ts';

describe('Carets below a line', () => {
  it.each<[string, string]>([
    ['table «wbe» | «serach» a', '      ^^^   ^^^^^^'],
    ['table «웹» | search 이름 == «nope»()', '      ^^                  ^^^^'],
    ['json "😀" | «x»', '            ^'],
    ['json "e\u0301" | «x»', '           ^'],
    ['table web |«»', '           ^'],
  ])('stand under what is meant: %s', (marked, expected) => {
    const text = marked.replaceAll(/[«»]/g, '');
    const begins = [...marked.matchAll(/«/g)].map(({ index }, at) => index - 2 * at);
    const ends = [...marked.matchAll(/»/g)].map(({ index }, at) => index - 2 * at - 1);
    const mistakes = begins.map((begin, at) => ({ begin, end: ends[at] ?? begin }));
    expect(caretRow(text, mistakes)).toBe(expected);
  });

  it('are not doubled where mistakes overlap', () => {
    expect(
      caretRow('abcdef', [
        { begin: 3, end: 5 },
        { begin: 0, end: 4 },
      ]),
    ).toBe('^^^^^');
  });
});
