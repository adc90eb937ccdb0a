// Values that double with every command of a query. What a row makes locally takes memory and time of the process that
// answers everybody; what DuckDB makes of one text cannot be interrupted. Both end the query before.

import { describe, expect, it } from 'vitest';
import { ran } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const MEGABYTE = 'eval x = replace(lpad("", 10000, "a"), "a", lpad("", 100, "a"))';
const often = (step: string) => `, ${step}`.repeat(60);

describe('A value that grows beyond measure', () => {
  const subject = serviceFor({});
  const growing = [
    `json "{a:1}" | evalc z = 1 | eval x = "0123456789"${often('x = concat(x, x)')}`,
    `json "{a:1}" | evalc z = 1 | eval x = array(1)${often('x = flatten(array(x, x))')}`,
    `json "{a:1}" | evalc z = 1 | eval x = array(1)${often('x = array(x, x)')}`,
    `json "{a:1}" | evalc z = 1 | ${MEGABYTE}, y = replace(x, "a", x)`,
    `json "{a:1}" | ${MEGABYTE} | eval y = replace(x, "a", x) | eval l = len(y)`,
    `json "{a:1}" | ${MEGABYTE} | eval y = replace(x, "a", "${'$0'.repeat(1000)}", "re") | eval l = len(y)`,
    'json "{a:1}" | eval l = split(lpad("", 10000, ","), ",") | evalc z = 1 | eval x = foreach(foreach(concat(_1, "x"), l), l)',
  ];
  const tooLarge = { cancel_reason: 'LowDisk', error_code: 93003, error_detail: 'memory or disk is exhausted' };
  const tooManySteps = {
    cancel_reason: 'CommandFailure',
    error_code: 93010,
    error_detail: expect.stringMatching(/^list elements or steps of a row: (100001|1000001) is more than /),
  };
  for (const text of growing) {
    it(`ends its query: ${text.slice(0, 90)}`, async () => {
      // What grows character by character, or by elements, has passed another limit before.
      expect(await ran(subject, text)).toMatchObject(text.includes('concat(') ? tooManySteps : tooLarge);
      const { text: metrics } = await subject.call('GET', '/metrics');
      expect(metrics).toContain('vigil_defects_total 0\n');
    });
  }

  it('does not keep a long text from being changed', async () => {
    const changed = `json "{a:1}" | eval x = concat(replace(lpad("", 10000, "a"), "a", lpad("", 100, "a")), "b") | eval y = replace(x, "b", "cc"), z = replace(x, "b$", "cc", "re")`;
    const status = await ran(subject, `${changed} | search len(y) == 1000002 and y == z`);
    expect(status).toMatchObject({ rows: 1, is_cancelled: false });
  });
});
