// The journal of a table: batches appended to a file and flushed before they are acknowledged. Batches that wait at
// the same moment share one flush. A frame is a header line and its records, a line each:
//
//   #<bytes> <crc32 in hexadecimal> <first id>\n
//   {"_id":…}\n…
//
// A crash can leave one torn frame at the end; reading stops before it, and writing goes on from there. A frame without
// records withdraws the frame of the same first id that stands before it.

import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { NoSpace } from '#engines/engine.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { flushed } from './durable.ts';

export interface Frame {
  readonly firstId: number;
  /** NDJSON, every line ended. */
  readonly text: string;
}

interface Waiting {
  readonly bytes: Buffer;
  resolve(): void;
  reject(error: unknown): void;
}

export class Journal {
  readonly path: string;
  readonly #file: FileHandle;
  #sizeBytes: number;
  /** True while bytes of a group that failed may stand behind the last whole frame. */
  #isTorn = false;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;

  private constructor(path: string, file: FileHandle, sizeBytes: number) {
    this.path = path;
    this.#file = file;
    this.#sizeBytes = sizeBytes;
  }

  /** Opens for appending after the last whole frame; what a crash tore is cut off. */
  static async open(path: string, sizeBytes: number): Promise<Journal> {
    const file = await open(path, 'a+', 0o600);
    await file.truncate(sizeBytes);
    await flushed(dirname(path));
    return new Journal(path, file, sizeBytes);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Resolves when the frame is on disk. Frames keep the order of the calls. */
  append(frame: Frame): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ bytes: encoded(frame), resolve, reject });
    this.#flushing ??= this.#flushAll();
    return promise;
  }

  /** Resolves when it is on disk that the frame, which was appended before, does not count. */
  withdraw({ firstId }: Frame): Promise<void> {
    return this.append({ firstId, text: '' });
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
      await this.#write(Buffer.concat(group.map((waiting) => waiting.bytes)));
      for (const { resolve } of group) resolve();
    } catch (cause) {
      const error = isOutOfSpace(cause) ? new NoSpace('no space left for the journal', { cause }) : cause;
      for (const { reject } of group) reject(error);
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    // Whatever part of a failed group was written must not stand before the next frame.
    if (this.#isTorn) await this.#file.truncate(this.#sizeBytes);
    this.#isTorn = true;
    try {
      await writeWhole(this.#file, bytes);
      await this.#file.datasync();
    } catch (error) {
      // At once, so that a crash finds nothing of what was refused; when even that fails, before the next frame.
      await this.#file.truncate(this.#sizeBytes);
      this.#isTorn = false;
      throw error;
    }
    this.#sizeBytes += bytes.length;
    this.#isTorn = false;
  }
}

/** The whole frames of a file, which need not exist yet, and how many bytes they take. */
export async function readJournal(path: string): Promise<{ frames: Frame[]; sizeBytes: number }> {
  const file = await open(path, 'a+', 0o600);
  try {
    const bytes = await file.readFile();
    const frames = new Map<number, Frame>();
    let at = 0;
    for (let found = frameAt(bytes, at); found; found = frameAt(bytes, at)) {
      if (found.frame.text === '') frames.delete(found.frame.firstId);
      else frames.set(found.frame.firstId, found.frame);
      at = found.end;
    }
    return { frames: [...frames.values()], sizeBytes: at };
  } finally {
    await file.close();
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

function encoded({ firstId, text }: Frame): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.from(`#${body.length} ${crc32(body).toString(16).padStart(8, '0')} ${firstId}\n`);
  return Buffer.concat([header, body]);
}

function frameAt(bytes: Buffer, at: number): { frame: Frame; end: number } | undefined {
  const line = bytes.indexOf(0x0a, at);
  const header = line === -1 ? undefined : /^#(\d+) ([0-9a-f]{8}) (\d+)$/.exec(bytes.toString('latin1', at, line));
  if (!header) return undefined;
  const [, length, checksum = '', firstId] = header;
  const begin = line + 1;
  const end = begin + Number(length);
  if (end > bytes.length) return undefined;
  const body = bytes.subarray(begin, end);
  if (crc32(body) !== Number.parseInt(checksum, 16)) return undefined;
  return { frame: { firstId: Number(firstId), text: body.toString('utf8') }, end };
}

/** A write may take less than it was given. */
async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written);
    written += bytesWritten;
  }
}
