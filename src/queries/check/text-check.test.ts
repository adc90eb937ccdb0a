import { describe, expect, it } from 'vitest';
import { check } from '#test/support/query.ts';
import { checkText } from './text-check.ts';

describe('Trying a text', () => {
  const tried = (text: string, locale: 'en' | 'ko' = 'en') =>
    checkText(text, locale, async (written) => check(written));

  it('tells what it is as a query', async () => {
    expect(await tried('table t,r |union [ table  t|stats count as n ]')).toMatchObject({
      mistakes: [],
      normalized: 'table t, r | union [ table t | stats count as n ]',
      tables: ['r', 't'],
    });
  });

  it('tells its mistakes in the language of the caller', async () => {
    const found = await tried('table t\n| serach a\n| limit x');
    expect(found).toMatchObject({ normalized: null, columns: [], tables: [] });
    expect(found.mistakes.map(({ code, line, suggestion }) => [code, line, suggestion])).toEqual([
      [92000, 2, 'search'],
      [22400, 3, null],
    ]);
    expect((await tried('table nope', 'ko')).mistakes).toMatchObject([{ message: "'nope' 테이블이 없습니다" }]);
  });

  it('passes on what is no mistake in the text', async () => {
    await expect(checkText('', 'en', () => Promise.reject(new Error('defect')))).rejects.toThrow('defect');
  });
});
