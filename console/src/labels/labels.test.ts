// The texts of the console: the same in both languages, each in its own.

import { describe, expect, it } from 'vitest';
import { en } from '#console/labels/en.ts';
import { ko } from '#console/labels/ko.ts';

/** The same in every language: the name of a format, a type, a product, and a query. */
const NAME = /^[\w./-]+$|^table .* \| /;
const HANGUL = /\p{Script=Hangul}/u;

/** Texts by their paths, those with holes filled. */
function textsIn(labels: object, path = ''): [path: string, text: string][] {
  return Object.entries(labels).flatMap(([name, value]): [string, string][] => {
    const own = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') return [[own, value]];
    if (typeof value === 'function') return [[own, value(...Array(value.length).fill(7))]];
    return textsIn(value, own);
  });
}

describe('The texts of the console', () => {
  const english = textsIn(en);
  const korean = textsIn(ko);

  it('are there in both languages', () => {
    expect(korean.map(([path]) => path).toSorted()).toEqual(english.map(([path]) => path).toSorted());
    expect([...english, ...korean].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('are Korean in Korean, and English in English', () => {
    const inEnglish = new Map(english);
    expect(
      korean.filter(([path, text]) => !HANGUL.test(text) && !(NAME.test(text) && text === inEnglish.get(path))),
    ).toEqual([]);
    expect(english.filter(([, text]) => HANGUL.test(text))).toEqual([]);
  });

  it('show what they are given in both languages', () => {
    const holes = (texts: readonly [string, string][]) =>
      texts.filter(([, text]) => text.includes('7')).map(([path]) => path);
    expect(holes(korean).toSorted()).toEqual(holes(english).toSorted());
  });
});
