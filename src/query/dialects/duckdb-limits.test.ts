// How far down a limit reaches: what a scan is asked for.

import { expect, it } from 'vitest';
import { QueryRunner } from '#test/support/query-runner.ts';

const rows = [
  { line: 'user=a', n: 1 },
  { line: 'user=b', n: 2 },
];

it.each([
  ['table t | limit 5 10', 15n],
  ['table t | rex "user=(?<u>.)" | eval m = n + 1 | fields u, m | limit 10', 10n],
  ['table limit=4 offset=1 t | limit 2', 5n],
  ['table t | eval m = seq() | limit 10', undefined],
  ['table t | search n > 1 | limit 10', undefined],
  ['table t | sort n | limit 10', undefined],
  ['fulltext "a" from t | limit 10', undefined],
  ['table t', undefined],
] as const)('%s reads no more than it must', async (text, first) => {
  const runner = await QueryRunner.open({ tables: { t: rows } });
  expect(await runner.firstRows(text)).toEqual([first]);
});
