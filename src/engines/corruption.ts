// Files that are not what was written: named to whoever needs them, every time, and to the service log once.

import { join } from 'node:path';
import { type ApiError, tableCorrupt } from '#contract/errors.ts';

/** A file of a table, or of an upload into it, that is not what was written. */
export interface FoundCorruption {
  readonly table: string;
  /** Where it is. */
  readonly path: string;
  readonly cause: unknown;
}

interface CorruptFile {
  readonly table: string;
  readonly folder: string;
  /** In the folder; all that the answer says. */
  readonly file: string;
  readonly cause?: unknown;
}

export class CorruptionReports {
  readonly #tell: (found: FoundCorruption) => void;
  readonly #told = new Set<string>();

  constructor(tell: (found: FoundCorruption) => void) {
    this.#tell = tell;
  }

  /** The answer for a corrupt file, which is told of when it is new. */
  refusal({ table, folder, file, cause }: CorruptFile): ApiError {
    const path = join(folder, file);
    if (!this.#told.has(path)) this.#tell({ table, path, cause });
    this.#told.add(path);
    return Object.assign(tableCorrupt(table, file), { cause });
  }
}
