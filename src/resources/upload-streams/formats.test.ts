import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rowsOf, sent } from '#test/support/logs.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { append, cancel, complete, createTable, opened, STREAMS, upload } from '#test/support/uploads.ts';

const MIB = 1024 * 1024;
const BOM = '\ufeff';

interface Case {
  readonly it: string;
  readonly format?: string;
  readonly body: string | Uint8Array;
  readonly rows: readonly object[];
  /** Line and reason of each line that is left out. */
  readonly rejected?: readonly (readonly [number, string])[];
}

const CASES: readonly Case[] = [
  {
    it: 'ndjson is what a file holds unless it is said',
    body: '{"a":1}\n{"b":[1,"x"]}',
    rows: [{ a: 1 }, { b: [1, 'x'] }],
  },
  {
    it: 'ndjson names the lines that are none, and keeps their neighbours',
    format: 'ndjson',
    body: '{"a":1}\r\n\r\n[1]\n{\n"x"\n{"_time":"soon"}\n{"a":2}\n',
    rows: [{ a: 1 }, { a: 2 }],
    rejected: [
      [3, 'not-an-object'],
      [4, 'malformed-json'],
      [5, 'not-an-object'],
      [6, 'invalid-time'],
    ],
  },
  { it: 'the mark at the beginning of a file is no part of it', body: `${BOM}{"a":1}`, rows: [{ a: 1 }] },
  {
    it: 'a line may have one mebibyte',
    body: `{"a":"${'x'.repeat(MIB - 8)}"}\n{"a":"${'x'.repeat(MIB - 7)}"}\n{"a":"${'x'.repeat(3 * MIB)}"}\n{"a":1}`,
    rows: [{ a: 'x'.repeat(MIB - 8) }, { a: 1 }],
    rejected: [
      [2, 'line-too-long'],
      [3, 'line-too-long'],
    ],
  },
  {
    it: 'bytes that are no UTF-8 are replaced, and the log is marked',
    body: Buffer.from('{"a":1}\n{"a":"\xff"}\n{"a":2}', 'latin1'),
    rows: [{ a: 1 }, { a: '\ufffd', _repaired: true }, { a: 2 }],
  },
  {
    it: 'text becomes the field line',
    format: 'text',
    body: 'one\r\n\n  two "2" \nthree',
    rows: [{ line: 'one' }, { line: '  two "2" ' }, { line: 'three' }],
  },
  {
    it: 'text that is no UTF-8 is repaired and marked',
    format: 'text',
    body: Buffer.from('one\n\xff\xfe\ntwo', 'latin1'),
    rows: [{ line: 'one' }, { line: '\ufffd\ufffd', _repaired: true }, { line: 'two' }],
  },
  {
    it: 'the first line of csv names the columns, and values are text',
    format: 'csv',
    body: `${BOM}host,status\r\ngw-1,200\r\n\r\ngw-2,007`,
    rows: [
      { host: 'gw-1', status: '200' },
      { host: 'gw-2', status: '007' },
    ],
  },
  {
    it: 'csv values may be quoted, with commas, quotes and line ends in them; an empty one is absent unless quoted',
    format: 'csv',
    body: 'a,"b ""c""",d\n"1,2","x ""y"" z","two\r\nlines"\n,"",3\n',
    rows: [
      { a: '1,2', 'b "c"': 'x "y" z', d: 'two\r\nlines' },
      { 'b "c"': '', d: '3' },
    ],
  },
  {
    it: 'csv lines that do not fit cost themselves alone',
    format: 'csv',
    body: 'a,b\n1,2\n1\n1,2,3\n1,x"y\n"1"x,2\n"open,2\n3,4\n"also\nopen,5\n5,6\n7,"8"\n',
    rows: [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
      { a: 'open', b: '5' },
      { a: '5', b: '6' },
      { a: '7', b: '8' },
    ],
    rejected: [
      [3, 'parse-failed'],
      [4, 'parse-failed'],
      [5, 'parse-failed'],
      [6, 'parse-failed'],
      [7, 'parse-failed'],
      [9, 'parse-failed'],
    ],
  },
  {
    it: 'a csv line after values of several lines is counted from the beginning of the file',
    format: 'csv',
    body: 'a,b\n"1\n2\n3",4\nwrong\n5,6',
    rows: [
      { a: '1\n2\n3', b: '4' },
      { a: '5', b: '6' },
    ],
    rejected: [[5, 'parse-failed']],
  },
  {
    it: 'csv whose lines end in carriage returns alone is refused, not swallowed',
    format: 'csv',
    body: 'a,b\r1,2\r3,4',
    rows: [],
    rejected: [[1, 'parse-failed']],
  },
  {
    it: 'csv without names for its columns holds no log',
    format: 'csv',
    body: 'a,,c\n1,2,3\n',
    rows: [],
    rejected: [
      [1, 'parse-failed'],
      [2, 'parse-failed'],
    ],
  },
  {
    it: 'csv with a name twice holds no log',
    format: 'csv',
    body: 'a,a\n1,2',
    rows: [],
    rejected: [
      [1, 'parse-failed'],
      [2, 'parse-failed'],
    ],
  },
  { it: 'csv of one line has columns and no logs', format: 'csv', body: 'a,b', rows: [] },
  {
    it: 'csv columns may be called anything',
    format: 'csv',
    body: '__proto__,constructor,한글\n1,2,3',
    rows: [JSON.parse('{"__proto__":"1","constructor":"2","한글":"3"}')],
  },
  {
    it: 'csv lines are limited, too, and so is a value that never ends',
    format: 'csv',
    body: `a,b\n${'x'.repeat(MIB - 1)},y\n${'x'.repeat(2 * MIB)},y\n1,2\n"${'never\n'.repeat(300_000)}`,
    rows: [{ a: '1', b: '2' }],
    // Of the value that never ends every line is one by itself, and has one column too few.
    rejected: [
      [2, 'line-too-long'],
      [3, 'line-too-long'],
      ...Array.from({ length: 998 }, (_, n) => [n + 5, 'parse-failed'] as const),
    ],
  },
];

describe('What an upload holds', () => {
  const subject = serviceFor();
  let count = 0;
  const importInto = async (body: string | Uint8Array, metadata: object = {}, file_name = 'file') => {
    count += 1;
    const table = `t${count}`;
    await createTable(subject, table);
    const answer = await upload(subject, body, { file_name, metadata: { table, ...metadata } });
    return { answer, rows: async () => (await rowsOf(subject, `table order=asc ${table}`)).map(sent) };
  };

  for (const { it: sentence, format, body, rows, rejected = [] } of CASES) {
    it(sentence, async () => {
      const imported = await importInto(body, format ? { format } : {});
      expect(imported.answer.json.rejected).toEqual(rejected.map(([line, reason]) => ({ line, reason })));
      expect(imported.answer.json.accepted).toBe(rows.length);
      expect(await imported.rows()).toEqual(rows);
    });
  }

  it('is the same compressed, when the name ends so', async () => {
    const body = gzipSync('{"a":1}\n{"a":2}\n');
    const { answer, rows } = await importInto(body, {}, 'logs.ndjson.gz');
    expect(outcome(answer)).toEqual([200, { accepted: 2, rejected: [], rejected_count: 0 }]);
    expect(await rows()).toEqual([{ a: 1 }, { a: 2 }]);
    const both = await importInto(Buffer.concat([body, body]), {}, 'LOGS.GZ');
    expect(both.answer.json.accepted).toBe(4);
  });

  const whole = gzipSync(Array.from({ length: 50_000 }, (_, n) => `{"n":${n}}\n`).join(''));
  const flipped = Buffer.from(whole);
  const middle = Math.floor(whole.length / 2);
  flipped.writeUInt8(flipped.readUInt8(middle) ^ 0xff, middle);
  it.each([
    ['that is cut off', whole.subarray(0, -20)],
    ['with a wrong byte', flipped],
    ['that is none', Buffer.from('{"a":1}\n')],
    ['of no byte at all', Buffer.alloc(0)],
  ])('is not imported out of gzip %s, and holds no place afterwards', async (_, body) => {
    count += 1;
    const table = `t${count}`;
    await createTable(subject, table);
    const token = await opened(subject, { file_name: 'a.gz', file_size: body.length, metadata: { table } });
    if (body.length > 0) await append(subject, token, { offset: 0, body });
    const refusal = refused(500, 'illegal-state', `wrong gzip data: ${token}`);
    expect(outcome(await complete(subject, token))).toEqual(refusal);
    expect(outcome(await complete(subject, token))).toEqual(refusal);
    expect(await rowsOf(subject, `table ${table}`)).toEqual([]);
    const folder = join(subject.service.config.data, 'tables');
    const staged = readdirSync(folder, { recursive: true }).filter((name) => String(name).startsWith(`${table}.`));
    expect(staged.filter((name) => String(name).includes('staged'))).toEqual([]);
    expect(outcome(await cancel(subject, token))).toEqual(
      refused(500, 'illegal-state', `upload stream not found: ${token}`),
    );
    expect((await subject.call('GET', `${STREAMS}/${token}`)).json).toEqual({ stream: null });
  });

  it('has the first thousand of its bad lines named, and all counted', async () => {
    const { answer } = await importInto('x\n'.repeat(2500));
    expect(answer.json.rejected_count).toBe(2500);
    expect(answer.json.rejected.length).toBe(1000);
    expect(answer.json.rejected[999]).toEqual({ line: 1000, reason: 'malformed-json' });
  });

  it('has its own times, or the time of its import', async () => {
    count += 1;
    const table = `t${count}`;
    await createTable(subject, table);
    const rowTimes = async () => (await rowsOf(subject, `table order=asc ${table}`)).map(({ _time }) => _time);
    const csv = 'n,_time\n1,2024-02-01 09:00:00+0900\n2,1706745600001\n3,\n4,soon\n';
    const { json } = await upload(subject, csv, { metadata: { table, format: 'csv' } });
    expect(json).toEqual({ accepted: 3, rejected: [{ line: 5, reason: 'invalid-time' }], rejected_count: 1 });
    expect(await rowTimes()).toEqual([
      '2024-02-01 00:00:00+0000',
      '2024-02-01 00:00:00+0000',
      '2024-03-01 00:00:00+0000',
    ]);
  });
});
