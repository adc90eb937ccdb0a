import { describe, expect, it } from 'vitest';
import { contains, containsWords, matching } from './text-filter.ts';

describe('A text', () => {
  it.each([
    ['Brute Force', 'brute', true],
    ['Brute Force', 'FORCE', true],
    ['Brute Force', 'e f', true],
    ['Brute Force', '', true],
    ['Brute Force', 'forces', false],
    ['로그인 실패', '실패', true],
    ['', 'a', false],
  ])('%j contains %j: %s', (text, part, isThere) => expect(contains(text, part)).toBe(isThere));

  it.each([
    ['Go to Events', 'events go', true],
    ['Go to Events', '  EV  to ', true],
    ['Go to Events', '', true],
    ['Go to Events', 'events tables', false],
  ])('%j has all words of %j: %s', (text, typed, isThere) => expect(containsWords(text, typed)).toBe(isThere));
});

describe('A list', () => {
  const items = [{ name: 'Web' }, { name: 'web-proxy' }, { name: 'mail' }];
  const found = (typed: string) => matching(items, typed, ({ name }) => name).map(({ name }) => name);

  it.each([
    ['', ['Web', 'web-proxy', 'mail']],
    ['  ', ['Web', 'web-proxy', 'mail']],
    [' WEB ', ['Web', 'web-proxy']],
    ['il', ['mail']],
    ['q', []],
  ])('with %j typed shows %j, in its own order', (typed, names) => expect(found(typed)).toEqual(names));
});
