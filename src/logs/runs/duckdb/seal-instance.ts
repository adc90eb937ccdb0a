// The DuckDB instance on which files of records become segments. It has one thread, that of the statement: where there are others,
// a statement whose tasks they have polls for more of them, and that took a quarter of the processor time of DuckDB under
// pushes. Statements of several tables run beside each other.

import { join } from 'node:path';
import { isExhausted } from './exhausted.ts';
import { type Instance, openInstance } from './instance.ts';

/** Records that come out of order are sorted, on disk where they do not fit. */
const MEMORY_BYTES = 512 * 2 ** 20;

interface SealLimits {
  readonly memoryBytes?: number;
  /** Of what is spilled. */
  readonly diskBytes: number;
}

export class SealInstance {
  readonly #spillFolder: string;
  readonly #limits: SealLimits;
  #opened: Promise<Instance> | undefined;

  constructor(spillFolder: string, limits: SealLimits) {
    this.#spillFolder = spillFolder;
    this.#limits = limits;
  }

  /** Statements that it has no memory for run on `other`. */
  async orElse(other: Instance): Promise<Instance> {
    const own = await this.#open();
    return {
      ...other,
      run: (sql, values) =>
        own.run(sql, values).catch((error: unknown) => {
          if (!isExhausted(error)) throw error;
          return other.run(sql, values);
        }),
    };
  }

  /** Opened when it is first asked for. */
  #open(): Promise<Instance> {
    const spillFolder = join(this.#spillFolder, 'seals');
    const { memoryBytes = MEMORY_BYTES, diskBytes } = this.#limits;
    this.#opened ??= openInstance({ spillFolder, memoryBytes, diskBytes, threads: 1 }).catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** Running statements fail. */
  async interrupt(): Promise<void> {
    (await this.#opened)?.interrupt();
  }

  async close(): Promise<void> {
    await (await this.#opened)?.end();
  }
}
