// Top values of fields: asked of the service, or counted over the rows that are shown.

import { describe, expect, it } from 'vitest';
import { filterPartOf } from '#console/query-text/parts.ts';
import { KINDS } from '#test/support/console-language.ts';
import { countsOf, facetsRequest } from './field-counts.ts';

const request = (text: string) => facetsRequest(text, filterPartOf(text, KINDS));

describe('The service is asked for top values', () => {
  it.each([
    ['table web', { table: 'web', limit: 10 }],
    [
      'table web | search a == "x | y" | eval b = 1 | stats count',
      { table: 'web', limit: 10, q: 'search a == "x | y" | eval b = 1' },
    ],
    ['table order=asc 웹', { table: '웹', limit: 10 }],
  ])('of %s', (text, expected) => expect(request(text)).toEqual(expected));

  it.each([
    'table duration=1h web',
    'table a, b',
    'table w*',
    'table limit=5 web',
    'table offset=5 web',
    'fulltext "x"',
    'json "{}"',
    '',
  ])('not where %j reads more or less than one table in the range of the page', (text) =>
    expect(request(text)).toBeUndefined(),
  );
});

describe('Values that are counted here', () => {
  const valuesOf = (values: readonly unknown[]) =>
    countsOf(
      [{ name: 's', type: 'any' }],
      values.map((s) => ({ s })),
    ).fields[0];

  it('tell numbers from texts, and leave out what is absent', () => {
    expect(valuesOf([200, 200, '200', null, undefined])).toEqual({
      field: 's',
      count: 3,
      distinct: 2,
      values: [
        { value: 200, count: 2 },
        { value: '200', count: 1 },
      ],
    });
  });

  it('of the same content are the same', () => {
    expect(valuesOf([['a'], ['a'], 9007199254740993n, 9007199254740993n, 9007199254740992n])).toMatchObject({
      distinct: 3,
      count: 5,
    });
  });

  it('are ten at most, the most frequent first, and all are counted', () => {
    const many = Array.from({ length: 30 }, (_, n) => n);
    const found = valuesOf([...many, 29]);
    expect([found?.values.length, found?.values[0]?.value, found?.distinct, found?.count]).toEqual([10, 29, 30, 31]);
  });

  it('are not those of all records', () => {
    expect(countsOf([], [{ a: 1 }])).toEqual({ rows: 1, isPartial: false, isOfRecords: false, fields: [] });
  });
});
