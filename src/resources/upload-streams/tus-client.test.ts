// The protocol as a client sees it that knows nothing of this service.

import { Readable } from 'node:stream';
import { type DetailedError, Upload, type UploadOptions } from 'tus-js-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { createTable, STREAMS } from '#test/support/uploads.ts';

const LINES = 20_000;
const LOGS = Buffer.from(Array.from({ length: LINES }, (_, n) => `{"n":${n},"text":"${'x'.repeat(50)}"}\n`).join(''));

describe('A stock tus client', () => {
  const subject = serviceFor();
  beforeAll(() => createTable(subject, 'web'));
  const count = async () => (await rowsOf(subject, 'table web | stats count'))[0].count;

  const options = (more: UploadOptions = {}): UploadOptions => ({
    endpoint: `${subject.service.url}${STREAMS}`,
    headers: { authorization: `Bearer ${MASTER_KEY}` },
    metadata: { filename: 'logs.ndjson', table: 'web' },
    retryDelays: null,
    ...more,
  });

  /** Runs an upload to its end. */
  function finished(source: Buffer | Readable, more: UploadOptions): Promise<Upload> {
    const { promise, resolve, reject } = Promise.withResolvers<Upload>();
    const upload = new Upload(source as never, options({ ...more, onSuccess: () => resolve(upload), onError: reject }));
    upload.start();
    return promise;
  }

  /** Runs an upload until some of it has been taken, then breaks it off. */
  function interrupted(chunkSize: number): Promise<Upload> {
    const { promise, resolve, reject } = Promise.withResolvers<Upload>();
    const onChunkComplete = () => void upload.abort().then(() => resolve(upload), reject);
    const upload = new Upload(LOGS as never, options({ chunkSize, onChunkComplete, onError: reject }));
    upload.start();
    return promise;
  }

  it('uploads a file in one piece, or in many', async () => {
    const before = await count();
    await finished(LOGS, {});
    expect(await count()).toBe(before + LINES);
    await finished(LOGS, { chunkSize: 100_000 });
    expect(await count()).toBe(before + 2 * LINES);
  });

  it('uploads out of a stream', async () => {
    const before = await count();
    await finished(Readable.from([LOGS.subarray(0, 70_000), LOGS.subarray(70_000)]), {
      chunkSize: 65_536,
      uploadSize: LOGS.length,
    });
    expect(await count()).toBe(before + LINES);
  });

  it('goes on where it was interrupted, and finishes', async () => {
    const before = await count();
    const { url } = await interrupted(100_000);
    expect(url).toContain(STREAMS);
    const sent: number[] = [];
    await finished(LOGS, { uploadUrl: url, onProgress: (bytes) => sent.push(bytes) });
    expect(Math.min(...sent)).toBeGreaterThanOrEqual(100_000);
    expect(await count()).toBe(before + LINES);
  });

  it('goes on after a restart of the service', async () => {
    const before = await count();
    const { url } = await interrupted(100_000);
    const path = new URL(url ?? '').pathname;
    await subject.service.restart();
    await finished(LOGS, { uploadUrl: `${subject.service.url}${path}` });
    expect(await count()).toBe(before + LINES);
  });

  it('sends nothing again when only the answer to its last byte was lost', async () => {
    const before = await count();
    const { url } = await finished(LOGS, {});
    const sent: string[] = [];
    const onBeforeRequest = (request: { getMethod(): string }) => void sent.push(request.getMethod());
    const again = await finished(LOGS, { uploadUrl: url, onBeforeRequest });
    expect([again.url, sent]).toEqual([url, ['HEAD']]);
    expect(await count()).toBe(before + LINES);
  });

  it('terminates an upload', async () => {
    const before = await count();
    const { url } = await interrupted(100_000);
    await Upload.terminate(url ?? '');
    const error: unknown = await Upload.terminate(url ?? '', { retryDelays: null }).catch((failure) => failure);
    expect((error as DetailedError).originalResponse?.getStatus()).toBe(500);
    expect((await subject.call('GET', STREAMS)).json.total_count).toBe(0);
    expect(await count()).toBe(before);
  });

  it('starts anew when its upload is gone', async () => {
    const before = await count();
    const { url } = await interrupted(100_000);
    await Upload.terminate(url ?? '');
    const upload = await finished(LOGS, { uploadUrl: url });
    expect(upload.url).not.toBe(url);
    expect(await count()).toBe(before + LINES);
  });

  it('hears what is wrong with what it sends', async () => {
    const failure: unknown = await finished(LOGS, { metadata: { filename: 'a', table: 'none' } }).catch(
      (error) => error,
    );
    expect((failure as DetailedError).originalResponse?.getBody()).toContain('table not found: none');
    const broken = finished(LOGS, { metadata: { filename: 'a.gz', table: 'web' } }).catch((error) => error);
    expect(((await broken) as DetailedError).originalResponse?.getBody()).toContain('wrong gzip data');
  });
});
