// A cache of decrypted segments, in files in memory. Readers of the same segment share one copy. Copies without readers stay
// for the next reader as far as there is room: the least recently used are evicted first, and idle ones after a while.

import type { NamelessFile } from '#files/nameless.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { makeMemoryFile } from '#logs/runs/duckdb/memory-files.ts';
import { Periodic } from '#runtime/periodic.ts';

const IDLE = Temporal.Duration.from({ minutes: 5 });
const EVICT_PERIOD = Temporal.Duration.from({ minutes: 1 });

export interface Copy extends Disposable {
  readonly path: string;
}

/** Fills a file in memory with the decrypted segment. */
type Fill = (file: NamelessFile) => Promise<void>;

interface Entry {
  readonly bytes: number;
  readonly file: Promise<NamelessFile>;
  readers: number;
  /** Epoch milliseconds. */
  usedAt: number;
}

/** There is no room in memory, even after all copies without readers are evicted. */
export class NoRoom extends Error {}

export class ClearSegments {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #clock: Clock;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  /** Copies of segments that are gone, which still have readers. */
  readonly #forgotten = new Set<Entry>();
  readonly #looking: Disposable;

  constructor({ folder, maxBytes, clock }: { folder: string; maxBytes: number; clock: Clock }) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#clock = clock;
    this.#looking = new Periodic({ clock, period: EVICT_PERIOD, work: () => this.#dropIdle() });
  }

  /** The copy takes at most `bytes`. */
  async borrow(name: string, bytes: number, fill: Fill): Promise<Copy> {
    const entry = this.#entries.get(name) ?? this.#begin(name, bytes, fill);
    entry.readers += 1;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    try {
      const { path } = await entry.file;
      return { path, [Symbol.dispose]: () => this.#leave(entry) };
    } catch (error) {
      this.#leave(entry);
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
      throw error;
    }
  }

  /** The segment is gone; readers of the copy may go on. */
  forget(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    this.#entries.delete(name);
    if (entry.readers === 0) void removed(entry);
    else this.#forgotten.add(entry);
  }

  async close(): Promise<void> {
    this.#looking[Symbol.dispose]();
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map(removed));
  }

  get #bytes(): number {
    const all = [...this.#entries.values(), ...this.#forgotten];
    return all.reduce((total, { bytes }) => total + bytes, 0);
  }

  #begin(name: string, bytes: number, fill: Fill): Entry {
    this.#makeRoom(bytes);
    const entry = { bytes, file: filled(this.#folder, fill), readers: 0, usedAt: 0 };
    this.#entries.set(name, entry);
    return entry;
  }

  #makeRoom(bytes: number): void {
    for (const [name, { readers }] of this.#entries) {
      if (this.#bytes + bytes <= this.#maxBytes) return;
      if (readers === 0) this.forget(name);
    }
    if (this.#bytes + bytes > this.#maxBytes) throw new NoRoom(`${bytes} bytes`);
  }

  #leave(entry: Entry): void {
    entry.readers -= 1;
    entry.usedAt = this.#clock.now().epochMilliseconds;
    if (entry.readers === 0 && this.#forgotten.delete(entry)) void removed(entry);
  }

  #dropIdle(): void {
    const latest = this.#clock.now().subtract(IDLE).epochMilliseconds;
    for (const [name, { readers, usedAt }] of this.#entries) {
      if (readers === 0 && usedAt <= latest) this.forget(name);
    }
  }
}

async function filled(folder: string, fill: Fill): Promise<NamelessFile> {
  const file = await makeMemoryFile(folder).catch(asNoRoom);
  try {
    await fill(file);
    return file;
  } catch (error) {
    await file[Symbol.asyncDispose]();
    return asNoRoom(error);
  }
}

/** One that could not be filled has nothing to remove. */
async function removed({ file }: Entry): Promise<void> {
  const made = await file.catch(() => undefined);
  await made?.[Symbol.asyncDispose]();
}

/** Neither bytes nor open files without end. */
const FULL = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'];

/** Throws NoRoom for an error of a full memory folder, and any other error as it is. */
export function asNoRoom(error: unknown): never {
  const isFull = error instanceof Error && 'code' in error && FULL.includes(String(error.code));
  throw isFull ? new NoRoom('the memory folder is full', { cause: error }) : error;
}
