// The bytes of an incomplete upload, in a file of its own: appended, made durable, read once and removed. They are stored as
// they came, or encrypted when the table is. An offset is the pair of the bytes that the client counts and those of the
// file, and suffices to go on after a crash.

import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fsync, makeFolder } from '#files/durable.ts';
import { readUpTo, writeWhole } from '#files/whole.ts';
import { NoSpace } from '#logs/log-store.ts';
import { releaseBytes } from '#runtime/release-bytes.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { PartCipher, PartCorrupted, type ReadAt } from '#vault/part-cipher.ts';
import type { ProfileKey } from '#vault/profile-key.ts';

/** Also how much is decoded at a time, so that others get their turn in between. */
const READ_BYTES = 256 * 1024;
const SUFFIX = '.part';

/** How far a part is durable. */
export interface PartOffset {
  /** Bytes as the client counts them. */
  readonly offset: number;
  /** Bytes of the file that hold them. */
  readonly storedBytes: number;
}

export const partName = (token: string): string => `${token}${SUFFIX}`;

/** The folder of all parts, for the service's own user alone. */
export class PartFolder {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<PartFolder> {
    await makeFolder(folder);
    return new PartFolder(folder);
  }

  /** Goes on from `mark`; what a crash left behind it is cut off. `key` is given for a part that is encrypted. */
  async append(token: string, mark: PartOffset, key: ProfileKey | undefined): Promise<PartWriter> {
    const file = await open(this.#path(token), constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      const { size } = await file.stat();
      if (size < mark.storedBytes)
        throw new PartCorrupted(`the part of upload ${token} has lost bytes that were durable`);
      await file.truncate(mark.storedBytes);
      // A file that was just made is durable only when its name is.
      if (mark.storedBytes === 0) await fsync(this.#folder);
      return await PartWriter.from(file, mark, key && (await cipherFor(token, file, mark, key)));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The bytes up to `mark`, a piece at a time. Each buffer is the reader's to keep. */
  async *read(token: string, mark: PartOffset, key: ProfileKey | undefined): AsyncGenerator<Buffer> {
    if (mark.storedBytes === 0) return;
    await using file = await open(this.#path(token), 'r').catch((cause) => {
      throw cause.code === 'ENOENT' ? new PartCorrupted(`the part of upload ${token} is gone`, { cause }) : cause;
    });
    const cipher = key && (await cipherFor(token, file, mark, key));
    if (!cipher) yield* plainPieces(file, mark, token);
    else for await (const chunk of cipher.read(readingAt(file), mark)) yield* piecesOf(chunk);
  }

  async remove(token: string): Promise<void> {
    await rm(this.#path(token), { force: true });
  }

  /** Whether all bytes up to `mark` may be here. */
  async reaches(token: string, { storedBytes }: PartOffset): Promise<boolean> {
    const found = await stat(this.#path(token)).catch(() => undefined);
    return found !== undefined && found.size >= storedBytes;
  }

  /** The tokens that have a part here. */
  async tokens(): Promise<string[]> {
    const names = await readdir(this.#folder);
    return names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
  }

  #path(token: string): string {
    return join(this.#folder, partName(token));
  }
}

/** A new part gets a key of its own; one that was begun has its own wrapped at its beginning. */
async function cipherFor(token: string, file: FileHandle, mark: PartOffset, key: ProfileKey): Promise<PartCipher> {
  const label = `upload ${token}`;
  if (mark.storedBytes === 0) return PartCipher.create(key, label);
  const cipher = await PartCipher.open(key, label, readingAt(file));
  if (!cipher) throw new PartCorrupted(`the part of upload ${token} is not under the key of its table`);
  return cipher;
}

const readingAt =
  (file: FileHandle): ReadAt =>
  (position, length) =>
    readUpTo(file, position, length);

async function* plainPieces(file: FileHandle, { storedBytes }: PartOffset, token: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < storedBytes; at += READ_BYTES) {
    const length = Math.min(READ_BYTES, storedBytes - at);
    const piece = await readUpTo(file, at, length);
    if (piece.length < length) throw new PartCorrupted(`the part of upload ${token} has lost bytes that were durable`);
    yield piece;
  }
}

function* piecesOf(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += READ_BYTES) yield chunk.subarray(at, at + READ_BYTES);
}

export class PartWriter implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #cipher: PartCipher | undefined;
  #written: PartOffset;

  private constructor(file: FileHandle, mark: PartOffset, cipher: PartCipher | undefined) {
    this.#file = file;
    this.#written = mark;
    this.#cipher = cipher;
  }

  static async from(file: FileHandle, mark: PartOffset, cipher: PartCipher | undefined): Promise<PartWriter> {
    const isNew = cipher !== undefined && mark.storedBytes === 0;
    const writer = new PartWriter(file, mark, cipher);
    if (isNew) await writer.#write(cipher.header, mark.offset);
    return writer;
  }

  /** Bytes as the client counts them, durable or not. */
  get offset(): number {
    return this.#written.offset;
  }

  async append(chunks: readonly Buffer[]): Promise<void> {
    const [only] = chunks;
    const bytes = only && chunks.length === 1 ? only : Buffer.concat(chunks);
    const { offset } = this.#written;
    await this.#write(this.#cipher ? await this.#cipher.chunk(bytes, { offset }) : bytes, offset + bytes.length);
    if (bytes !== only) releaseBytes(bytes);
  }

  /** Writes what makes the client's bytes `offset`. */
  async #write(bytes: Buffer, offset: number): Promise<void> {
    const { storedBytes } = this.#written;
    try {
      await writeWhole(this.#file, bytes, storedBytes);
    } catch (cause) {
      throw worded(cause);
    }
    this.#written = { offset, storedBytes: storedBytes + bytes.length };
  }

  /** Resolves when everything appended so far survives a power loss. */
  async flush(): Promise<PartOffset> {
    const mark = this.#written;
    try {
      await this.#file.datasync();
    } catch (cause) {
      throw worded(cause);
    }
    return mark;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}

const worded = (cause: unknown): unknown =>
  isOutOfSpace(cause) ? new NoSpace('no space left for an upload', { cause }) : cause;
