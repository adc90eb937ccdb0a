// Writes the body of a PATCH to the part of a stream: buffers at most a megabyte and records durable offsets in between, so that
// a crash loses little. After a broken connection the received bytes are kept.

import type { Readable } from 'node:stream';
import { bodyTooLarge, malformedBody } from '#contract/errors.ts';
import type { PartOffset, PartWriter } from '#ingest/uploads/part-file.ts';
import { Notifier } from '#runtime/notifier.ts';
import { releaseBytes } from '#runtime/release-bytes.ts';
import { Serial } from '#runtime/serial.ts';
import type { StreamLock } from './stream-locks.ts';

const BUFFER_BYTES = 1024 * 1024;
const MARK_EVERY_BYTES = 32 * 1024 * 1024;

interface ReceiveOptions {
  readonly lock: StreamLock;
  /** Offset before the request. */
  readonly from: PartOffset;
  /** Maximum bytes of the body. */
  readonly maxBytes: number;
  /** Records the durable offset. */
  mark(mark: PartOffset): Promise<void>;
}

/** Resolves when all bytes are durable and recorded. A refused body keeps only bytes whose offset was reported. */
export async function receive(
  stream: Readable,
  writer: PartWriter,
  { lock, from, ...how }: ReceiveOptions,
): Promise<void> {
  let told = from;
  let marked = from.offset;
  // An older offset must not overwrite a newer one, and none is marked after a flush that failed.
  const marking = new Serial({ stopsAtFailure: true });
  const mark = (): Promise<PartOffset> =>
    marking.run(async () => {
      const reached = await writer.flush();
      await how.mark(reached);
      return reached;
    });
  lock.reportOffset(from.offset);
  lock.onSync(async () => {
    told = await mark();
  });
  using incoming = new BufferedBody(stream, lock.signal);
  for (let chunks = await incoming.next(); chunks; chunks = await incoming.next()) {
    if (writer.offset + sizeOf(chunks) - from.offset > how.maxBytes) {
      await how.mark(await marking.run(() => told));
      throw bodyTooLarge(how.maxBytes);
    }
    await writer.append(chunks);
    for (const chunk of chunks) releaseBytes(chunk);
    lock.reportOffset(writer.offset);
    if (writer.offset - marked < MARK_EVERY_BYTES) continue;
    marked = (await mark()).offset;
  }
  await mark();
  if (lock.signal.aborted) throw lock.signal.reason;
  if (!incoming.isComplete) throw malformedBody();
}

const sizeOf = (chunks: readonly Buffer[]): number => chunks.reduce((total, { length }) => total + length, 0);

/** Buffers a request body; pauses the sender when the buffer is full. */
class BufferedBody implements Disposable {
  readonly #stream: Readable;
  readonly #signal: AbortSignal;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isOver = false;
  #isEnded = false;
  readonly #received = new Notifier();

  constructor(stream: Readable, signal: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
    stream.on('data', this.#take).on('end', this.#end).on('close', this.#stop).on('error', this.#stop);
    signal.addEventListener('abort', this.#stop);
    if (stream.destroyed || signal.aborted) this.#stop();
  }

  /** Whether the body was received completely. */
  get isComplete(): boolean {
    return this.#isEnded;
  }

  /** Undefined at the end of the body. */
  async next(): Promise<readonly Buffer[] | undefined> {
    if (this.#bytes === 0 && !this.#isOver) await this.#received.wait();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    if (!this.#isOver) this.#stream.resume();
    return chunks.length === 0 ? undefined : chunks;
  }

  [Symbol.dispose](): void {
    this.#stream.off('data', this.#take).off('end', this.#end).off('close', this.#stop);
    this.#signal.removeEventListener('abort', this.#stop);
  }

  readonly #take = (chunk: Buffer): void => {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= BUFFER_BYTES) this.#stream.pause();
    this.#received.notify();
  };

  readonly #end = (): void => {
    this.#isEnded = true;
    this.#stop();
  };

  readonly #stop = (): void => {
    this.#isOver = true;
    this.#received.notify();
  };
}
