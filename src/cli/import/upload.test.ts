import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { connect } from '#cli/kit/client.ts';
import { listening } from '#test/support/listening.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { upload } from './upload.ts';

/** Milliseconds between attempts that make no progress. */
const DELAYS_MS = [500, 1000, 2000, 4000, 8000];

/** A service that has taken some bytes of an upload, and then refuses all others. */
async function startRefusing() {
  let refused = 0;
  const server = createServer((request, response) => {
    if (request.method === 'POST')
      return void response.setHeader('content-type', 'application/json').end('{"token":"t"}');
    if (request.method === 'HEAD') return void response.setHeader('upload-offset', '7').end();
    refused += 1;
    request.resume();
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end('{"error_code":"unavailable","error_msg":"database is not reachable"}');
  });
  const url = await listening(server);
  return { url, refused: () => refused, [Symbol.asyncDispose]: async () => void server.close() };
}

it('An upload that a service has begun to take ends when no attempt makes progress', async () => {
  await using service = await startRefusing();
  const clock = new ManualClock('2026-11-16T00:00:00Z');
  const client = connect({ flags: {}, environment: { VIGIL_URL: service.url, VIGIL_KEY: 'any' } });
  const bytes = Buffer.from('twenty bytes of text');
  const source = {
    given: 'a.log',
    name: 'a.log',
    sizeBytes: bytes.length,
    identity: undefined,
    async *read(from: number, end: number) {
      yield bytes.subarray(from, end);
    },
    async [Symbol.asyncDispose]() {},
  };
  const unfinished = { token: () => undefined, keep() {}, forget() {} };
  const watcher = { resumed() {}, begunAnew() {}, sent() {}, importing() {} };
  const ended = upload({ client, source, metadata: { table: 'web', format: 'text' }, unfinished, watcher, clock });
  const outcome = ended.then(
    () => 'imported',
    (error) => error.code,
  );
  const delays: number[] = [];
  for (const _ of DELAYS_MS) {
    const delay = await Promise.any(DELAYS_MS.map((ms) => clock.asleep({ milliseconds: ms }).then(() => ms)));
    delays.push(delay);
    clock.advance({ milliseconds: delay });
  }
  expect(delays).toEqual(DELAYS_MS);
  expect(await outcome).toBe('import-broken-off');
  expect(service.refused()).toBe(DELAYS_MS.length + 1);
});
