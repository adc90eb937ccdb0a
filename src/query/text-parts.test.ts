import { expect, it } from 'vitest';
import { outcome } from '#test/support/query.ts';
import { tooManyParts } from './text-parts.ts';

it.each([
  ['a word', 'a '.repeat(8192), 'a '.repeat(8193)],
  ['an eighth of a mark', '('.repeat(65_536), '('.repeat(65_537)],
  ['a string with its length', `"${'x'.repeat(1_048_448)}"`, `"${'x'.repeat(1_048_448)}" (`],
  ['a quarter of a mark in a string', `"${'('.repeat(32_764)}"`, `"${'('.repeat(32_765)}"`],
])('counts as a part %s', (_, fits, tooMany) => {
  expect(tooManyParts(fits)).toBeUndefined();
  expect(tooManyParts(tooMany)).toMatchObject({ code: 90009, values: { n: 8193, max: 8192 } });
});

it('does not end a string at an escaped quote', () => {
  expect(tooManyParts(`"${'\\" a '.repeat(10_000)}"`)).toBeUndefined();
});

it('refuses at the first part that is one too many', () => {
  expect(outcome(`table t | search a == 1${' or a == 1'.repeat(5000)}`)).toMatch(/^90009 /);
});
