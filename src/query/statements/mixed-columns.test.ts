// What a statement reads of fields with a column for each type.

import { expect, it } from 'vitest';
import { QueryRunner } from '#test/support/query-runner.ts';

const ROWS = [{ v: 200 }, { v: 'x' }, { v: '500' }];

it.each([
  ['search v == "x" | stats count', 'where ((c5_string = $1::varchar))'],
  ['search v >= 500 | stats count', 'where ((c5_number >= $1::bigint) or (try_cast(c5_string as double) >= '],
  ['search isnotnull(v) | stats count', 'where coalesce((c5_number is not null or c5_string is not null), false)'],
  ['stats count(v) as n', 'select count(c5_number) + count(c5_string) as '],
  ['stats avg(v) as a', 'avg(coalesce((c5_number)::double, vigil_text_double(c5_string)))'],
  ['stats dc(v) as d', 'count(distinct c5_number) + count(distinct c5_string)'],
  ['stats count by v', 'group by c9_number, c9_string'],
])('%s reads the columns of the types', async (commands, expected) => {
  await using runner = await QueryRunner.open({ tables: { t: ROWS } });
  const statement = await runner.statement(`table t | ${commands}`);
  expect(statement.replaceAll(/\bc\d+_/g, 'c_')).toContain(expected.replaceAll(/\bc\d+_/g, 'c_'));
});
