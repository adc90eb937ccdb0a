// Numbers as option values: text and parameters follow the same rule (3.2).

import { expect, it } from 'vitest';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import { checkQuery } from '#query/query.ts';
import { known } from '#test/support/known-plan-node.ts';
import { contextOf } from '#test/support/query-examples.ts';

function limitOf(text: string, n?: Value): bigint | number | undefined {
  const context = contextOf({ tables: { t: [{ a: 1 }] } });
  const constants = new Map(n === undefined ? [] : [['n', n]]);
  try {
    const scan = known(checkQuery(text, { ...context, constants }).plan.result);
    return scan.kind === 'table' ? scan.limit : undefined;
  } catch (error) {
    return error instanceof QueryError ? error.code : undefined;
  }
}

it.each([
  ['5', 5n],
  ['000000000000000000000000000005', 5n],
  ['9223372036854775807', 9223372036854775807n],
  ['9223372036854775808', 10006],
])('limit=%s is %s', (written, limit) => {
  expect(limitOf(`table limit=${written} t`)).toBe(limit);
});

it.each([
  [' 5 ', 5n],
  ['+0000000000000000000000005', 5n],
  ['\t5', 10006],
  ['5\n', 10006],
  ['\u00a05', 10006],
  ['-0000000000000000000000001', 10006],
])('A parameter of %j is %s', (given, limit) => {
  expect(limitOf('table limit=$("n") t', given)).toBe(limit);
});
