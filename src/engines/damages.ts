// Files that are not what was written: named to whoever needs them, every time, and to the service log once.

import { join } from 'node:path';
import { type Refusal, tableDamaged } from '#contract/errors.ts';

/** A file of a table, or of an upload into it, that is not what was written. */
export interface FoundDamage {
  readonly table: string;
  /** Where it is. */
  readonly path: string;
  readonly cause: unknown;
}

export interface DamagedFile {
  readonly table: string;
  readonly folder: string;
  /** In the folder; all that the answer says. */
  readonly file: string;
  readonly cause?: unknown;
}

export class Damages {
  readonly #tell: (found: FoundDamage) => void;
  readonly #told = new Set<string>();

  constructor(tell: (found: FoundDamage) => void) {
    this.#tell = tell;
  }

  /** The answer for a damaged file, which is told of when it is new. */
  refusal({ table, folder, file, cause }: DamagedFile): Refusal {
    const path = join(folder, file);
    if (!this.#told.has(path)) this.#tell({ table, path, cause });
    this.#told.add(path);
    return Object.assign(tableDamaged(table, file), { cause });
  }
}
