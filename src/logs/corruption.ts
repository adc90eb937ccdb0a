// Corrupt files: every query that needs one is refused with its name, and the service log has it once.

import { join } from 'node:path';
import { type ApiError, tableCorrupt } from '#contract/errors.ts';

/** A file of a table, or of an upload into it, whose bytes are not the ones that were written. */
export interface FoundCorruption {
  readonly table: string;
  readonly path: string;
  readonly cause: unknown;
}

interface CorruptFile {
  readonly table: string;
  readonly folder: string;
  /** Relative to the folder; the refusal names nothing more. */
  readonly file: string;
  readonly cause?: unknown;
}

export class CorruptionReports {
  readonly #report: (found: FoundCorruption) => void;
  readonly #reported = new Set<string>();

  constructor(report: (found: FoundCorruption) => void) {
    this.#report = report;
  }

  /** The refusal for a corrupt file; the file is reported when it is found for the first time. */
  refusal({ table, folder, file, cause }: CorruptFile): ApiError {
    const path = join(folder, file);
    if (!this.#reported.has(path)) this.#report({ table, path, cause });
    this.#reported.add(path);
    return Object.assign(tableCorrupt(table, file), { cause });
  }
}
