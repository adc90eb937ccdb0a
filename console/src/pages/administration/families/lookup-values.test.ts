// Rows of a lookup, as a form edits them.

import { describe, expect, it } from 'vitest';
import { answerConsole } from '#test/support/console-answers.ts';
import { editedValue, LOAD, mergeRow, ROWS, removeRow, rowText } from './lookup-values.ts';
import type { Lookup } from './lookups.tsx';

const LOOKUP = 'GET /api/core/lookups/:guid';
/** The fields that are read here. */
const lookup = { guid: 'l', key: 'id', version: 3, row_count: 3 } as Lookup;
const BODY =
  '{"total_count":3,"columns":["id"],"rows":[{"id":9007199254740992},{"id":9007199254740993,"n":9007199254740995},{"id":"x"}]}';

describe('A value of a row', () => {
  it.each([
    [undefined, ''],
    [null, ''],
    ['한', '한'],
    [1.5, '1.5'],
    [9007199254740993n, '9007199254740993'],
    [false, 'false'],
    [{ a: [9007199254740993n] }, '{"a":[9007199254740993]}'],
  ])('%s is edited as %j', (value, text) => {
    expect(rowText(value)).toBe(text);
    // What was not changed stays what it was.
    expect(editedValue(text, value)).toBe(value);
  });

  it.each([
    ['x', undefined, 'x'],
    ['', 'x', undefined],
    ['7', 5, 7],
    ['1.5', 5, 1.5],
    ['9007199254740993', 5, 9007199254740993n],
    ['7', 9007199254740993n, 7],
    ['many', 5, 'many'],
    [' ', 5, ' '],
    ['false', true, false],
    ['yes', true, 'yes'],
    ['7', 'x', '7'],
  ])('edited to %j where it was %s becomes %s', (text, before, value) => {
    expect(editedValue(text, before)).toBe(value);
  });
});

describe('A row', () => {
  it('that is changed is sent with all digits of its numbers', async () => {
    const requests = answerConsole({ [LOAD]: () => ({}) });
    await mergeRow('l', { id: 'x', n: 9007199254740993n });
    expect(requests).toMatchObject([
      { params: { guid: 'l', mode: 'merge' }, content: '[{"id":"x","n":9007199254740993}]' },
    ]);
  });

  it('is removed by loading the others as they are', async () => {
    const requests = answerConsole({
      [ROWS]: () => new Response(BODY),
      [LOOKUP]: () => ({ lookup }),
      [LOAD]: () => ({}),
    });
    expect(await removeRow(lookup, 9007199254740992)).toBe(true);
    expect(requests.at(-1)).toMatchObject({
      params: { guid: 'l', mode: 'replace' },
      content: '[{"id":9007199254740993,"n":9007199254740995},{"id":"x"}]',
    });
  });

  it.each([
    ['another version is in force', { ...lookup, version: 4 }],
    ['there are more rows than could be read', { ...lookup, row_count: 4 }],
    ['the lookup is gone', null],
  ])('is not removed where %s', async (_, found) => {
    const requests = answerConsole({ [ROWS]: () => new Response(BODY), [LOOKUP]: () => ({ lookup: found }) });
    expect(await removeRow(lookup, 'x')).toBe(false);
    expect(requests.map(({ operation }) => operation)).toEqual([ROWS, LOOKUP]);
  });
});
