// Changes of a query text by clicks: filters, and the text of a live tail.

import { describe, expect, it } from 'vitest';
import { KINDS as kinds } from '#test/support/console-language.ts';
import { hasSameShape, liveText, withFilter } from './edits.ts';

const records = { kinds, target: 'records' } as const;
const result = { kinds, target: 'result' } as const;
const value = { field: 'status', value: 500 };

describe('A filter', () => {
  it.each([
    ['table web', 'table web | search status == 500'],
    [
      'table web | search a == 1 | stats count by b',
      'table web | search a == 1 | search status == 500 | stats count by b',
    ],
    ['table web\n| # why\n| stats count', 'table web | search status == 500\n| # why\n| stats count'],
    // Text that reads no stored records has no other position than its end.
    ['json "{}"', 'json "{}" | search status == 500'],
    ['', ''],
  ])('of records stands before anything is computed: %j', (text, expected) => {
    expect(withFilter(text, 'only', value, records)).toBe(expected);
  });

  it.each([
    ['table web | stats count by status', 'table web | stats count by status | search status == 500'],
    ['table web | import x', 'table web | search status == 500 | import x'],
    ['import x', 'import x'],
  ])('of the result stands behind everything that gives rows: %s', (text, expected) => {
    expect(withFilter(text, 'only', value, result)).toBe(expected);
  });

  it('is added once, and its opposite takes its place', () => {
    const filtered = withFilter('table web | limit 5', 'only', value, records);
    expect(withFilter(filtered, 'only', value, records)).toBe(filtered);
    const opposite = withFilter(filtered, 'without', value, records);
    expect(opposite).toBe(filtered.replace('status == 500', 'not(status == 500)'));
    expect(withFilter(opposite, 'only', value, records)).toBe(filtered);
  });

  it('on a value that a text cannot name changes nothing', () => {
    for (const kind of ['only', 'without'] as const) {
      expect(withFilter('table web', kind, { field: 'm', value: {} }, records)).toBe('table web');
    }
  });

  it('on absent values asks for rows without or with the field', () => {
    const absent = { field: '사용자', value: null };
    expect(withFilter('table web', 'only', absent, records)).toBe('table web | search isnull(사용자)');
    expect(withFilter('table web', 'without', absent, records)).toBe('table web | search isnotnull(사용자)');
  });
});

describe('The text of a live tail', () => {
  it.each([
    ['table duration=1h order=asc web | search a', 'table window=600s web | search a'],
    ['set x = 1 | table web', 'set x = 1 | table window=600s web'],
    ['fulltext limit=5 tt=t "x" from web', 'fulltext window=600s tt=t "x" from web'],
  ])('of %s reads records as they arrive', (text, live) => {
    expect(liveText(text, kinds, 600)).toBe(live);
  });

  it.each(['table web | stats count', 'table web | import x', 'json "{}"', ''])('does not exist for %j', (text) => {
    expect(liveText(text, kinds, 600)).toBeUndefined();
  });
});

describe('Chosen columns', () => {
  it.each([
    ['table web', 'table web | search a == 1', true],
    ['table web | search a == "x | y"', ' table web | # note ', true],
    ['table web', 'table auth', false],
    ['table web | stats count', 'table web', false],
  ])('of %j stay with %j: %s', (one, other, isSame) => {
    expect(hasSameShape(one, other)).toBe(isSame);
  });
});
