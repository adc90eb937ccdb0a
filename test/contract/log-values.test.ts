// What is sent comes back: whatever its type, its name or its size, in both layouts, while it is fresh, after a restart,
// when it is sealed and when its segments have been merged.

import { describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { sortedJson } from '#test/support/audit.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { seal, segmentsOf } from '#test/support/segments.ts';
import { startService } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';

const MIB = 1024 * 1024;
const MANY_FIELDS = 1500;

/** JSON values, each as it must come back. */
const VALUES = [
  ['500', '"500"', '{"code":500}', '5.5', 'null', 'true', '[1]', 'false', '""', '[]', '{}', '-1'],
  ['9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809'],
  ['9007199254740993', '123456789012345678901234567890', '18446744073709551616', '1e400', '5e-324'],
  ['{"n":9007199254740993}', '[9007199254740993]', '{"b":1,"a":{"c":null}}', '[null,[1,[2,[3]]]]', '{"":0}'],
  ['"2024-03-01"', '"2024-03-01 00:00:00"', '"12"', '"null"', '"true"', '"NaN"', '"9223372036854775808"'],
  ['"한글 😀"', '"\\u001f\\t\\n\\"\\\\"', '"\u2028"', '"\u007f"', '" blank "', '"\ufeff"'],
].flat();

const NAMES = [
  ['a"b', "a'b", 'a.b', 'a b', 'a\\b', 'a\nb', '$', ';--', '', ' ', '\u200b', '안녕', '😀', 'x'.repeat(1024)],
  ['status', 'Status', 'STATUS', 'ﬀ', 'Straße', 'STRASSE', 'İ', 'i', '\u00e9', 'e\u0301'],
  ['_ID', '_Time', '_TABLE', '_doc', '_Doc', '_REST', '_schema', '_row', 'rowid', 'filename', 'file_row_number'],
  ['__proto__', 'constructor', 'toString', 'select', 'null', '0', '1'],
].flat();

/** A hundred levels are what a body may have; the record itself is the first. */
const DEEP = `{"deep":${'['.repeat(98)}${']'.repeat(98)}}`;

/** As long as a line may be. */
const LONG = `{"long":"${'x'.repeat(MIB - '{"long":""}'.length)}"}`;

const LINES: readonly string[] = [
  ...VALUES.map((value) => `{"status":${value}}`),
  ...NAMES.map((name) => `{${JSON.stringify(name)}:"one"}`),
  ...NAMES.map((name) => `{${JSON.stringify(name)}:2}`),
  `{${NAMES.map((name, at) => `${JSON.stringify(name)}:${at}`).join(',')}}`,
  '{}',
  DEEP,
  LONG,
];

describe.each(['columnar', 'row'])('In a table of layout %s', (layout) => {
  const subject = serviceFor();
  const table = `values_${layout}`;
  const everything = async () => {
    const { text } = await subject.call('GET', `/api/core/query?q=${encodeURIComponent(`table order=asc ${table}`)}`);
    return text.trimEnd().split('\n');
  };
  const expectAll = async (expected: readonly string[]) => {
    const lines = await everything();
    expect(lines).toHaveLength(expected.length);
    const differing = lines.flatMap((line, at) => {
      const original = expected[at] ?? '';
      return exactly(line) === exactly(original) ? [] : [{ sent: original.slice(0, 300), read: line.slice(0, 300) }];
    });
    expect(differing).toEqual([]);
  };

  it('every record comes back as it was sent: fresh, restarted, sealed and merged', async () => {
    const logger = await createLogger(subject, { table, storage: { layout } });
    const all: string[] = [];
    const pushAll = async (lines: readonly string[]) => {
      const answer = { accepted: lines.length, rejected: [], rejected_count: 0 };
      expect((await push(subject, logger, { body: lines.join('\n') })).json).toEqual(answer);
      all.push(...lines);
    };
    await pushAll(LINES);
    await expectAll(all);
    await subject.service.restart();
    await expectAll(all);
    await seal(subject, table);
    await expectAll(all);
    let most = 0;
    for (let files = 1; files > most && most < 12; files = segmentsOf(subject.service, table).length) {
      most = files;
      // The long line is merged once: a segment of the first push has it.
      await pushAll(LINES.filter((line) => line !== LONG));
      await seal(subject, table);
    }
    expect(segmentsOf(subject.service, table).length, 'segments after merging').toBeLessThan(most);
    await expectAll(all);
    await subject.service.restart();
    await expectAll(all);
  });

  it(`${MANY_FIELDS} different fields do no harm, in one record or one by one`, async () => {
    await subject.call('DELETE', `/api/core/tables/${table}/partitions?start=2000-01-01&end=2999-12-31`);
    const { loggers } = (await subject.call('GET', '/api/core/loggers')).json;
    const numbers = Array.from({ length: MANY_FIELDS }, (_, at) => at);
    const lines = [
      `{${numbers.map((at) => `"many_${at}":${at}`).join(',')}}`,
      ...numbers.map((at) => `{"many_${(at * 7) % MANY_FIELDS}":"${at}"}`),
    ];
    expect((await push(subject, loggers[0].guid, { body: lines.join('\n') })).json.accepted).toBe(lines.length);
    await expectAll(lines);
    await seal(subject, table);
    await expectAll(lines);
  });
});

it('A field has any name but those of what the service adds, also one that the service uses on disk', async () => {
  await using service = await startService();
  for (const layout of ['columnar', 'row']) {
    const logger = await createLogger(service, { table: layout, storage: { layout } });
    await push(service, logger, {
      body: '{"_rest":"kept","_doc":"kept","_id":"not kept","_table":"not kept","_node":"not kept"}',
    });
    expect((await rowsOf(service, `table ${layout}`)).map(({ _time, ...row }) => row)).toEqual([
      { _id: 1, _table: layout, _rest: 'kept', _doc: 'kept' },
    ]);
  }
});

it('Names that differ in an escaped character alone stay apart, by whatever way they come', async () => {
  await using service = await startService();
  const fields = ['"a\\\\":1', '"a\\"":2', '"b\\\\n":{"c\\\\":3}', '"b\\nn":{"c\\"":4}'];
  const records = fields.map((field) => `{"A":1,${field}}`);
  for (const layout of ['columnar', 'row']) {
    const logger = await createLogger(service, { table: layout, storage: { layout } });
    await push(service, logger, { type: 'application/json', body: `[${records.join(',')}]` });
    await push(service, logger, { body: records.join('\n') });
    const model = { name: layout, logger_factory_name: 'http', parser_code: 'json' };
    const form = { model_guid: await created(service, '/api/core/logger-models', model), table_name: layout };
    const lines = await created(service, '/api/core/loggers', { ...form, name: layout, enabled: 'true' });
    await push(service, lines, { type: 'text/plain', body: records.join('\n') });
  }
  const read = async (table: string) => {
    const q = encodeURIComponent(`table order=asc ${table}`);
    const { text } = await service.call('GET', `/api/core/query?q=${q}`);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/"_table":.*"_id":\d+,/, ''));
  };
  const all = [...records, ...records, ...records];
  for (const table of ['columnar', 'row']) expect(await read(table)).toEqual(all);
  await service.restart();
  for (const table of ['columnar', 'row']) expect(await read(table)).toEqual(all);
});

/** One text for one meaning: names in order, and numbers by their digits, because a JavaScript number is not all of them. */
function exactly(line: string): string {
  const read = JSON.parse(line, (_, value, { source }) => (typeof value === 'number' ? { digits: source } : value));
  // A line is an object: the service took it.
  return sortedJson(sent(read as Record<string, unknown>));
}
