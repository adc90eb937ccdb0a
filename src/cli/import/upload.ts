// One upload over an unreliable connection: opened or resumed, sent, completed. After a failure the offset is fetched from
// the service; completing an upload twice has no effect.

import type { Client } from '#cli/kit/client.ts';
import { ServiceError } from '#cli/kit/failures/failure.ts';
import type { Source } from '#cli/kit/files/source.ts';
import type { AnswerFor } from '#client/call.ts';
import { notFound } from '#contract/errors.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { type Attempts, type RetryDelays, retry } from '#runtime/retry.ts';
import type { Unfinished } from './state.ts';

const TUS = { 'tus-resumable': '1.0.0' };
const BYTES_TYPE = 'application/offset+octet-stream';
/** Bytes of one request, which is a stream. */
const REQUEST_BYTES = 64 * 1024 * 1024;
/** Delays between attempts without progress. */
const RETRY_DELAYS: RetryDelays = { ms: [500, 1000, 2000, 4000, 8000] };

/** Errors of the network, and of a service that starts or stops. */
const TRANSIENT = ['unreachable', 'broken-off', 'unavailable'];

type Answer = AnswerFor<'POST /api/core/upload-streams/:token/complete'>;
/** Of an upload into a table. */
export type Outcome = Extract<Answer, { readonly accepted: number }>;

interface Watcher {
  resumed(offset: number): void;
  /** The bytes sent so far are void, because their table was dropped. */
  begunAnew(): void;
  sent(bytes: number): void;
  importing(): void;
}

interface Upload {
  readonly client: Client;
  readonly source: Source;
  readonly metadata: { readonly table: string; readonly format: string; readonly charset?: string };
  readonly unfinished: Unfinished;
  readonly watcher: Watcher;
  readonly clock?: Clock;
}

/** The token in `unfinished` stays valid after the end: the service answers with the same outcome again. */
export async function upload(parts: Upload): Promise<Outcome> {
  const { watcher, unfinished } = parts;
  const former = await retryTransient(parts, () => formerUpload(parts));
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
  return await retryTransient(parts, () => complete(parts.client, token));
}

/** An upload belongs to one table; a later table of the same name is another. */
const isTableGone = (error: unknown, { metadata }: Upload): boolean =>
  error instanceof ServiceError && error.is(notFound('table', metadata.table));

/** An earlier upload of the same source, complete or not; undefined when the service has removed or refused it. */
async function formerUpload({ client, unfinished }: Upload): Promise<Begun | undefined> {
  const token = unfinished.token();
  const offset = token === undefined ? undefined : await offsetOf(client, token);
  return token === undefined || offset === undefined ? undefined : { token, offset };
}

async function complete(client: Client, token: string): Promise<Outcome> {
  const outcome = await client.call('POST /api/core/upload-streams/:token/complete', { token });
  if (!('accepted' in outcome)) throw new Error('the upload is one of rows of a lookup');
  return outcome;
}

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
  // The answer to HEAD has no body.
  if (status >= 500) throw new UsageError('unreachable', { url: client.url, reason: String(status) });
  return status === 200 ? Number(headers.get('upload-offset')) : undefined;
}

async function sendAll(parts: Upload, token: string, from: number): Promise<void> {
  const { client, source, watcher } = parts;
  let offset = from;
  watcher.sent(offset);
  while (offset < source.sizeBytes) {
    const before = offset;
    offset = await retryTransient(
      parts,
      () => sendSome(parts, token, offset),
      async () => {
        const reached = (await offsetOf(client, token)) ?? offset;
        const hasMoved = reached > offset;
        offset = reached;
        return hasMoved;
      },
    );
    // Success without progress: the source has no more bytes.
    if (offset === before) throw new UsageError('import-shrunk', { path: source.given });
    watcher.sent(offset);
  }
}

/** Resolves to the new offset. */
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

/** Ends as soon as the answer arrives: the rest of a refused upload is not sent. */
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

/** Retries transient errors, as long as attempts make progress or delays are left. */
async function retryTransient<T>(
  { client, clock = systemClock }: Upload,
  work: () => Promise<T>,
  hasMoved: () => Promise<boolean> = async () => false,
): Promise<T> {
  const attempt = async ({ startOver }: Attempts) => {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      const isMoved = await hasMoved().catch(() => false);
      // An import may take longer than the timeout of an answer; another attempt continues to wait.
      if (isMoved || reasonOf(error) === 'UND_ERR_HEADERS_TIMEOUT') startOver();
      throw error;
    }
  };
  try {
    return await retry(attempt, { clock, delays: RETRY_DELAYS, mayRetry: isTransient });
  } catch (cause) {
    if (!isTransient(cause)) throw cause;
    throw new UsageError('import-broken-off', { url: client.url, reason: reasonOf(cause) }, { cause });
  }
}

const isTransient = (error: unknown): error is UsageError | ServiceError =>
  (error instanceof UsageError || error instanceof ServiceError) && TRANSIENT.includes(error.code);

const reasonOf = (error: UsageError | ServiceError): string =>
  error instanceof UsageError ? (error.values.reason ?? '') : error.message;
