// The rows of a cursor, in an unlinked file that disappears with the process. Rows are lines, written in blocks; the
// positions of blocks are kept in memory, so a page is read without the rows before it. Rows of encrypted tables are
// encrypted under a key that only this process holds.

import { createSecretKey, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { makeNamelessFile } from '#files/nameless.ts';
import { NoSpace } from '#logs/log-store.ts';
import type { RowText } from '#logs/run.ts';
import { freeBytesForQueries } from '#queries/limits/free-space.ts';
import type { ResultReservation } from '#queries/limits/result-quota.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { NONCE_BYTES } from '#vault/box.ts';
import { type DataKey, dataKeyOf, decrypted, encrypted } from '#vault/gcm.ts';

/** Bounds of a block: a page of a few rows should not read megabytes. */
const BLOCK_ROWS = 1000;
const BLOCK_CHARACTERS = 256 * 1024;

/** Free disk space is checked after every so many written bytes. */
const SPACE_CHECK_BYTES = 4 * 1024 * 1024;

const LABEL = Buffer.from('rows of a query');

interface Block {
  readonly firstRow: number;
  readonly position: number;
  readonly bytes: number;
}

export class ResultFile {
  readonly #folder: string;
  readonly #file: FileHandle;
  readonly #key: DataKey | undefined;
  readonly #reservation: ResultReservation;
  readonly #blocks: Block[] = [];
  #rows = 0;
  #bytes = 0;
  /** Size at which free space is checked next. */
  #nextSpaceCheck = 0;
  /** Number of running reads and writes. */
  #users = 0;
  #isReleased = false;

  private constructor(
    folder: string,
    file: FileHandle,
    { key, reservation }: { key: DataKey | undefined; reservation: ResultReservation },
  ) {
    this.#folder = folder;
    this.#file = file;
    this.#key = key;
    this.#reservation = reservation;
  }

  /** Whether the rows come from an encrypted table. */
  get isSecret(): boolean {
    return this.#key !== undefined;
  }

  /** `reservation` is released with the file. */
  static async open(
    folder: string,
    { isSecret, reservation }: { isSecret: boolean; reservation: ResultReservation },
  ): Promise<ResultFile> {
    const key = isSecret ? dataKeyOf(createSecretKey(randomBytes(32))) : undefined;
    const { handle } = await makeNamelessFile(folder).catch(throwNoSpace);
    return new ResultFile(folder, handle, { key, reservation });
  }

  /** Number of readable rows. */
  get rows(): number {
    return this.#rows;
  }

  /** One call at a time. Rows are readable when it resolves. */
  async append(rows: readonly RowText[]): Promise<void> {
    using _ = this.#inUse();
    for (const lines of blocksOf(rows)) {
      const bytes = await this.#encode(Buffer.from(lines.join('\n')));
      this.#reservation.reserve(bytes.length);
      await this.#requireSpace(bytes.length);
      await this.#write(bytes);
      this.#blocks.push({ firstRow: this.#rows, position: this.#bytes, bytes: bytes.length });
      this.#bytes += bytes.length;
      this.#rows += lines.length;
    }
  }

  /** Rows available now, from `offset`, at most `limit`. */
  async *read(offset: number, limit: number): AsyncGenerator<readonly RowText[]> {
    using _ = this.#inUse();
    const end = Math.min(this.#rows, offset + limit);
    for (let row = offset; row < end; ) {
      const index = this.#blockOf(row);
      const { firstRow, lines } = await this.#block(index);
      const wanted = lines.slice(row - firstRow, end - firstRow);
      row += wanted.length;
      yield wanted;
    }
  }

  /** Releases the space once the last read or write has ended. */
  async release(): Promise<void> {
    this.#isReleased = true;
    if (this.#users === 0) await this.#close();
  }

  async #close(): Promise<void> {
    await this.#file.close();
    this.#reservation[Symbol.dispose]();
  }

  #inUse(): Disposable {
    this.#users += 1;
    return {
      [Symbol.dispose]: () => {
        this.#users -= 1;
        if (this.#users === 0 && this.#isReleased) void this.#close();
      },
    };
  }

  async #requireSpace(bytes: number): Promise<void> {
    if (this.#bytes + bytes < this.#nextSpaceCheck) return;
    const spare = await freeBytesForQueries(this.#folder);
    if (spare < bytes) throw new NoSpace('little space left for the rows of a query');
    this.#nextSpaceCheck = this.#bytes + Math.min(SPACE_CHECK_BYTES, spare / 2);
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const at = this.#bytes + written;
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, at).catch(throwNoSpace);
      written += bytesWritten;
    }
  }

  /** The last block that begins at or before the row. */
  #blockOf(row: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#blocks[middle]?.firstRow ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async #block(index: number): Promise<{ firstRow: number; lines: RowText[] }> {
    const block = this.#blocks[index];
    if (!block) throw new Error(`there is no block ${index}`);
    const stored = Buffer.allocUnsafe(block.bytes);
    const { bytesRead } = await this.#file.read(stored, 0, block.bytes, block.position);
    const bytes = bytesRead === block.bytes ? await this.#decode(stored, index) : undefined;
    if (!bytes) throw new Error('the rows of a query are not what was written');
    return { firstRow: block.firstRow, lines: bytes.toString().split('\n') };
  }

  async #encode(bytes: Buffer): Promise<Buffer> {
    return this.#key ? await encrypted(this.#key, nonceOf(this.#blocks.length), bytes, LABEL) : bytes;
  }

  async #decode(bytes: Buffer, index: number): Promise<Buffer | undefined> {
    return this.#key ? await decrypted(this.#key, nonceOf(index), bytes, LABEL) : bytes;
  }
}

/** Unique: a key encrypts one file, and each block has its own number. */
function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(index, NONCE_BYTES - 4);
  return nonce;
}

function* blocksOf(rows: readonly RowText[]): Generator<readonly RowText[]> {
  let from = 0;
  let characters = 0;
  for (const [index, row] of rows.entries()) {
    characters += row.length;
    if (index + 1 - from < BLOCK_ROWS && characters < BLOCK_CHARACTERS) continue;
    yield rows.slice(from, index + 1);
    from = index + 1;
    characters = 0;
  }
  if (from < rows.length) yield rows.slice(from);
}

function throwNoSpace(cause: unknown): never {
  throw isOutOfSpace(cause) ? new NoSpace('no space left for the rows of a query', { cause }) : cause;
}
