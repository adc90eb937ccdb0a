// Named arguments (9): the names of parameters, their places in normalized text, and calls that are refused.

import { expect, it } from 'vitest';
import { aggregates, functions } from '#query/functions/index.ts';
import { outcome } from '#test/support/query.ts';

it('exist for the parameters of the reference and no others', () => {
  const named = [...functions, ...aggregates].flatMap(({ name, parameters }) =>
    parameters ? [[name, parameters.join(', ')]] : [],
  );
  expect(Object.fromEntries(named)).toEqual({
    datetrunc: 'd, span, offset',
    daterange: 'from, to, span',
    dateadd: 'd, unit, amount',
    datediff: 'from, to, unit',
    datepart: 'd, part',
    ago: 'duration',
    date: 's, format, zone, locale',
    string: 'x, format, zone, locale',
    round: 'n, digits',
    floor: 'n, digits',
    ceil: 'n, digits',
    substr: 's, begin, end',
    subarray: 'l, begin, end',
    lpad: 's, length, pad',
    rpad: 's, length, pad',
    indexof: 's, sub, from',
    lastindexof: 's, sub, from',
    split: 's, delim, limit',
    replace: 's, from, to, mode',
    binary: 's, charset',
    decode: 's, charset',
    urlencode: 's, charset',
    urldecode: 's, charset',
    hash: 'algorithm, x',
    encrypt: 'cipher, key, data, iv',
    decrypt: 'cipher, key, data, iv',
    percentile: 'e, p, how',
  });
});

it('have an argument of the function for each name', () => {
  const short = [...functions, ...aggregates].filter(({ args, parameters = [] }) => args.length < parameters.length);
  expect(short.map(({ name }) => name)).toEqual([]);
});

it.each<[string, string]>([
  ['round(n=a, digits=1)', 'round(a, 1)'],
  ['round(digits = 1 , n = a)', 'round(a, 1)'],
  ['datetrunc(when, offset="9h", span="1d")', 'datetrunc(when, "1d", "9h")'],
  ['string(when, "E", locale="ko")', 'string(when, "E", "ko")'],
  ['string(when, locale="ko", zone="UTC", format="E")', 'string(when, "E", "UTC", "ko")'],
  ['substr(b, end=round(digits=0, n=a), begin=0)', 'substr(b, 0, round(a, 0))'],
  ['round(n == a)', 'round(n == a)'],
])('are written by position: %s', (call, normalized) => {
  expect(outcome(`table t | eval n = ${call}`)).toBe(`table t | eval n = ${normalized}`);
});

it('are those of aggregates too', () => {
  const text = 'table t | stats percentile(p=95, e=a), percentile(a, how="lower", p=5) as low';
  expect(outcome(text)).toBe('table t | stats percentile(a, 95), percentile(a, 5, "lower") as low');
});
