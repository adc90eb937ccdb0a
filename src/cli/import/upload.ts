// One upload over a connection that may break: opened or gone on with, sent, completed. What the service has is asked
// whenever that is in doubt; completing again is harmless.

import type { AnswerFor } from '#cli/kit/call.ts';
import type { Client } from '#cli/kit/client.ts';
import { ServiceError } from '#cli/kit/failure.ts';
import { notFound } from '#contract/errors.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Source } from './source.ts';
import type { Unfinished } from './state.ts';

const TUS = { 'tus-resumable': '1.0.0' };
const BYTES_TYPE = 'application/offset+octet-stream';
/** Sent with one request, as a stream. */
const REQUEST_BYTES = 64 * 1024 * 1024;
/** Between attempts that brought nothing, in milliseconds. */
const TIMEOUT_MS = [500, 1000, 2000, 4000, 8000] as const;

/** What the network does, and a service that starts or stops. */
const PASSING = ['unreachable', 'broken-off', 'unavailable'];

export type Outcome = AnswerFor<'POST /api/core/upload-streams/:token/complete'>;

/** Told how it goes on. */
export interface Watcher {
  resumed(offset: number): void;
  /** What was sent before is of no use: the table that it was for is no more. */
  begunAnew(): void;
  sent(bytes: number): void;
  importing(): void;
}

export interface Upload {
  readonly client: Client;
  readonly source: Source;
  readonly metadata: { readonly table: string; readonly format: string };
  readonly unfinished: Unfinished;
  readonly watcher: Watcher;
  readonly clock?: Clock;
}

/** What it remembers in `unfinished` is good after its end, too: asked again, the service gives the same outcome. */
export async function upload(parts: Upload): Promise<Outcome> {
  const { watcher, unfinished } = parts;
  const former = await patiently(parts, () => formerUpload(parts));
  if (former && 'accepted' in former) return former;
  if (!former) return await finish(parts, await open(parts));
  if (former.offset > 0) watcher.resumed(former.offset);
  try {
    return await finish(parts, former);
  } catch (error) {
    if (!isTableGone(error, parts)) throw error;
    unfinished.forget();
    const begun = await open(parts);
    watcher.begunAnew();
    return await finish(parts, begun);
  }
}

interface Begun {
  readonly token: string;
  readonly offset: number;
}

async function finish(parts: Upload, { token, offset }: Begun): Promise<Outcome> {
  await sendAll(parts, token, offset);
  parts.watcher.importing();
  return await patiently(parts, () => complete(parts.client, token));
}

/** An upload is for one table: when that is dropped, one that gets its name later is another. */
const isTableGone = (error: unknown, { metadata }: Upload): boolean =>
  error instanceof ServiceError && error.is(notFound('table', metadata.table));

/** What became of an upload of the same that was begun before: how far it is, or its outcome. */
async function formerUpload({ client, unfinished }: Upload): Promise<Begun | Outcome | undefined> {
  const token = unfinished.token();
  if (token === undefined) return undefined;
  const offset = await offsetOf(client, token);
  if (offset !== undefined) return { token, offset };
  // Complete, only that nobody heard the answer; or it is gone.
  return await complete(client, token).catch((error) => {
    if (error instanceof ServiceError && !PASSING.includes(error.code)) return undefined;
    throw error;
  });
}

const complete = (client: Client, token: string): Promise<Outcome> =>
  client.call('POST /api/core/upload-streams/:token/complete', { token });

async function open({ client, source, metadata, unfinished }: Upload): Promise<Begun> {
  const { token } = await client.call('POST /api/core/upload-streams', {
    file_name: source.name,
    file_size: source.sizeBytes,
    metadata: JSON.stringify(metadata),
  });
  unfinished.keep(token);
  return { token, offset: 0 };
}

/** Undefined when the stream is gone. */
async function offsetOf(client: Client, token: string): Promise<number | undefined> {
  const { status, headers } = await client.request('HEAD /api/core/upload-streams/:token', { token }, { headers: TUS });
  // It has no body that could say more.
  if (status >= 500) throw new UsageError('unreachable', { url: client.url, reason: String(status) });
  return status === 200 ? Number(headers.get('upload-offset')) : undefined;
}

async function sendAll(parts: Upload, token: string, from: number): Promise<void> {
  const { client, source, watcher } = parts;
  let offset = from;
  watcher.sent(offset);
  while (offset < source.sizeBytes) {
    const before = offset;
    offset = await patiently(
      parts,
      () => sendSome(parts, token, offset),
      async () => {
        offset = (await offsetOf(client, token)) ?? offset;
        return offset > before;
      },
    );
    // A success that brought nothing: there is nothing left to read.
    if (offset === before) throw new UsageError('import-shrunk', { path: source.given });
    watcher.sent(offset);
  }
}

/** Resolves to how far it then is. */
async function sendSome({ client, source, watcher }: Upload, token: string, offset: number): Promise<number> {
  const end = Math.min(source.sizeBytes, offset + REQUEST_BYTES);
  const sending = new AbortController();
  const request = {
    headers: { ...TUS, 'content-type': BYTES_TYPE, 'upload-offset': String(offset) },
    body: counted(source.read(offset, end), (bytes) => watcher.sent(offset + bytes), sending.signal),
  };
  const answer = await client.request('PATCH /api/core/upload-streams/:token', { token }, request);
  sending.abort();
  if (answer.status === 204) return Number(answer.headers.get('upload-offset'));
  const actual = answer.status === 409 ? await offsetOf(client, token) : undefined;
  if (actual === undefined) throw await client.errorIn(answer);
  return actual;
}

/** Ends early once it is answered: what is refused need not be sent, and counts no more. */
function counted(
  pieces: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
  answered: AbortSignal,
): ReadableStream<Uint8Array> {
  async function* counting() {
    let bytes = 0;
    for await (const piece of pieces) {
      if (answered.aborted) return;
      yield piece;
      bytes += piece.length;
      count(bytes);
    }
  }
  return ReadableStream.from(counting());
}

/** Tries again while the service cannot be reached, as long as that gets it further or patience lasts. */
async function patiently<T>(
  { client, clock = systemClock }: Upload,
  work: () => Promise<T>,
  hasMoved: () => Promise<boolean> = async () => false,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof ServiceError) || !PASSING.includes(error.code)) throw error;
      const reason = error instanceof UsageError ? (error.values.reason ?? '') : error.message;
      // An import may take longer than an answer is waited for; asking again waits on.
      if (reason === 'UND_ERR_HEADERS_TIMEOUT') attempt = -1;
      if (await hasMoved().catch(() => false)) attempt = -1;
      const pause = TIMEOUT_MS[attempt === -1 ? 0 : attempt];
      if (pause === undefined) throw new UsageError('import-broken-off', { url: client.url, reason }, { cause: error });
      await clock.sleep(Temporal.Duration.from({ milliseconds: pause }));
    }
  }
}
