// Open files of all loggers. Each logger keeps a share of the descriptor limit open; other files are opened briefly, a bounded
// number at a time.

import type { FileHandle } from 'node:fs/promises';
import type { CollectFolders } from '#collectors/configs/folders.ts';
import { descriptorLimit, isOutOfDescriptors } from '#files/descriptors.ts';
import { Slots } from '#runtime/slots.ts';
import { type ListedFile, openListed } from './listing.ts';

const MAX_KEPT = 1024;
/** Share of the descriptor limit; connections, queries and segments need descriptors, too. */
const LIMIT_DIVISOR = 8;
const MAX_BORROWED = 8;

export class OpenFiles {
  readonly #folders: CollectFolders;
  readonly #shares = new Set<OpenShare>();
  #maxOpen = 0;
  readonly #permits = new Slots({ total: MAX_BORROWED });

  constructor(folders: CollectFolders) {
    this.#folders = folders;
    this.refreshLimit();
  }

  /** A share for one logger. */
  newShare(): OpenShare {
    const share: OpenShare = new OpenShare(this, () => void this.#shares.delete(share));
    this.#shares.add(share);
    return share;
  }

  /** Reads the descriptor limit of the process again. */
  refreshLimit(): void {
    this.#maxOpen = Math.min(MAX_KEPT, Math.floor(descriptorLimit() / LIMIT_DIVISOR));
  }

  /** Maximum of open files per logger. */
  get maxPerLogger(): number {
    return Math.max(1, Math.floor(this.#maxOpen / this.#shares.size));
  }

  get hasRoom(): boolean {
    return [...this.#shares].reduce((total, { kept }) => total + kept, 0) < this.#maxOpen;
  }

  /**
   * Opens a file for the time of `work`, which must not borrow another file. Undefined when it cannot be read or is another
   * file by now; rejects when the process is out of descriptors. `isTaken` passes the handle to `work`.
   */
  async borrow<T>(found: ListedFile, work: (handle: FileHandle) => Promise<Borrowed<T>>): Promise<T | undefined> {
    using _ = await this.#permits.acquire();
    const handle = await openListed(found, this.#folders).catch(unlessOutOfDescriptors);
    return handle && (await this.#work(handle, work));
  }

  async #work<T>(handle: FileHandle, work: (handle: FileHandle) => Promise<Borrowed<T>>): Promise<T> {
    let isTaken = false;
    try {
      const borrowed = await work(handle);
      isTaken = borrowed.isTaken;
      return borrowed.value;
    } finally {
      if (!isTaken) await handle.close();
    }
  }
}

interface Borrowed<T> {
  readonly value: T;
  /** Whether the handle stays open. */
  readonly isTaken: boolean;
}

/** The open files of one logger. */
export class OpenShare {
  readonly #files: OpenFiles;
  readonly #onRelease: () => void;
  readonly #kept = new Set<FileHandle>();

  constructor(files: OpenFiles, onRelease: () => void) {
    this.#files = files;
    this.#onRelease = onRelease;
  }

  get kept(): number {
    return this.#kept.size;
  }

  get hasRoom(): boolean {
    return this.#kept.size < this.#files.maxPerLogger && this.#files.hasRoom;
  }

  /** True when further loggers have reduced the share. */
  get isTooLarge(): boolean {
    return this.#kept.size > this.#files.maxPerLogger;
  }

  refreshLimit(): void {
    this.#files.refreshLimit();
  }

  /** As `borrow`; `keeps` is asked after the work, and takes the file when it says so. */
  async open<T>(
    found: ListedFile,
    work: (handle: FileHandle) => Promise<T>,
    keeps: (handle: FileHandle) => Promise<boolean> = async () => false,
  ): Promise<T | undefined> {
    return await this.#files.borrow(found, async (handle) => {
      const value = await work(handle);
      const isTaken = await keeps(handle);
      if (isTaken) this.#kept.add(handle);
      return { value, isTaken };
    });
  }

  async close(handle: FileHandle): Promise<void> {
    this.#kept.delete(handle);
    await handle.close();
  }

  release(): void {
    this.#onRelease();
  }
}

function unlessOutOfDescriptors(error: unknown): undefined {
  if (isOutOfDescriptors(error)) throw error;
}
