// The files that all loggers of the process have open. Some are kept open, a share of what the process may have; the others
// are opened for a moment when they are needed, a few at a time.

import type { FileHandle } from 'node:fs/promises';
import type { CollectFolders } from '#collectors/folders.ts';
import { descriptorLimit, isOutOfDescriptors } from '#files/descriptors.ts';
import { Semaphore } from '#kernel/semaphore.ts';
import { type Found, openFound } from './listing.ts';

const MAX_KEPT = 1024;
/** Connections, queries and segments need descriptors, too. */
const PART_OF_LIMIT = 8;
const MAX_LENT = 8;

export class OpenFiles {
  readonly #folders: CollectFolders;
  readonly #shares = new Set<OpenShare>();
  #most = 0;
  readonly #permits = new Semaphore(MAX_LENT);

  constructor(folders: CollectFolders) {
    this.#folders = folders;
    this.renew();
  }

  /** For one logger. */
  join(): OpenShare {
    const share: OpenShare = new OpenShare(this, () => void this.#shares.delete(share));
    this.#shares.add(share);
    return share;
  }

  /** Looks at the limit of the process again. */
  renew(): void {
    this.#most = Math.min(MAX_KEPT, Math.floor(descriptorLimit() / PART_OF_LIMIT));
  }

  /** What one logger may keep open, if there is room at all. */
  get mostOfOne(): number {
    return Math.max(1, Math.floor(this.#most / this.#shares.size));
  }

  get hasRoom(): boolean {
    return [...this.#shares].reduce((total, { kept }) => total + kept, 0) < this.#most;
  }

  /**
   * Opens a file for as long as `work` takes, which must not ask for another one. Undefined when it cannot be read or is
   * not that file any more; rejects when the process can open no more files. `work` says whether it closes the file itself.
   */
  async lend<T>(found: Found, work: (handle: FileHandle) => Promise<Lent<T>>): Promise<T | undefined> {
    using _ = await this.#permits.acquire();
    const handle = await openFound(found, this.#folders).catch(unlessOutOfDescriptors);
    return handle && (await this.#work(handle, work));
  }

  async #work<T>(handle: FileHandle, work: (handle: FileHandle) => Promise<Lent<T>>): Promise<T> {
    let isTaken = false;
    try {
      const lent = await work(handle);
      isTaken = lent.isTaken;
      return lent.value;
    } finally {
      if (!isTaken) await handle.close();
    }
  }
}

interface Lent<T> {
  readonly value: T;
  /** The file stays open. */
  readonly isTaken: boolean;
}

/** What one logger keeps open. */
export class OpenShare {
  readonly #files: OpenFiles;
  readonly #left: () => void;
  readonly #kept = new Set<FileHandle>();

  constructor(files: OpenFiles, left: () => void) {
    this.#files = files;
    this.#left = left;
  }

  get kept(): number {
    return this.#kept.size;
  }

  get hasRoom(): boolean {
    return this.#kept.size < this.#files.mostOfOne && this.#files.hasRoom;
  }

  /** Others have come since it was filled. */
  get isTooLarge(): boolean {
    return this.#kept.size > this.#files.mostOfOne;
  }

  renew(): void {
    this.#files.renew();
  }

  /** As `lend`; `keeps` is asked after the work, and takes the file when it says so. */
  async open<T>(
    found: Found,
    work: (handle: FileHandle) => Promise<T>,
    keeps: (handle: FileHandle) => Promise<boolean> = async () => false,
  ): Promise<T | undefined> {
    return await this.#files.lend(found, async (handle) => {
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

  leave(): void {
    this.#left();
  }
}

function unlessOutOfDescriptors(error: unknown): undefined {
  if (isOutOfDescriptors(error)) throw error;
}
