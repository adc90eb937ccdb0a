// Records with text that cannot be stored, by every way in: each is stored, repaired, marked and counted.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SnappyJS from 'snappyjs';
import { afterAll, describe, expect, it } from 'vitest';
import { SENDER_NAMES } from '#senders/names.ts';
import { createCollector, sendDatagrams } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { lokiBytes, otlpBytes } from '#test/support/protobuf-messages.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { createTable, upload } from '#test/support/uploads.ts';

const root = mkdtempSync(join(tmpdir(), 'vigil-repaired-'));
const files = join(root, 'files');
mkdirSync(files);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const NANOSECONDS = '1709280000000000000';
const REPAIRED = { user: 'ro\ufffdot', _repaired: true };
/** A NUL, half of a surrogate pair and a byte that is no UTF-8, each in the same place. */
const BAD = ['ro\\u0000ot', 'ro\\ud800ot', 'ro\xffot', 'ro\0ot'];
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

interface Way {
  readonly protocol: string;
  readonly path: string;
  readonly type?: string;
  /** A body with a record for each value, which stands in a string of JSON, and a clean one. */
  body(values: readonly string[]): string;
}

const WAYS: readonly Way[] = [
  {
    protocol: 'push',
    path: '/api/core/tables/TABLE/logs',
    type: 'application/x-ndjson',
    body: (values) => values.map((value) => `{"user":"${value}"}\n`).join(''),
  },
  {
    protocol: 'push',
    path: '/api/core/tables/TABLE/logs',
    type: 'application/json',
    body: (values) => `[${values.map((value) => `{"user":"${value}"}`).join(',')}]`,
  },
  {
    protocol: 'elasticsearch',
    path: '/_bulk?table=TABLE',
    type: 'application/x-ndjson',
    body: (values) => values.map((value) => `{"create":{}}\n{"user":"${value}"}\n`).join(''),
  },
  {
    protocol: 'splunk',
    path: '/services/collector/event?table=TABLE',
    body: (values) => values.map((value) => `{"event":{"user":"${value}"}}`).join(''),
  },
  {
    protocol: 'otlp',
    path: '/v1/logs?table=TABLE',
    type: 'application/json',
    body: (values) => {
      const logs = values.map((value) => `{"attributes":[{"key":"user","value":{"stringValue":"${value}"}}]}`);
      return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${logs.join(',')}]}]}]}`;
    },
  },
  {
    protocol: 'loki',
    path: '/loki/api/v1/push?table=TABLE',
    type: 'application/json',
    body: (values) => {
      const streams = values.map((value) => `{"stream":{"user":"${value}"},"values":[["${NANOSECONDS}","x"]]}`);
      return `{"streams":[${streams.join(',')}]}`;
    },
  },
];

describe('A record that cannot be stored as it was sent', () => {
  const subject = serviceFor({
    flags: { senders: SENDER_NAMES.join(','), metrics: 'closed', 'collect-folders': files },
  });
  let tables = 0;
  const newTable = async () => {
    tables += 1;
    await createTable(subject, `t${tables}`);
    return `t${tables}`;
  };
  const rows = async (table: string) => (await rowsOf(subject, `table ${table} | sort _id`)).map(sent);
  const users = async (table: string) =>
    (await rows(table)).map(({ user, line, _repaired }) => ({ user: user ?? line, _repaired }));
  const counted = async (protocol: string, table: string) => {
    const { text } = await subject.call('GET', '/metrics');
    const labels = `vigil_repaired_records_total{protocol="${protocol}",table="${table}"} `;
    const line = text.split('\n').find((one: string) => one.startsWith(labels));
    return line === undefined ? 0 : Number(line.slice(labels.length));
  };
  const kept = (count: number) => [...Array.from({ length: count }, () => REPAIRED), { user: 'clean' }];

  for (const { protocol, path, type = 'text/plain', body } of WAYS) {
    it(`is stored, marked and counted: ${protocol} as ${type}`, async () => {
      const table = await newTable();
      const headers = { 'content-type': type };
      const { status, text } = await subject.call('POST', path.replace('TABLE', table), {
        headers,
        body: bytesOf(body([...BAD, 'clean'])),
      });
      expect([status, text]).toEqual([protocol === 'loki' ? 204 : 200, expect.not.stringContaining('malformed')]);
      expect(await users(table)).toEqual(kept(BAD.length));
      expect(await counted(protocol, table)).toBe(BAD.length);
    });
  }

  it('is stored, marked and counted: lines of text that are pushed or sent raw', async () => {
    const body = bytesOf('ro\xffot\nro\0ot\nclean\n');
    for (const [protocol, path] of [
      ['push', '/api/core/tables/TABLE/logs'],
      ['splunk', '/services/collector/raw?table=TABLE'],
    ] as const) {
      const table = await newTable();
      const headers = { 'content-type': 'text/plain' };
      expect((await subject.call('POST', path.replace('TABLE', table), { headers, body })).status).toBe(200);
      expect(await users(table)).toEqual(kept(2));
      expect(await counted(protocol, table)).toBe(2);
    }
  });

  it('is stored, marked and counted: what stored parsers and models read out of escapes', async () => {
    const line = '{"user":"ro\\ud800ot","of\\u0000":[{"in\\udc00":"\\u0000"}]}\n{"user":"clean"}\n';
    const found = [{ ...REPAIRED, 'of\ufffd': [{ 'in\ufffd': '\ufffd' }] }, { user: 'clean' }];
    const headers = { 'content-type': 'text/plain' };
    for (const [code, factory_name, configs] of [
      ['of-json', 'json', {}],
      ['of-query', 'query', { query: 'parsejson' }],
    ] as const) {
      const table = await newTable();
      await subject.call('POST', '/api/core/parsers', { json: { code, name: code, factory_name, configs } });
      const path = `/api/core/tables/${table}/logs?parser=${code}`;
      expect((await subject.call('POST', path, { headers, body: line })).status).toBe(200);
      expect(await rows(table)).toEqual(found);
      expect(await counted('push', table)).toBe(1);
    }
  });

  it('is stored, marked and counted: names in structured data of syslog', async () => {
    const table = await newTable();
    const headers = { 'content-type': 'text/plain' };
    const body = bytesOf('<13>1 2026-01-01T00:00:00Z h a 1 m [id\0@1 us\xffer="ro\0ot"] text');
    const answer = await subject.call('POST', `/api/core/tables/${table}/logs?parser=syslog`, { headers, body });
    expect(answer.json).toMatchObject({ accepted: 1, rejected_count: 0 });
    expect(await rows(table)).toEqual([
      expect.objectContaining({ 'id\ufffd@1.us\ufffder': 'ro\ufffdot', _repaired: true }),
    ]);
  });

  it('is stored, marked and counted: protobuf of OTLP and Loki', async () => {
    const otlp = await newTable();
    const loki = await newTable();
    const attributes = [{ key: 'user', value: { stringValue: 'ro\0ot' } }];
    const logs = [{ attributes }, { attributes: [{ key: 'user', value: { stringValue: 'clean' } }] }];
    const headers = { 'content-type': 'application/x-protobuf' };
    const sentLogs = otlpBytes({ resourceLogs: [{ scopeLogs: [{ logRecords: logs }] }] });
    expect((await subject.call('POST', `/v1/logs?table=${otlp}`, { headers, body: sentLogs })).status).toBe(200);
    expect(await users(otlp)).toEqual(kept(1));
    const entries = [{ timestamp: { seconds: 1_709_280_000 }, line: 'x' }];
    const streams = ['{user="ro\\xffot"}', '{user="clean"}'].map((labels) => ({ labels, entries }));
    const body = Buffer.from(SnappyJS.compress(lokiBytes({ streams })));
    expect((await subject.call('POST', `/loki/api/v1/push?table=${loki}`, { headers, body })).status).toBe(204);
    expect(await users(loki)).toEqual(kept(1));
    expect([await counted('otlp', otlp), await counted('loki', loki)]).toEqual([1, 1]);
  });

  it('is stored, marked and counted: uploads of every format', async () => {
    const ndjson = [...BAD, 'clean'].map((value) => `{"user":"${value}"}\n`).join('');
    for (const [format, body, count] of [
      ['ndjson', ndjson, BAD.length],
      ['csv', 'user\nro\xffot\n"ro\0ot"\nclean\n', 2],
      ['text', 'ro\xffot\nro\0ot\nclean\n', 2],
    ] as const) {
      const table = await newTable();
      const answer = await upload(subject, bytesOf(body), { metadata: { table, format } });
      expect(answer.json).toMatchObject({ accepted: count + 1, rejected_count: 0 });
      expect(await users(table)).toEqual(kept(count));
      expect(await counted('upload', table)).toBe(count);
    }
  });

  it('is stored, marked and counted: a logger, a datagram and a followed file', async () => {
    const pushed = await createLogger(subject, { table: 'of_logger', parser: 'key-value' });
    const body = bytesOf('user=ro\xffot _repaired=no\nuser=clean\n');
    expect((await push(subject, pushed, { type: 'text/plain', body })).status).toBe(200);
    expect(await users('of_logger')).toEqual(kept(1));
    expect(await counted('http', 'of_logger')).toBe(1);
    const port = await freePort();
    const configs = { port, bind: '127.0.0.1' };
    await createCollector(subject, { table: 'of_datagrams', factory: 'syslog-udp', configs });
    await sendDatagrams(port, [bytesOf('ro\xffot'), bytesOf('clean\0')]);
    const both = (table: string) => {
      const looked = async () => {
        subject.clock.advance({ seconds: 5 });
        return await users(table);
      };
      return until(looked, (found) => found.length >= 2);
    };
    expect(await both('of_datagrams')).toEqual(kept(1));
    expect(await counted('syslog-udp', 'of_datagrams')).toBe(1);
    writeFileSync(join(files, 'app.log'), bytesOf('ro\xffot\nclean\n'));
    const path = join(files, 'app.log');
    await createCollector(subject, { table: 'of_file', factory: 'file', configs: { path, from: 'start' } });
    expect(await both('of_file')).toEqual(kept(1));
    expect(await counted('file', 'of_file')).toBe(1);
  });

  it('has equal names only once: by the rule of its protocol for a name that is taken', async () => {
    const table = await newTable();
    const pairs = ['a\0', 'a\ufffd', 'b'].map((key, at) => ({ key, value: { intValue: at } }));
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes: pairs }] }] }] });
    const headers = { 'content-type': 'application/json' };
    expect((await subject.call('POST', `/v1/logs?table=${table}`, { headers, body })).status).toBe(200);
    expect(await rows(table)).toEqual([{ 'a\ufffd': 0, 'attr.a\ufffd': 1, b: 2, _repaired: true }]);
  });

  it('is found by its mark, which nobody else can give', async () => {
    const table = await newTable();
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = '{"a":1,"_repaired":true}\n{"a":"\\u0000"}\n{"a":2,"_repaired":false}\n';
    await subject.call('POST', `/api/core/tables/${table}/logs`, { headers, body });
    for (const [path, text] of [
      ['/_bulk', '{"create":{}}\n{"a":3,"_repaired":true}\n'],
      ['/services/collector/event', '{"event":{"a":4,"_repaired":true},"fields":{"_repaired":"x"}}'],
    ] as const) {
      expect((await subject.call('POST', `${path}?table=${table}`, { headers, body: text })).status).toBe(200);
    }
    expect(await rowsOf(subject, `table ${table} | search _repaired == true | fields a`)).toEqual([{ a: '\ufffd' }]);
    expect((await rows(table)).map(({ _repaired }) => _repaired)).toEqual([
      undefined,
      true,
      ...Array(3).fill(undefined),
    ]);
  });

  it('has text that a query reads out of it without failing, and that it can store', async () => {
    const table = await newTable();
    const other = await newTable();
    const headers = { 'content-type': 'text/plain' };
    const body = '{"user":"ro\\ud800ot","n\\udc00":{"m\\ud800":["\\ud800"]}}';
    expect((await subject.call('POST', `/api/core/tables/${table}/logs`, { headers, body })).status).toBe(200);
    const user = 'ro\ufffdot';
    const n = { 'm\ufffd': ['\ufffd'] };
    for (const [text, found] of [
      ['parsejson', [{ user, 'n\ufffd': n }]],
      ['parsejson | stats count by user', [{ user, count: 1 }]],
      [`parsejson | import ${other}`, [{ user, 'n\ufffd': n }]],
    ] as const) {
      expect((await rowsOf(subject, `table ${table} | ${text}`)).map(sent)).toEqual(found);
    }
    const written = `json "{'n\\\\ud800':['\\\\ud800'],'x\\\\ud800':1}"`;
    await rowsOf(subject, `${written} | import ${other}`);
    expect(await rows(other)).toEqual([
      { user, 'n\ufffd': n },
      { 'n\ufffd': ['\ufffd'], 'x\ufffd': 1 },
    ]);
  });
});
