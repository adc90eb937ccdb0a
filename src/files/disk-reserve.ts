// Room on the disk of the data folder that is kept back, as a file, for what makes room on a full disk: removals, and a start.
// While it is given away, no logs are taken, which would use it up at once; what is left of it is taken back right after.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#kernel/time/clock.ts';
import { Periodic, Rounds } from '#runtime/periodic.ts';

const FILE = 'disk-reserve';
const MAX_BYTES = 8 * 1024 * 1024;
const SHARE_OF_DISK = 0.05;
/** Less than this share of the reserve is left of a full disk. */
const LOW_SHARE = 0.25;
const BLOCK_BYTES = 64 * 1024;
const PERIOD = Temporal.Duration.from({ seconds: 10 });

interface Room {
  readonly free: number;
  /** Size of the whole reserve. */
  readonly size: number;
}

export class DiskReserve {
  readonly #folder: string;
  readonly #file: string;
  #held = 0;
  /** The start, and removals that are under way: none of their room is taken back. */
  #users = 1;
  readonly #restorations = new Rounds(() => this.#takeBack());
  #isWhole = false;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, FILE);
  }

  /** Gives the reserve of an earlier start away if the disk is full, until `keep` is called: a start writes, too. */
  static async of(folder: string): Promise<DiskReserve> {
    const reserve = new DiskReserve(folder);
    if (!existsSync(folder)) return reserve;
    await reserve.#measure();
    await reserve.#makeRoom();
    return reserve;
  }

  /** Runs a removal, with the room of the reserve on a full disk. */
  async whileRemoving<T>(work: () => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      await this.#restorations.ended();
      await this.#makeRoom();
      return await work();
    } finally {
      this.#users -= 1;
      void this.#restore();
    }
  }

  /** Whether logs may be taken: the whole reserve is kept back, again if need be. */
  async hasRoom(): Promise<boolean> {
    if (!this.#isWhole) await this.#restore();
    return this.#isWhole;
  }

  async isFull(): Promise<boolean> {
    if (!(await this.hasRoom())) return true;
    const { free, size } = await this.#room();
    return free < size * LOW_SHARE;
  }

  /** Ends the start; then looks for room from time to time, also while nothing arrives. */
  async keep(clock: Clock): Promise<{ close(): void }> {
    this.#users -= 1;
    await this.#restore();
    const looking = new Periodic({ clock, period: PERIOD, work: () => void this.hasRoom() });
    return { close: () => looking[Symbol.dispose]() };
  }

  async #room(): Promise<Room> {
    const { bavail, blocks, bsize } = await statfs(this.#folder);
    const size = Math.min(MAX_BYTES, SHARE_OF_DISK * blocks * bsize);
    return { free: bavail * bsize, size: Math.floor(size / BLOCK_BYTES) * BLOCK_BYTES };
  }

  async #makeRoom(): Promise<void> {
    if (this.#held === 0) return;
    const { free, size } = await this.#room();
    if (free >= size * LOW_SHARE) return;
    this.#isWhole = false;
    this.#held = 0;
    await rm(this.#file, { force: true });
  }

  #restore(): Promise<void> {
    // A folder without a disk that can be measured, or that is gone: there is nothing to keep back.
    return this.#restorations.join().catch(() => undefined);
  }

  /** As much as there is. */
  async #takeBack(): Promise<void> {
    if (this.#users > 0) return;
    const { free, size } = await this.#room();
    const missing = Math.min(size - this.#held, Math.floor(free / BLOCK_BYTES) * BLOCK_BYTES);
    if (missing > 0) await appendBlocks(this.#file, missing).catch(() => undefined);
    await this.#measure();
    this.#isWhole = this.#held >= size;
  }

  async #measure(): Promise<void> {
    this.#held = (await stat(this.#file).catch(() => undefined))?.size ?? 0;
    this.#isWhole = false;
  }
}

/** Filesystems that compress would take no room for zeros. */
async function appendBlocks(file: string, bytes: number): Promise<void> {
  const block = randomBytes(BLOCK_BYTES);
  await using handle = await open(file, 'a', 0o600);
  for (let written = 0; written < bytes; written += BLOCK_BYTES) await handle.appendFile(block);
}
