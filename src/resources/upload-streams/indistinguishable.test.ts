import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { outcome, serviceFor } from '#test/support/suites.ts';
import { createTable, upload } from '#test/support/uploads.ts';

/** Many alike, as an upload takes them together, and every odd one among them. */
const ODD = [
  '{"a":1,"b":"x","a":2}',
  '{"b":"x","a":1}',
  '{"a":1,"b":"\\u0000"}',
  '{"a":1,"b":"\\ud800"}',
  '{"a":1,"b":"\\ud83d\\udc7e"}',
  '{"a":1,"b":"👾 한글"}',
  '{"a":1e3,"b":"x"}',
  '{"a":1e400,"b":"x"}',
  '{"a":-0,"b":"x"}',
  '{"a":-0.0,"b":"x"}',
  '{"a":01,"b":"x"}',
  '{"a":123456789012345678901234567890,"b":"x"}',
  '{"a":9007199254740993,"b":"x"}',
  '{"a":1.10,"b":"x"}',
  '{"a":"1","b":1}',
  '{"a":null,"b":null}',
  '{"a":true,"b":false}',
  '{"a":{"c":1},"b":[]}',
  '{"a":1,"b":"x","_id":"mine","_table":"mine"}',
  '{"a":1,"b":"x","_time":1709251200123}',
  '{"a":1,"b":"x","_time":"2024-03-01 09:00:00+0900"}',
  '{"a":1,"b":"x","_time":null}',
  '{"a":1,"b":"x","_time":"soon"}',
  '{"a":1,"b":"x","\\u005ftime":1709251200456}',
  '{"\\u0061":5,"b":"escaped name"}',
  '{"__proto__":1,"constructor":"x"}',
  '{"":1,"b":"no name"}',
  '{"A":1,"B":"other case"}',
  '\t{"a":1,"b":"x"}\t',
  '{"a" : 1 , "b":\t"x"}',
  '{"a":1,"b":"a\tb"}',
  '{"a":1,"b":"x"}{"a":2,"b":"y"}',
  '{"a":1,"b":"x"},',
  '{"a":1,"b":"x"',
  '{"a":1,"b":"x\\"}',
  '{"a":1,"b":"\\x"}',
  '{"a":NaN,"b":"x"}',
  "{'a':1,'b':'x'}",
  '{}',
  'null',
  '"x"',
  '',
  '   ',
  '\u00a0',
  '\ufeff{"a":1,"b":"mark in the middle"}',
  '{"a":1,"b":"\u2028"}',
  '{"a":1,"b":"\u0085"}',
];
const alike = (n: number) => `{"a":${n},"b":"alike ${n}"}`;
const LINES = ODD.flatMap((odd, n) => [alike(n), alike(n + 1000), alike(n + 2000), odd]);

describe.each(['\n', '\r\n'])('Lines that end with %j', (end) => {
  const subject = serviceFor();

  it('become the same records uploaded as pushed, alone as among others, compressed as not', async () => {
    const body = Buffer.from(LINES.join(end));
    const logger = await createLogger(subject, { table: 'pushed' });
    const pushed = await push(subject, logger, { body });
    const rows = async (table: string) => (await rowsOf(subject, `table order=asc ${table}`)).map(comparable);
    const expected = await rows('pushed');
    expect(expected.length).toBe(pushed.json.accepted);
    for (const [table, bytes, file_name] of [
      ['uploaded', body, 'a'],
      ['folded', gzipSync(body), 'a.gz'],
    ] as const) {
      await createTable(subject, table);
      const answer = await upload(subject, bytes, { file_name, metadata: { table } });
      expect(outcome(answer)).toEqual([200, pushed.json]);
      expect(await rows(table)).toEqual(expected);
    }
  });
});

const comparable = (row: Record<string, unknown>) => ({ ...sent(row), at: row._time });
