// How many lines a push may have, whatever is in them, and what becomes of one whose client goes away.

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { slowRequest } from '#test/support/slow-request.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const NDJSON = 'application/x-ndjson';
const JSON_TYPE = 'application/json';
const TEXT = 'text/plain';
const TOO_MANY = refused(413, 'request-too-large', 'request body must be less than or equal to 1000 lines.');

const lines = (count: number, line: string) => `{"n":1}\n${`${line}\n`.repeat(count - 1)}`;
const elements = (count: number, element: string) => `[{"n":1}${`,${element}`.repeat(count - 1)}]`;

const ROWS: readonly [what: string, type: string, body: (count: number) => string][] = [
  ['records', NDJSON, (count) => lines(count, '{}')],
  ['blank lines', NDJSON, (count) => lines(count, '')],
  ['blank lines with carriage returns', NDJSON, (count) => lines(count, '\r')],
  ['lines of blanks', NDJSON, (count) => lines(count, '  ')],
  ['lines that are no JSON', NDJSON, (count) => lines(count, 'x')],
  ['lines without an end', NDJSON, (count) => lines(count, 'x').slice(0, -1)],
  ['lines of text', TEXT, (count) => lines(count, 'x')],
  ['blank lines of text', TEXT, (count) => lines(count, '')],
  ['elements', JSON_TYPE, (count) => elements(count, '{}')],
  ['elements that are no objects', JSON_TYPE, (count) => elements(count, '1')],
  ['elements in blanks', JSON_TYPE, (count) => ` ${elements(count, ' \n[ 1, "]," ] ')} `],
];

describe('The lines of a push', () => {
  const subject = serviceFor({ flags: { 'push-lines': '1000' } });

  it.each(ROWS)('are at most as many as the setting says: %s', async (what, type, body) => {
    const table = `t${ROWS.findIndex(([row]) => row === what)}`;
    const logger = await createLogger(subject, { table, parser: type === TEXT ? 'text' : 'json' });
    expect(outcome(await push(subject, logger, { type, body: body(1001) }))).toEqual(TOO_MANY);
    const headers = { 'content-encoding': 'gzip' };
    expect(outcome(await push(subject, logger, { type, headers, body: gzipSync(body(1001)) }))).toEqual(TOO_MANY);
    expect(await rowsOf(subject, `table ${table} | stats count`)).toEqual([{ count: 0 }]);
    expect((await push(subject, logger, { type, body: body(1000) })).status).toBe(200);
  });
});

describe('A push whose client goes away', () => {
  const subject = serviceFor();

  it('ends, and nothing of it is kept', async () => {
    const logger = await createLogger(subject, { table: 'left' });
    const number = async (metric: string) =>
      Number(new RegExp(`^${metric} (\\d+)$`, 'm').exec((await subject.call('GET', '/metrics')).text)?.[1]);
    const body = `{"n":1}\n${'{"n":\n'.repeat(990_000)}`;
    const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': NDJSON };
    const sent = slowRequest(`${subject.service.url}/api/core/loggers/${logger}/logs`, 'POST', { headers });
    await sent.write(body);
    await expect.poll(() => number('vigil_http_body_bytes')).toBe(body.length);
    await sent.end();
    sent.destroy();
    // The request that asks is open itself.
    await expect.poll(() => number('vigil_http_requests_open')).toBe(1);
    await expect.poll(() => number('vigil_http_body_bytes')).toBe(0);
    expect(await rowsOf(subject, 'table left | stats count')).toEqual([{ count: 0 }]);
    const { logger: record } = (await subject.call('GET', `/api/core/loggers/${logger}`)).json;
    expect([record.log_count, record.drop_count]).toEqual([0, 0]);
  });
});
