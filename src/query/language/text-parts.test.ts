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

it('reports an error at the first part beyond the limit', () => {
  expect(outcome(`table t | search a == 1${' or a == 1'.repeat(5000)}`)).toMatch(/^90009 /);
});

it('rejects a json text with more fields than a statement may have columns', () => {
  const objectOf = (fields: number) => `{${Array.from({ length: fields }, (_, at) => `a${at}:1`).join(',')}}`;
  expect(outcome(`json "${objectOf(1024)}" | stats count`)).not.toMatch(/^\d{5} /);
  expect(outcome(`json "[${objectOf(1024)},{b:1}]" | stats count`)).toMatch(/^90009 5\.\./);
});
