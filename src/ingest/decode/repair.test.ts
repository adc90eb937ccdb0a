// Records that cannot be stored as they were sent.

import { describe, expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import { recordOf, recordSliced } from './record.ts';

const ARRIVAL = { at: 0, zone: 'UTC' };
const LONG = 'n'.repeat(1024);

/** What is stored, read at once and in slices; the mark must agree with the shape. */
function stored(text: string): unknown {
  const once = recordOf(text, ARRIVAL);
  const sliced = runToEnd(recordSliced(text, ARRIVAL));
  if (typeof once === 'string' || typeof sliced === 'string') throw new Error(`rejected: ${text}`);
  const value = JSON.parse(once.text);
  expect(JSON.parse(sliced.text)).toEqual(value);
  for (const { shape, isRepaired = false } of [once, sliced]) {
    expect(new Map(shape.names.map((name, at) => [name, shape.types[at]]))).toEqual(
      new Map(Object.entries(value).map(([name, one]) => [name, typeOf(one)])),
    );
    expect(shape.names.includes('_repaired')).toBe(isRepaired);
  }
  return value;
}

const typeOf = (value: unknown) =>
  typeof value === 'string'
    ? 'string'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'object'
        ? 'other'
        : 'long';

describe('A record', () => {
  const cases: [rule: string, text: string, expected: object][] = [
    ['has no mark where nothing was wrong', '{"a":"\\ud83d\\ude00"}', { a: '😀' }],
    ['has U+FFFD for a NUL', '{"a":"x\\u0000y"}', { a: 'x\ufffdy', _repaired: true }],
    ['has U+FFFD for a NUL that is not escaped', '{"a":"x\0y"}', { a: 'x\ufffdy', _repaired: true }],
    ['has U+FFFD for half of a pair', '{"a":"\\uD83D"}', { a: '\ufffd', _repaired: true }],
    ['has U+FFFD in names', '{"\\u0000":1}', { '\ufffd': 1, _repaired: true }],
    ['has the last value of names that become equal', '{"a\\u0000":1,"a\\ud800":2}', { 'a\ufffd': 2, _repaired: true }],
    ['loses a mark of its own', '{"_repaired":1,"a":1}', { a: 1 }],
    [
      'loses a mark of its own, with escapes too',
      '{"\\u005frepaired":1,"a":"\\u0000"}',
      { a: '\ufffd', _repaired: true },
    ],
    ['has names of 1,024 bytes', `{"${LONG}":1}`, { [LONG]: 1 }],
    ['has longer names cut', `{"${LONG}x":1}`, { [LONG]: 1, _repaired: true }],
    ['has them cut at a character', `{"${'n'.repeat(1022)}한":1}`, { ['n'.repeat(1022)]: 1, _repaired: true }],
    ['has the last value of names that are cut alike', `{"${LONG}x":1,"${LONG}y":2}`, { [LONG]: 2, _repaired: true }],
    [
      'has nested names cut',
      `{"a":[{"${LONG}x":{"${LONG}y":1}}]}`,
      { a: [{ [LONG]: { [LONG]: 1 } }], _repaired: true },
    ],
    ['keeps long values, and what looks like a name in them', `{"a":"${LONG}\\":${LONG}"}`, { a: `${LONG}":${LONG}` }],
    ['may be empty', '{"_repaired":"\\u0000"}', { _repaired: true }],
  ];
  for (const [rule, text, expected] of cases) it(rule, () => expect(stored(text)).toEqual(expected));
});
