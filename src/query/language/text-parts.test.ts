import { expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import { outcome } from '#test/support/query.ts';
import { tooManyParts } from './text-parts.ts';

/** Two parts: one for the string and one for its 128 characters. */
const STRING = `"${'x'.repeat(128)}"`;

it.each([
  ['a word', 'a '.repeat(65_536), 'a '.repeat(65_537)],
  ['an eighth of a mark', '('.repeat(524_288), '('.repeat(524_289)],
  ['a string with its length', STRING.repeat(32_768), `${STRING.repeat(32_768)} (`],
  ['a quarter of a mark in a string', `"${'('.repeat(262_140)}"`, `"${'('.repeat(262_141)}"`],
])('counts as a part %s', (_, fits, tooMany) => {
  expect(runToEnd(tooManyParts(fits))).toBeUndefined();
  expect(runToEnd(tooManyParts(tooMany))).toMatchObject({ code: 90009, values: { n: 65_537, max: 65_536 } });
});

it('does not end a string at an escaped quote', () => {
  expect(runToEnd(tooManyParts(`"${'\\" a '.repeat(100_000)}"`))).toBeUndefined();
});

it('reports an error at the first part beyond the limit', () => {
  expect(outcome(`table t | search a == 1${' or a == 1'.repeat(25_000)}`)).toMatch(/^90009 /);
});

it('rejects a json text with more fields than a statement may have columns', () => {
  const objectOf = (fields: number) => `{${Array.from({ length: fields }, (_, at) => `a${at}:1`).join(',')}}`;
  expect(outcome(`json "${objectOf(1024)}" | stats count`)).not.toMatch(/^\d{5} /);
  expect(outcome(`json "[${objectOf(1024)},{b:1}]" | stats count`)).toMatch(/^90009 5\.\./);
});
