import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const MIB = 1024 * 1024;
const TOO_LARGE = refused(413, 'request-too-large', 'request body must be shorter than or equal to 67108864 bytes.');

const TOO_MANY_LINES = refused(413, 'request-too-large', 'request body must be less than or equal to 1000000 lines.');

describe('A push is refused', () => {
  const subject = serviceFor();
  const { call } = subject;

  it('above 64 MiB, however small it was before it unfolded', async () => {
    const logger = await createLogger(subject, { table: 'large' });
    await push(subject, logger, { body: '{"kept":true}' });
    const line = `{"a":"${'x'.repeat(1000)}"}\n`;
    const large = Buffer.from(line.repeat(Math.ceil((64 * MIB) / line.length) + 1));
    expect(outcome(await push(subject, logger, { body: large }))).toEqual(TOO_LARGE);
    const headers = { 'content-encoding': 'gzip' };
    expect(outcome(await push(subject, logger, { headers, body: gzipSync(large) }))).toEqual(TOO_LARGE);
    const zeros = Buffer.alloc(65 * MIB);
    const bombs = {
      gzip: Buffer.concat(new Array<Buffer>(20).fill(gzipSync(zeros.subarray(0, 16 * MIB)))),
      deflate: deflateSync(zeros),
      zstd: Buffer.concat(new Array<Buffer>(100).fill(zstdCompressSync(zeros))),
    };
    for (const [encoding, body] of Object.entries(bombs)) {
      const bomb = { headers: { 'content-encoding': encoding }, body };
      expect(outcome(await push(subject, logger, bomb))).toEqual(TOO_LARGE);
    }
    const streamed = new ReadableStream({
      pull(controller) {
        controller.enqueue(large.subarray(0, MIB));
      },
    });
    const answer = await fetch(`${subject.service.url}/api/core/loggers/${logger}/logs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'text/plain' },
      body: streamed,
      duplex: 'half',
    });
    expect([answer.status, await answer.json()]).toEqual(TOO_LARGE);
    expect(await rowsOf(subject, 'table large | stats count')).toEqual([{ count: 1 }]);
  });

  it('with more than a million lines', async () => {
    const logger = await createLogger(subject, { table: 'many' });
    await push(subject, logger, { body: '{"kept":true}' });
    expect(outcome(await push(subject, logger, { body: '{}\n'.repeat(1_000_001) }))).toEqual(TOO_MANY_LINES);
    expect(await rowsOf(subject, 'table many | stats count')).toEqual([{ count: 1 }]);
  });

  it('while more than 256 MiB of bodies are in work, and taken again afterwards', async () => {
    const logger = await createLogger(subject, { table: 'busy' });
    const url = `${subject.service.url}/api/core/loggers/${logger}/logs`;
    const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'text/plain' };
    // Five of 60 MiB that do not end: whichever is behind finds no room.
    const slow = Array.from({ length: 5 }, () => {
      const sending = request(url, { method: 'POST', headers }).on('error', () => undefined);
      sending.write(Buffer.alloc(60 * MIB, 'x'));
      return sending;
    });
    const refusal = await Promise.race(
      slow.map(async (sending) => {
        const [answer] = (await once(sending, 'response')) as [IncomingMessage];
        return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], body: await text(answer) };
      }),
    );
    expect([refusal.status, JSON.parse(refusal.body)]).toEqual(refused(429, 'too-many-requests', 'too many requests'));
    expect(refusal.retryAfter).toBe('1');
    for (const sending of slow) sending.destroy();
    const pushed = () => push(subject, logger, { type: 'text/plain', body: Buffer.alloc(20 * MIB, 'x') });
    expect((await until(pushed, ({ status }) => status === 200)).status).toBe(200);
  });

  it('never for long: a body of almost empty lines does not keep others waiting', async () => {
    const logger = await createLogger(subject, { table: 'blank' });
    const answered: string[] = [];
    const blank = push(subject, logger, { body: Buffer.alloc(8 * MIB, ' \n') }).then(() => answered.push('push'));
    await call('GET', '/healthz').then(() => answered.push('health'));
    await blank;
    expect(answered).toEqual(['health', 'push']);
  });
});

describe('The limits of a push', () => {
  const subject = serviceFor({ flags: { 'push-limit': '2048', 'line-limit': '100', 'rejected-limit': '2' } });

  it('are settings', async () => {
    const logger = await createLogger(subject, { table: 'web' });
    const long = JSON.stringify({ text: 'x'.repeat(100) });
    const body = ['{"n":1}', long, '{"n":2}', 'no json', long, '{"n":3}'].join('\n');
    expect((await push(subject, logger, { body })).json).toEqual({
      accepted: 3,
      rejected: [
        { line: 2, reason: 'line-too-long' },
        { line: 4, reason: 'malformed-json' },
      ],
      rejected_count: 3,
    });
    const large = '{"n":4}\n'.repeat(300);
    const refusal = refused(413, 'request-too-large', 'request body must be shorter than or equal to 2048 bytes.');
    expect(outcome(await push(subject, logger, { body: large }))).toEqual(refusal);
  });
});
