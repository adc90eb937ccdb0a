// A rule sees a record on its way into a table as a query sees it there: the same condition finds the same records.

import { describe, expect, it } from 'vitest';
import { push, rowsOf } from '#test/support/logs.ts';
import { createStream, createStreamRule, found } from '#test/support/stream-rules.ts';
import { serviceFor } from '#test/support/suites.ts';

const VALUES = [
  ...['1', '1.0', '"1"', '" 1 "', '1e0', '-0', '-0.0', '0', 'true', '"true"', 'null', '""', '[]', '{}'],
  ...['9007199254740993', '9007199254740993.0', '9223372036854775807', '9223372036854775808', '-9223372036854775809'],
  ...['1e308', '1e-400', '123456789012345678901234567890', '0.1', '0.30000000000000004', '"0.1"'],
  ...['"\\u0041\\ud55c"', '"\\ud83d\\ude00"', '"a\\nb"', '"a\\\\b"', '"e\\u0301"', '"é"', '"*"'],
  ...['{"$date":1700000000000}', '{"$date":1700000000000,"$date":1}', '{"$date":"x"}', '{"$binary":"YWJj"}'],
  ...['[1,"a",null]', '[{"$date":0}]', '{"a":{"b":[1,2]}}', '{"b":1,"a":2}', '"2023-11-14 22:13:20+0000"'],
];

const CONDITIONS = [
  ...['v == 1', 'v == "1"', 'v == "1.0"', 'v == 0', 'v == true', 'v == "true"', 'v', 'isnull(v)', 'v != 1'],
  ...['v == 9007199254740993', 'v == 9007199254740992.0', 'v > 9007199254740992', 'v == 9223372036854775807'],
  ...['v < 0', 'v > 1e18', 'v == 0.1', 'typeof(v) == "date"'],
  ...['typeof(v) == "map"', 'typeof(v) == "list"', 'typeof(v) == "binary"', 'typeof(v) == "string"'],
  ...['v == "A한"', 'v == "😀"', 'len(v) == 3', 'v == "é"', 'v == "\\*"', 'contains(v, "a")', 'v == "a*b"'],
  ...['v == "2023-11-14 22:13:20+0000"', 'string(v) == "{\\"b\\":1,\\"a\\":2}"', 'valueof(v, "a") == 2'],
  ...['in(v, "1", 0.1, "*b*")', '_table == "s*"', '_time > "2020-01-01"', 'datepart(_time, "year") == 2024'],
];

/** A column of a table may hold whole numbers as doubles, where fractions came, too. */
const OF_ROWS = ['typeof(v) == "long"', 'typeof(v) == "double"'];

describe('A stream rule', () => {
  const subject = serviceFor();

  it('sees a record that looks like a date as the record that it is', async () => {
    const { schema, logger, table } = await createStream(subject, {});
    const condition = 'search field("$date") == 1700000000000';
    const rule = await createStreamRule(subject, { schema, where: [`${condition} | eval n = 1`] });
    await push(subject, logger, { body: '{"$date":1700000000000}\n{"$date":1,"$date":1700000000000}' });
    expect(await rowsOf(subject, `table ${table} | ${condition} | stats count`)).toEqual([{ count: 2 }]);
    expect(await found(subject, rule)).toEqual([1, 1]);
  });

  it.each(['row', 'columnar'])('finds what a query over a table by %s finds', async (layout) => {
    const stream = await createStream(subject, { storage: { layout } });
    const rules: [string, string][] = [];
    for (const condition of layout === 'row' ? [...CONDITIONS, ...OF_ROWS] : CONDITIONS) {
      const rule = await createStreamRule(subject, { schema: stream.schema, where: [`search ${condition}`] });
      rules.push([condition, rule]);
    }
    const body = VALUES.map((value, n) => `{"n":${n},"v":${value}}`).join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await subject.call('POST', `/api/core/loggers/${stream.logger}/logs`, { body, headers });
    expect(answer.json.accepted).toBe(VALUES.length);
    for (const [condition, rule] of rules) {
      const rows = await rowsOf(subject, `table ${stream.table} | search ${condition} | fields n`);
      expect(await found(subject, rule), condition).toEqual(rows.map(({ n }) => n).sort());
    }
  });
});
