// Bodies that are data, not parameters: read as they arrive, unfolded when they come compressed, and given up as soon as
// they are too long or too many of them are in memory at once.

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { bodyTooLarge, malformedBody, Refusal, tooManyRequests, unsupportedContent } from '#contract/errors.ts';
import { type Headers, mediaTypeOf } from './body.ts';
import type { Content, RawBody } from './endpoint.ts';

const RETRY_AFTER_SECONDS = 1;
const UNFOLDED_CHUNK_BYTES = 256 * 1024;

export const NO_CONTENT: Content = { type: '', bytes: Buffer.alloc(0) };

/** How many bytes of such bodies may be in work at once, over all requests. */
export class ByteBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** What one request holds until it is disposed of. */
  open(): Held {
    let held = 0;
    return {
      add: (bytes) => {
        if (bytes > this.#left) throw tooManyRequests(RETRY_AFTER_SECONDS);
        this.#left -= bytes;
        held += bytes;
      },
      [Symbol.dispose]: () => {
        this.#left += held;
        held = 0;
      },
    };
  }
}

export interface Held extends Disposable {
  /** Refuses with 429 when that is more than is left. */
  add(bytes: number): void;
}

/** `body` is undefined when the request has none. */
export async function readRawBody(
  { headers, body }: { headers: Headers; body: Readable | undefined },
  { types, isStreamed = false }: RawBody,
  { held, limitBytes }: { held: Held; limitBytes: number },
): Promise<Content> {
  if (!body) return NO_CONTENT;
  const type = mediaTypeOf(headers);
  if (type === undefined || !types.includes(type)) throw unsupportedContent(String(headers['content-type'] ?? ''));
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  const isFolded = encoding === 'gzip' && !isStreamed;
  if (encoding !== 'identity' && !isFolded) throw unsupportedContent(encoding);
  const announced =
    headers['content-length'] === undefined ? {} : { announcedBytes: Number(headers['content-length']) };
  if (isStreamed) return { ...NO_CONTENT, type, stream: body, ...announced };
  if ((announced.announcedBytes ?? 0) > limitBytes) throw bodyTooLarge(limitBytes);
  try {
    return { type, bytes: await collected(body, { isFolded, limitBytes, held }) };
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw Object.assign(malformedBody(), { cause });
  } finally {
    // The rest of a refused body is let through unread: the connection carries the answer, and the next request.
    body.resume();
  }
}

interface Collecting {
  readonly isFolded: boolean;
  readonly limitBytes: number;
  readonly held: Held;
}

async function collected(body: Readable, { isFolded, limitBytes, held }: Collecting): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const keep = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of limited(source, limitBytes)) {
      held.add(chunk.length);
      chunks.push(chunk);
    }
  };
  // Giving up must not destroy the request, whose connection the answer needs.
  const incoming: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false });
  if (!isFolded) await keep(incoming);
  // Limited on both sides: a body of a million empty gzip members unfolds to nothing.
  else await pipeline(limited(incoming, limitBytes), createGunzip({ chunkSize: UNFOLDED_CHUNK_BYTES }), keep);
  return Buffer.concat(chunks);
}

async function* limited(source: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    if (total > limitBytes) throw bodyTooLarge(limitBytes);
    yield chunk;
  }
}
