// The part of a query text that reads and filters records, which the histogram, the fields and the live tail work with.

import { describe, expect, it } from 'vitest';
import { KINDS } from '#test/support/console-language.ts';
import { filterPartOf, filtersText } from './parts.ts';

const partOf = (text: string) => {
  const part = filterPartOf(text, KINDS);
  if (!part) return undefined;
  const { table, hasOwnRange, isWhole } = part;
  return { part: text.slice(0, part.end), filters: filtersText(text, part), table, hasOwnRange, isWhole };
};

describe('The filtering part of a text', () => {
  it.each([
    ['table web', { part: 'table web', filters: '', table: 'web', hasOwnRange: false, isWhole: true }],
    [
      'table web | search a | eval b = 1 | stats count | search c',
      {
        part: 'table web | search a | eval b = 1',
        filters: 'search a | eval b = 1',
        table: 'web',
        hasOwnRange: false,
        isWhole: false,
      },
    ],
    [
      'set x = 1 | setq y = [ table z | limit 1 ] | table 웹 | search a == "x | y"',
      {
        part: 'set x = 1 | setq y = [ table z | limit 1 ] | table 웹 | search a == "x | y"',
        filters: 'search a == "x | y"',
        table: '웹',
        hasOwnRange: false,
        isWhole: true,
      },
    ],
    [
      'fulltext "from=1 | x" from web | sort a',
      { part: 'fulltext "from=1 | x" from web', filters: '', table: undefined, hasOwnRange: false, isWhole: false },
    ],
    [
      'table limit=5 order=asc web',
      { part: 'table limit=5 order=asc web', filters: '', table: 'web', hasOwnRange: false, isWhole: true },
    ],
  ])('of %s', (text, expected) => {
    expect(partOf(text)).toEqual(expected);
  });

  it.each(['duration=1h', 'from=20261115', 'to=20261116', 'window=10s'])('has a range of its own with %s', (option) => {
    expect(partOf(`table ${option} web`)).toMatchObject({ table: 'web', hasOwnRange: true });
  });

  it.each(['fulltext "a from=1" from web', 'fulltext “a \\" to=1” from web', 'fulltext "window=\\" to=1"'])(
    'has the range of the page where the option is part of a term: %s',
    (text) => {
      expect(filterPartOf(text, KINDS)).toMatchObject({ hasOwnRange: false, isLive: false });
    },
  );

  it.each(['table a, b', 'table w*', 'table *', 'table web?', 'table node:web', 'table'])(
    'reads not exactly one table in %s',
    (text) => {
      expect(partOf(text)?.table).toBeUndefined();
    },
  );

  it.each([
    ['an empty text', ''],
    ['a comment', '# table web'],
    ['other drivers', 'json "{}"'],
    ['settings without a driver', 'set x = 1'],
    ['text without a driver', 'search a == 1'],
    ['a second driver', 'table a | import b | table c'],
  ])('does not exist in %s', (_, text) => {
    expect(partOf(text)).toBeUndefined();
  });

  it('ends before a command that is not known yet', () => {
    expect(filterPartOf('table web | search a', new Map())).toMatchObject({ end: 'table web'.length, isWhole: false });
  });
});
