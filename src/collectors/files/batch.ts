// A batch of lines of several files that are stored together: each batch costs one flush to the disk.

import type { FollowedFile } from './followed-file.ts';
import type { FileLine, MarkedStep } from './lines.ts';
import type { ReadUpTo } from './rows.ts';

const BATCH_BYTES = 1024 * 1024;
/** Each file has an offset in the journal and a row in the metadata store. */
const BATCH_FILES = 256;

export class FileBatch {
  readonly #ends = new Map<FollowedFile, ReadUpTo>();
  readonly #lines: FileLine[] = [];
  #bytes = 0;

  get isFull(): boolean {
    return this.#bytes >= BATCH_BYTES || this.#ends.size >= BATCH_FILES;
  }

  get lines(): readonly FileLine[] {
    return this.#lines;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get ends(): readonly ReadUpTo[] {
    return [...this.#ends.values()];
  }

  /** Offset at which reading of a file continues. */
  endOf(file: FollowedFile): number {
    return this.#ends.get(file)?.end ?? file.position;
  }

  add(file: FollowedFile, { lines, end, tail }: MarkedStep): void {
    this.#bytes += end - this.endOf(file);
    this.#ends.set(file, { file, end, tail });
    for (const line of lines) this.#lines.push(line);
  }
}
