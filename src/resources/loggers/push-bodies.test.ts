import { constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;
const MALFORMED = refused(400, 'invalid-argument', 'malformed request body');
const unsupported = (what: string) => refused(415, 'unsupported-media-type', `unsupported content type: ${what}`);
const took = (accepted: number, rejected: readonly object[] = []) => [
  200,
  { accepted, rejected, rejected_count: rejected.length },
];

describe('A push', () => {
  const subject = serviceFor();
  const countOf = async (table: string) => (await rowsOf(subject, `table ${table} | stats count`))[0].count;

  it('names its type in any case and with parameters; its text is UTF-8', async () => {
    const logger = await createLogger(subject, { table: 'types' });
    const fine = [
      'application/x-ndjson',
      'APPLICATION/X-NDJSON',
      'application/x-ndjson; charset=UTF-8',
      'application/x-ndjson;charset="utf-8"',
      'application/x-ndjson; profile=x',
      'application/ndjson',
      'application/jsonl',
      'application/stream+json',
      'application/json-seq',
      'application/x-www-form-urlencoded',
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'text/plain; charset=utf-8; format=flowed',
    ];
    for (const type of fine) {
      expect([type, ...outcome(await push(subject, logger, { type, body: '{"a":1}' }))]).toEqual([type, ...took(1)]);
    }
    const wrong = [
      'application/x-ndjson; charset=utf-16',
      'application/x-www-form-urlencoded; charset=utf-16',
      'text/ndjson',
      'application/json; charset=latin1',
      'text/plain; charset=euc-kr',
      'text/html',
      'multipart/form-data; boundary=x',
      '*/*',
    ];
    for (const type of wrong) {
      expect(outcome(await push(subject, logger, { type, body: '{"a":1}' }))).toEqual(unsupported(type));
    }
    expect(await countOf('types')).toBe(fine.length);
  });

  it('is compressed, whole and sound, or is refused as a whole', async () => {
    const logger = await createLogger(subject, { table: 'gzip' });
    const line = '{"a":1}\n';
    const folded = gzipSync(line);
    const deflated = deflateSync(line);
    const zstd = zstdCompressSync(line);
    const wide = { params: { [constants.ZSTD_c_windowLog]: 24 } };
    const more = (body: Buffer) => Buffer.concat([body, Buffer.from('more')]);
    const flipped = Buffer.from(folded.map((byte, at) => (at === folded.length - 6 ? byte ^ 1 : byte)));
    const bodies: [string, Buffer, unknown][] = [
      ['gzip', folded, took(1)],
      ['GZIP', folded, took(1)],
      ['gzip', Buffer.concat([folded, folded]), took(2)],
      ['identity', Buffer.from('{"a":1}'), took(1)],
      ['gzip', folded.subarray(0, -1), MALFORMED],
      ['gzip', folded.subarray(0, 10), MALFORMED],
      ['gzip', Buffer.concat([folded, folded.subarray(0, -3)]), MALFORMED],
      ['gzip', Buffer.concat([folded, Buffer.from('more')]), MALFORMED],
      ['gzip', flipped, MALFORMED],
      ['gzip', Buffer.from('{"a":1}'), MALFORMED],
      ['gzip', Buffer.alloc(0), MALFORMED],
      ['deflate', deflated, took(1)],
      ['deflate', deflateRawSync(line), took(1)],
      ['deflate', deflated.subarray(0, -1), MALFORMED],
      ['deflate', deflateRawSync(line).subarray(0, -1), MALFORMED],
      ['deflate', more(deflated), MALFORMED],
      ['deflate', more(deflateRawSync(line)), MALFORMED],
      ['deflate', Buffer.concat([deflated, deflated]), MALFORMED],
      ['deflate', folded, MALFORMED],
      ['zstd', zstd, took(1)],
      ['zstd', Buffer.concat([zstd, zstd]), took(2)],
      ['zstd', zstd.subarray(0, -1), MALFORMED],
      ['zstd', more(zstd), MALFORMED],
      ['zstd', zstdCompressSync(line.repeat(4 * MIB), wide), MALFORMED],
      ['zstd', folded, MALFORMED],
      ['br', folded, unsupported('br')],
      ['x-gzip', folded, unsupported('x-gzip')],
      ['gzip, gzip', gzipSync(folded), unsupported('gzip, gzip')],
    ];
    for (const [encoding, body, answer] of bodies) {
      const headers = { 'content-encoding': encoding };
      expect([encoding, ...outcome(await push(subject, logger, { headers, body }))]).toEqual([
        encoding,
        ...(answer as []),
      ]);
    }
    expect(await countOf('gzip')).toBe(10);
  });

  it('has its lines counted from 1, blank ones too, however they end', async () => {
    const logger = await createLogger(subject, { table: 'lines' });
    const body = '\r\n{"a":1}\r\n\r\nbad\r\n\n{"a":2}\nworse\n\n{"_time":"soon"}\r\n{"a":3}';
    const rejected = [
      { line: 4, reason: 'malformed-json' },
      { line: 7, reason: 'malformed-json' },
      { line: 9, reason: 'invalid-time' },
    ];
    expect(outcome(await push(subject, logger, { body }))).toEqual(took(3, rejected));
    const text = await createLogger(subject, { table: 'texts', parser: 'text' });
    const plain = Buffer.from('\none\r\n\r\n\xff\r\ntwo\n', 'latin1');
    expect(outcome(await push(subject, text, { type: 'text/plain', body: plain }))).toEqual(took(3));
    expect((await rowsOf(subject, 'table order=asc texts')).map(sent)).toEqual([
      { line: 'one' },
      { line: '\ufffd', _repaired: true },
      { line: 'two' },
    ]);
  });

  it('reports the first thousand of 1,001 bad lines, and keeps the good ones among them', async () => {
    const logger = await createLogger(subject, { table: 'bad' });
    const { json } = await push(subject, logger, {
      body: `${'bad\n'.repeat(500)}{"a":1}\n${'bad\n'.repeat(501)}{"a":2}`,
    });
    expect([json.accepted, json.rejected_count, json.rejected.length]).toEqual([2, 1001, 1000]);
    expect(json.rejected.slice(499, 501).map(({ line }: { line: number }) => line)).toEqual([500, 502]);
    expect((await rowsOf(subject, 'table order=asc bad')).map(sent)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('has lines of up to 1 MiB without their ends', async () => {
    const logger = await createLogger(subject, { table: 'long', parser: 'text' });
    const body = `${'x'.repeat(MIB)}\r\n${'y'.repeat(MIB + 1)}\r\n${'한'.repeat(Math.floor(MIB / 3))}\n${'한'.repeat(Math.ceil(MIB / 3))}`;
    const rejected = [2, 4].map((line) => ({ line, reason: 'line-too-long' }));
    expect(outcome(await push(subject, logger, { type: 'text/plain', body }))).toEqual(took(2, rejected));
    const rows = await rowsOf(subject, 'table order=asc long');
    expect(rows.map(({ line }) => [line[0], line.length])).toEqual([
      ['x', MIB],
      ['한', Math.floor(MIB / 3)],
    ]);
  });

  it('brings times of the years 1 to 9999', async () => {
    const logger = await createLogger(subject, { table: 'ages' });
    // A day inside the first and the last, which are on other days in other zones.
    const times = [-62_135_596_800_000 + DAY_MS, -1, 0, 253_402_300_799_999 - DAY_MS];
    const beyond = [-62_135_596_800_000 - DAY_MS, 253_402_300_800_000 + DAY_MS];
    const body = [...times, ...beyond].map((_time) => JSON.stringify({ _time })).join('\n');
    const rejected = [5, 6].map((line) => ({ line, reason: 'invalid-time' }));
    expect(outcome(await push(subject, logger, { body }))).toEqual(took(4, rejected));
    expect((await rowsOf(subject, 'table order=asc ages')).map(({ _time }) => _time)).toEqual([
      '0001-01-02 00:00:00+0000',
      '1969-12-31 23:59:59+0000',
      '1970-01-01 00:00:00+0000',
      '9999-12-30 23:59:59+0000',
    ]);
  });
});
