import { describe, expect, it } from 'vitest';
import * as en from './messages.en.ts';
import { messageOf, type QueryErrorCode } from './messages.ts';
import { isQueryErrorCode, translated } from './translated-messages.ts';

const CODES = Object.keys(en.mistakes).map(Number).filter(isQueryErrorCode);

describe('A message in another language', () => {
  it('keeps the values of its holes, for every code', () => {
    const values = { name: 'name', value: 'a b', n: 3, max: '9', min: 0, column: 'c.d', command: 'stats', text: 'x' };
    const all = {
      ...values,
      detail: 'd',
      feature: 'f',
      type: 't',
      what: 'w',
      names: 'n',
      option: 'o',
      least: 1,
      instead: 'i',
      given: 2,
    };
    const wrong = CODES.filter((code) => {
      const english = messageOf(code, all, 'en');
      const korean = messageOf(code, all, 'ko');
      return translated(english, [code], 'ko') !== korean || translated(korean, [code], 'en') !== english;
    });
    expect(CODES.length).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
  });

  it.each<[string, QueryErrorCode, string]>([
    ['translates words of the catalogue inside', 10200, messageOf(10200, { detail: { term: 'json-key' } }, 'ko')],
    ['keeps names that look like them', 10001, messageOf(10001, { name: 'table' }, 'ko')],
  ])('%s', (_, code, korean) => {
    const message = code === 10200 ? 'not readable as JSON: a key is expected' : 'there is no table table';
    expect(translated(message, [code], 'ko')).toBe(korean);
    expect(translated(message, [code], 'en')).toBe(message);
  });

  it('stays unchanged if it does not fit its template or its code is unknown', () => {
    expect(translated('there was no table x', [10001], 'ko')).toBe('there was no table x');
    expect(translated('there is no table x', [1], 'ko')).toBe('there is no table x');
  });
});
