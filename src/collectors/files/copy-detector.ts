// Detects unread files that are growing copies of other files. Created for every scan, after the sizes of all files are known.

import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readUpTo } from '#files/whole.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { FollowedFile } from './followed-file.ts';
import { isHeadOf, readHead } from './head.ts';
import { stemOf } from './listing.ts';

/** The current state of a file. */
interface FileSample {
  readonly beginning: Buffer;
  readonly sizeBytes: number;
  /** Whether it was truncated since the scan; the next scan finds its copy. */
  readonly isTruncated: boolean;
}

type OpenFile = <T>(file: FollowedFile, work: (handle: FileHandle) => Promise<T>) => Promise<T | undefined>;

/** Many files share a long beginning, so the last bytes of a copy must match, too. */
const END_BYTES = 1024;
const COMPARISONS_PER_YIELD = 1000;

export class CopyDetector {
  readonly #open: OpenFile;
  readonly #byStem: ReadonlyMap<string, FollowedFile[]>;
  readonly #samples = new Map<FollowedFile, FileSample | undefined>();
  #comparisons = 0;

  constructor(files: Iterable<FollowedFile>, open: OpenFile) {
    this.#open = open;
    this.#byStem = Map.groupBy(files, ({ path }) => `${dirname(path)}/${stemOf(path)}`);
  }

  async isCopy(file: FollowedFile): Promise<boolean> {
    if (!file.isUnread || file.sizeBytes === 0) return false;
    const own = await this.#sample(file);
    if (!own) return false;
    for (const other of this.#originalsOf(file)) {
      const peek = await this.#sample(other);
      if (peek?.isTruncated) return true;
      if (peek && file.sizeBytes <= peek.sizeBytes && isAlike(own, peek) && (await this.#endsIn(other, file)))
        return true;
      this.#comparisons += 1;
      if (this.#comparisons % COMPARISONS_PER_YIELD === 0) await eventLoop.nextSlot();
    }
    return false;
  }

  /** Files that it may be a copy of, by name. */
  *#originalsOf(file: FollowedFile): Iterable<FollowedFile> {
    const name = basename(file.path);
    for (let length = 0; length <= name.length; length += 1) {
      for (const other of this.#byStem.get(`${dirname(file.path)}/${name.slice(0, length)}`) ?? []) {
        // A file that replaces a renamed file is not its copy.
        if (other.path !== file.path && (!other.isUnread || other.id < file.id)) yield other;
      }
    }
  }

  async #sample(file: FollowedFile): Promise<FileSample | undefined> {
    if (this.#samples.has(file)) return this.#samples.get(file);
    const peek = await this.#open(file, (handle) => sampleFile(handle, file));
    this.#samples.set(file, peek);
    return peek;
  }

  /** Whether the last bytes of `file` are at the same offset in the other, or the other was truncated. */
  async #endsIn(other: FollowedFile, file: FollowedFile): Promise<boolean> {
    const from = Math.max(0, file.sizeBytes - END_BYTES);
    const endOf = (handle: FileHandle) => readUpTo(handle, from, file.sizeBytes - from);
    const end = await this.#open(file, endOf);
    const isSo = await this.#open(other, async (handle) => {
      // Read before the check for truncation.
      const isThere = end?.equals(await endOf(handle));
      return isThere || (await sampleFile(handle, other)).isTruncated;
    });
    return isSo === true;
  }
}

async function sampleFile(handle: FileHandle, { readUpTo: least, head }: FollowedFile): Promise<FileSample> {
  const beginning = await readHead(handle);
  const { size } = await handle.stat();
  return { beginning, sizeBytes: size, isTruncated: size < least || !isHeadOf(head, beginning) };
}

function isAlike(one: FileSample, other: FileSample): boolean {
  const length = Math.min(one.beginning.length, other.beginning.length);
  return one.beginning.subarray(0, length).equals(other.beginning.subarray(0, length));
}
