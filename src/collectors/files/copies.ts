// Whether a file of which nothing was read is a copy of another one, still growing. Looked at anew for every look, after
// the sizes of all files were.

import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readUpTo } from '#files/whole.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import type { Followed } from './followed.ts';
import { isHeadOf, readHead } from './head.ts';
import { stemOf } from './listing.ts';

/** A file as it is right now. */
interface Peek {
  readonly beginning: Buffer;
  readonly sizeBytes: number;
  /** Since it was looked at: the next look tells what was copied from it. */
  readonly isEmptied: boolean;
}

export type Opening = <T>(file: Followed, work: (handle: FileHandle) => Promise<T>) => Promise<T | undefined>;

/** Many files begin alike for long, so the last bytes of a copy must be in the other, too. */
const END_BYTES = 1024;
/** After so many comparisons others get their turn. */
const TURN_COMPARISONS = 1000;

export class Copies {
  readonly #open: Opening;
  readonly #byStem: ReadonlyMap<string, Followed[]>;
  readonly #peeks = new Map<Followed, Peek | undefined>();
  #comparisons = 0;

  constructor(files: Iterable<Followed>, open: Opening) {
    this.#open = open;
    this.#byStem = Map.groupBy(files, ({ path }) => `${dirname(path)}/${stemOf(path)}`);
  }

  async has(file: Followed): Promise<boolean> {
    if (!file.isUnread || file.sizeBytes === 0) return false;
    const own = await this.#peek(file);
    if (!own) return false;
    for (const other of this.#originalsOf(file)) {
      const peek = await this.#peek(other);
      if (peek?.isEmptied) return true;
      if (peek && file.sizeBytes <= peek.sizeBytes && isAlike(own, peek) && (await this.#endsIn(other, file)))
        return true;
      this.#comparisons += 1;
      if (this.#comparisons % TURN_COMPARISONS === 0) await eventLoop.nextSlot();
    }
    return false;
  }

  /** What it may be a copy of, by its name. */
  *#originalsOf(file: Followed): Iterable<Followed> {
    const name = basename(file.path);
    for (let length = 0; length <= name.length; length += 1) {
      for (const other of this.#byStem.get(`${dirname(file.path)}/${name.slice(0, length)}`) ?? []) {
        // What is written in the place of a file that was renamed is no copy of it.
        if (other.path !== file.path && (!other.isUnread || other.id < file.id)) yield other;
      }
    }
  }

  async #peek(file: Followed): Promise<Peek | undefined> {
    if (this.#peeks.has(file)) return this.#peeks.get(file);
    const peek = await this.#open(file, (handle) => peekInto(handle, file));
    this.#peeks.set(file, peek);
    return peek;
  }

  /** Whether the last bytes of `file` are at the same place in the other, or that was emptied. */
  async #endsIn(other: Followed, file: Followed): Promise<boolean> {
    const from = Math.max(0, file.sizeBytes - END_BYTES);
    const endOf = (handle: FileHandle) => readUpTo(handle, from, file.sizeBytes - from);
    const end = await this.#open(file, endOf);
    const isSo = await this.#open(other, async (handle) => {
      // Before the rest is looked at, which tells whether it was emptied.
      const isThere = end?.equals(await endOf(handle));
      return isThere || (await peekInto(handle, other)).isEmptied;
    });
    return isSo === true;
  }
}

async function peekInto(handle: FileHandle, { readUpTo: least, head }: Followed): Promise<Peek> {
  const beginning = await readHead(handle);
  const { size } = await handle.stat();
  return { beginning, sizeBytes: size, isEmptied: size < least || !isHeadOf(head, beginning) };
}

function isAlike(one: Peek, other: Peek): boolean {
  const length = Math.min(one.beginning.length, other.beginning.length);
  return one.beginning.subarray(0, length).equals(other.beginning.subarray(0, length));
}
