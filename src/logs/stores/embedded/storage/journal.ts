// The journal of a table: batches appended to a file as frames and flushed before they are acknowledged. Batches that
// wait at the same moment share one flush. A crash can tear the end; writing goes on behind the last whole frame.

import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fsync } from '#files/durable.ts';
import { writeWhole } from '#files/whole.ts';
import { NoSpace } from '#logs/log-store.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import type { FrameCodec } from './frames.ts';
import { encodeFrame, type Frame } from './journal-frames.ts';

/** A journal as it stands. */
interface JournalState {
  /** Says which journal it is. */
  readonly name: string;
  readonly codec: FrameCodec;
  /** Of the whole frames. */
  readonly sizeBytes: number;
}

interface Waiting {
  readonly frame: Frame;
  resolve(): void;
  reject(error: unknown): void;
}

/** A group of more bytes is written part by part: to copy it together would take longer. */
const MAX_COPIED_BYTES = 1024 * 1024;

const NO_LINES = Buffer.alloc(0);

export class Journal {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #name: string;
  readonly #codec: FrameCodec;
  #sizeBytes: number;
  /** True while bytes of a group that failed may stand behind the last whole frame. */
  #isTorn = false;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;

  private constructor(path: string, file: FileHandle, { name, codec, sizeBytes }: JournalState) {
    this.path = path;
    this.#file = file;
    this.#name = name;
    this.#codec = codec;
    this.#sizeBytes = sizeBytes;
  }

  /** Opens for appending after the last whole frame; bytes that a crash tore are cut off. */
  static async open(path: string, state: JournalState): Promise<Journal> {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    await file.truncate(state.sizeBytes);
    await fsync(dirname(path));
    return new Journal(path, file, state);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Resolves when the frame is on disk. Frames keep the order of the calls. */
  append(frame: Frame): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ frame, resolve, reject });
    this.#flushing ??= this.#flushAll();
    return promise;
  }

  /** Resolves when it is on disk that the frame, which was appended before, does not count. */
  withdraw({ firstId }: Frame): Promise<void> {
    return this.append({ firstId, lines: NO_LINES });
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#file.close();
  }

  async #flushAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#flush(group);
    }
    this.#flushing = undefined;
  }

  async #flush(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(await this.#encoded(group));
      for (const { resolve } of group) resolve();
    } catch (cause) {
      const error = isOutOfSpace(cause) ? new NoSpace('no space left for the journal', { cause }) : cause;
      for (const { reject } of group) reject(error);
    }
  }

  async #encoded(group: readonly Waiting[]): Promise<readonly Buffer[]> {
    const parts = this.#sizeBytes === 0 ? [this.#codec.preamble] : [];
    let at = this.#sizeBytes + (parts[0]?.length ?? 0);
    for (const { frame } of group) {
      for (const part of await encodeFrame(frame, { codec: this.#codec, name: this.#name, at })) {
        parts.push(part);
        at += part.length;
      }
    }
    return at - this.#sizeBytes > MAX_COPIED_BYTES ? parts : [Buffer.concat(parts)];
  }

  async #write(parts: readonly Buffer[]): Promise<void> {
    // Bytes of a failed group must not stand before the next frame.
    if (this.#isTorn) await this.#file.truncate(this.#sizeBytes);
    this.#isTorn = true;
    let end = this.#sizeBytes;
    try {
      for (const part of parts) {
        await writeWhole(this.#file, part, end);
        end += part.length;
      }
      await this.#file.datasync();
    } catch (error) {
      // At once, so that a crash finds nothing of the refused frames; when even that fails, before the next frame.
      await this.#file.truncate(this.#sizeBytes);
      this.#isTorn = false;
      throw error;
    }
    this.#sizeBytes = end;
    this.#isTorn = false;
  }
}

/** The numbers of the journals in a folder, oldest first. */
export async function journalsIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  const numbers = names.map((name) => /^(\d+)\.journal$/.exec(name)?.[1]).filter((digits) => digits !== undefined);
  return numbers.map(Number).sort((a, b) => a - b);
}

/** Whether any journal in the folder has something in it. */
export async function holdsRecords(folder: string): Promise<boolean> {
  for (const number of await journalsIn(folder)) {
    if ((await stat(journalPath(folder, number))).size > 0) return true;
  }
  return false;
}

export const journalPath = (folder: string, number: number): string =>
  join(folder, `${String(number).padStart(6, '0')}.journal`);

export const removeJournal = (folder: string, number: number): Promise<void> =>
  rm(journalPath(folder, number), { force: true });
