// Uploads of this browser: sent in chunks, continued after an interruption, remembered over a reload, cancelled.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DetailedError, defaultOptions, type PreviousUpload } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerConsole, refusal } from '#test/support/console-answers.ts';
import type * as Store from './upload-store.ts';

const PATH = '/api/core/upload-streams';
const COMPLETE = `POST ${PATH}/:token/complete`;
const REMOVE = `DELETE ${PATH}/:token`;
const TARGET = { table: '웹', format: 'ndjson' } as const;

/** The far side: uploads by their tokens. */
const received = new Map<string, { size: number; content: Buffer }>();
/** What the service answers instead, for the next requests. */
const failures: { status: number; body: string }[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const failure = failures.shift();
  if (failure) return void response.writeHead(failure.status, { 'x-request-id': 'r9' }).end(failure.body);
  if (request.method === 'POST') {
    const token = `t${received.size + 1}`;
    received.set(token, { size: Number(request.headers['upload-length']), content: Buffer.alloc(0) });
    return void response.writeHead(201, { location: `${PATH}/${token}` }).end();
  }
  const upload = received.get(request.url?.split('/').at(-1) ?? '');
  if (!upload) return void response.writeHead(404).end();
  upload.content = Buffer.concat([upload.content, ...chunks]);
  const headers = { 'upload-offset': upload.content.length, 'upload-length': upload.size };
  response.writeHead(request.method === 'HEAD' ? 200 : 204, headers).end();
}

const server = createServer((request, response) => void answer(request, response));
/** What a browser keeps over a reload. */
const kept = new Map<string, PreviousUpload>();
const { urlStorage } = defaultOptions;
let origin = '';
let store: typeof Store;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  defaultOptions.urlStorage = {
    findAllUploads: async () => [...kept.values()],
    findUploadsByFingerprint: async (fingerprint) =>
      [...kept].filter(([key]) => key.startsWith(`tus::${fingerprint}::`)).map(([, upload]) => upload),
    removeUpload: async (key) => void kept.delete(key),
    addUpload: async (fingerprint, upload) => {
      const urlStorageKey = `tus::${fingerprint}::${kept.size}`;
      kept.set(urlStorageKey, { ...upload, urlStorageKey });
      return urlStorageKey;
    },
  };
});

afterAll(async () => {
  defaultOptions.urlStorage = urlStorage;
  await new Promise((resolve) => server.close(resolve));
});

/** A page that has just been loaded. */
beforeEach(async () => {
  received.clear();
  kept.clear();
  failures.length = 0;
  vi.resetModules();
  vi.stubGlobal('location', { origin });
  store = await import('./upload-store.ts');
});

afterEach(() => void vi.unstubAllGlobals());

/** In Node the library reads a buffer where a browser reads a file. */
const fileOf = (text: string, name = 'app.ndjson') =>
  Object.assign(Buffer.from(text), { name, size: Buffer.byteLength(text), lastModified: 1 }) as unknown as File;
const uploads = (account = 'kim') => store.uploadsOf(account);
const finished = { [COMPLETE]: () => ({ token: 't1', rejected_count: 0, accepted_count: 1 }) };
const remember = (token: string, fields: Partial<PreviousUpload> = {}, account = 'kim') => {
  const urlStorageKey = `tus::vigil/${account}/7/1/app.ndjson::${kept.size}`;
  const metadata = { filename: 'app.ndjson', table: '웹' };
  const upload = {
    size: 7,
    metadata,
    creationTime: '',
    urlStorageKey,
    uploadUrl: `${origin}${PATH}/${token}`,
    parallelUploadUrls: null,
  };
  kept.set(urlStorageKey, { ...upload, ...fields });
};

describe('An upload', () => {
  it('sends its file, and has the outcome of the import at the end', async () => {
    const requests = answerConsole(finished);
    await store.beginUpload('kim', fileOf('{"a":"한"}\n'), TARGET);
    expect(uploads()).toMatchObject([{ fileName: 'app.ndjson', table: '웹', size: 12, phase: 'sending' }]);
    await expect.poll(() => uploads()[0]?.phase).toBe('finished');
    expect(uploads()).toMatchObject([{ sent: 12, token: 't1', outcome: { rejected_count: 0 } }]);
    expect(received.get('t1')?.content.toString()).toBe('{"a":"한"}\n');
    expect(requests[0]?.params).toEqual({ token: 't1' });
    expect([uploads('lee'), kept.size]).toEqual([[], 0]);
  });

  it.each([
    [
      400,
      '{"error_code":"invalid","error_msg":"wrong table"}',
      { status: 400, code: 'invalid', message: 'wrong table' },
    ],
    [413, '<html>', { status: 413, code: 'unavailable', message: 'HTTP 413' }],
    [400, 'null', { status: 400, code: 'unavailable', message: 'HTTP 400' }],
  ])('that is answered with %d %s has failed, and is begun again on demand', async (status, body, error) => {
    failures.push({ status, body });
    answerConsole(finished);
    await store.beginUpload('kim', fileOf('x'), TARGET);
    await expect.poll(() => uploads()[0]?.phase).toBe('failed');
    expect(uploads()[0]?.error).toMatchObject({ ...error, requestId: 'r9' });
    store.retryUpload(uploads()[0]?.id ?? '');
    expect(uploads()[0]?.phase).toBe('sending');
    await expect.poll(() => uploads()[0]?.phase).toBe('finished');
  });

  it('goes on by itself where the service is busy', async () => {
    failures.push({ status: 503, body: '' });
    answerConsole(finished);
    await store.beginUpload('kim', fileOf('x'), TARGET);
    await expect.poll(() => uploads()[0]?.phase).toBe('finished');
  });

  it('whose import fails says so', async () => {
    answerConsole({ [COMPLETE]: () => refusal(500, 'internal-error', 'disk full') });
    await store.beginUpload('kim', fileOf('x'), TARGET);
    await expect.poll(() => uploads()[0]).toMatchObject({ phase: 'failed', error: { message: 'disk full' } });
  });

  it('leaves the list when the reader has seen it', async () => {
    answerConsole(finished);
    await store.beginUpload('kim', fileOf('x'), TARGET);
    await expect.poll(() => uploads()[0]?.phase).toBe('finished');
    store.dismissUpload(uploads()[0]?.id ?? '');
    expect(uploads()).toEqual([]);
  });
});

describe('An upload of an earlier visit', () => {
  it('waits for its file, with what has arrived', async () => {
    received.set('t1', { size: 7, content: Buffer.from('abc') });
    remember('t1');
    await store.recallUploads('kim');
    await store.recallUploads('kim');
    expect(uploads()).toMatchObject([
      { token: 't1', fileName: 'app.ndjson', table: '웹', size: 7, sent: 3, phase: 'waiting' },
    ]);
  });

  it('continues where it was, in the table that it was for, when the file is given again', async () => {
    received.set('t1', { size: 7, content: Buffer.from('abc') });
    remember('t1');
    await store.recallUploads('kim');
    answerConsole(finished);
    await store.beginUpload('kim', fileOf('abcdefg'), { table: 'other', format: 'text' });
    await store.beginUpload('kim', fileOf('abcdefg'), TARGET);
    await expect.poll(() => uploads()[0]?.phase).toBe('finished');
    expect(uploads()).toMatchObject([{ table: '웹', sent: 7 }]);
    expect(received.get('t1')?.content.toString()).toBe('abcdefg');
  });

  it('whose bytes have all arrived has its outcome without the file, and is forgotten then', async () => {
    received.set('t1', { size: 7, content: Buffer.from('abcdefg') });
    remember('t1');
    answerConsole({ [COMPLETE]: () => refusal(500, 'illegal-state', 'no space left: web') });
    await store.recallUploads('kim');
    expect([uploads()[0]?.phase, kept.size]).toEqual(['waiting', 1]);
    store.dismissUpload(uploads()[0]?.id ?? '');
    answerConsole(finished);
    await store.recallUploads('kim');
    expect(uploads()).toMatchObject([{ phase: 'finished', sent: 7, outcome: { rejected_count: 0 } }]);
    expect(kept.size).toBe(0);
  });

  it('that the service has forgotten is forgotten', async () => {
    remember('gone');
    await store.recallUploads('kim');
    expect([uploads(), kept.size]).toEqual([[], 0]);
  });

  it.each([
    ['of another account', {}, 'lee'],
    ['without a size', { size: null }, 'kim'],
    ['without a table', { metadata: { filename: 'x' } }, 'kim'],
    ['of another service', { uploadUrl: 'http://other.test/x/t1' }, 'kim'],
    ['that was never opened', { uploadUrl: null }, 'kim'],
  ])('%s is left alone', async (_, fields, account) => {
    received.set('t1', { size: 7, content: Buffer.from('abc') });
    remember('t1', fields, account);
    await store.recallUploads('kim');
    expect([uploads(), kept.size]).toEqual([[], 1]);
  });
});

describe('A cancelled upload', () => {
  it('is removed from the service, the browser and the list', async () => {
    received.set('t1', { size: 7, content: Buffer.from('abc') });
    remember('t1');
    await store.recallUploads('kim');
    const requests = answerConsole({ [REMOVE]: () => ({}) });
    await store.cancelUpload(uploads()[0]?.id ?? '');
    expect(requests[0]?.params).toEqual({ token: 't1' });
    expect([uploads(), kept.size]).toEqual([[], 0]);
  });

  it('that is gone already is cancelled all the same; any other refusal is not hidden', async () => {
    received.set('t1', { size: 7, content: Buffer.from('abc') });
    remember('t1');
    await store.recallUploads('kim');
    const id = uploads()[0]?.id ?? '';
    answerConsole({ [REMOVE]: () => refusal(500, 'illegal-state', 'no-permission') });
    await expect(store.cancelUpload(id)).rejects.toThrow('no-permission');
    expect(uploads()).toHaveLength(1);
    answerConsole({ [REMOVE]: () => refusal(500, 'illegal-state', 'upload stream not found: t1') });
    await store.cancelUpload(id);
    expect(uploads()).toEqual([]);
  });

  it('that was never opened leaves nothing to remove', async () => {
    failures.push({ status: 400, body: '{}' });
    const requests = answerConsole({});
    await store.beginUpload('kim', fileOf('x'), TARGET);
    await expect.poll(() => uploads()[0]?.phase).toBe('failed');
    await store.cancelUpload(uploads()[0]?.id ?? '');
    expect([uploads(), requests]).toEqual([[], []]);
  });
});

it('An error that is no answer is told as a lost connection, and passes', async () => {
  const { isPassing, readableError } = await import('./upload-errors.ts');
  const lost = Object.assign(Object.create(DetailedError.prototype), { originalResponse: null });
  expect(readableError(lost)).toMatchObject({ message: 'no answer' });
  expect(isPassing(lost)).toBe(true);
  const other = new Error('other');
  expect(readableError(other)).toBe(other);
});
