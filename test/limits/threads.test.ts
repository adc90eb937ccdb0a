// What the local evaluator does with rows it does in threads: it keeps nobody waiting, and means the same.

import { describe, expect, it } from 'vitest';
import { linesOf, ran, rowsFrom } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const MEGABYTE = 'eval x = replace(lpad("", 10000, "a"), "a", lpad("", 100, "a"))';

describe('Rows that the local evaluator works on', () => {
  const subject = serviceFor({});

  it('may become a million', async () => {
    const status = await ran(
      subject,
      `json "{a:1}" | ${MEGABYTE} | evalc z = 1 | eval y = split(right(x, 999999), "a") | fields y | explode y | stats count, count(y) as y`,
    );
    expect(status.error_detail).toBeUndefined();
    expect(linesOf(await rowsFrom(subject, status.id))).toEqual([{ count: 1_000_000, y: 1_000_000 }]);
    expect(status.commands[5].push_count).toBe(1_000_000);
  });

  it.each([
    ['parsekv', 'lpad("", 10000, "k=v ")', 'k'],
    ['parsexml', 'concat("<a><b>", lpad("", 10000, "x"), "</b></a>")', 'b'],
    ['parsejson', 'concat("{\\"k\\":[", replace(lpad("", 500, "1"), "1", "1,"), "1]}")', 'k'],
  ])('are the same where %s takes too long for a statement', async (command, text, field) => {
    const rows = `json "{a:1}" | repeat count=1000 | eval x = ${text}`;
    const status = await ran(subject, `${rows} | ${command} field=x | stats count(${field}) as c, count`);
    expect(status.error_detail).toBeUndefined();
    expect(linesOf(await rowsFrom(subject, status.id))).toEqual([{ c: 1000, count: 1000 }]);
    expect(status.commands.map((one: { push_count: number }) => one.push_count)).toEqual([1, 1000, 1000, 1000, 1]);
  });

  it('that come one after the other keep their order', async () => {
    const deep = `${'abs('.repeat(100)}n${')'.repeat(100)}`;
    const status = await ran(
      subject,
      `json "{a:1}" | repeat count=5000 | eval n = seq() | sort -n | eval m = ${deep} | search m > 4990 | fields n, m`,
    );
    const expected = Array.from({ length: 10 }, (_, at) => ({ n: 5000 - at, m: 5000 - at }));
    expect(linesOf(await rowsFrom(subject, status.id))).toEqual(expected);
  });
});
