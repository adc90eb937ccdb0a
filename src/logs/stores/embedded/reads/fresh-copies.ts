// Copies of the fresh records of a table, as Parquet files that go with a run: for runs on another instance than theirs.

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import { makeMemoryFile } from '#logs/runs/duckdb/memory-files.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import { asNoRoom } from '#logs/stores/embedded/protection/decrypted-segments.ts';
import type { HotRows } from '#logs/stores/embedded/storage/snapshot.ts';

interface FreshCopy extends AsyncDisposable {
  readonly path: string;
}

/** Makes the file of a copy. */
type NewCopy = () => Promise<FreshCopy>;

/** For copies that are read beside encrypted records. */
export const inMemory =
  (folder: string): NewCopy =>
  async () =>
    await makeMemoryFile(folder).catch(asNoRoom);

export const inFolder =
  (folder: string): NewCopy =>
  async () => {
    const path = join(folder, `fresh-${randomUUID()}.parquet`);
    return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
  };

export class FreshCopies implements AsyncDisposable {
  readonly #copies = new Map<HotRows, FreshCopy>();

  async make(hotTables: readonly HotRows[], instance: Instance, newCopy: NewCopy): Promise<void> {
    for (const hot of hotTables) {
      const copy = await newCopy();
      this.#copies.set(hot, copy);
      await instance.run(`copy ${hot.name} to ${quotedText(copy.path)} (format parquet, use_tmp_file false)`);
    }
  }

  /** The copy for a FROM, or the hot table itself without one. */
  sourceOf(hot: HotRows): string {
    const copy = this.#copies.get(hot);
    return copy ? `read_parquet(${quotedText(copy.path)})` : hot.name;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const copy of this.#copies.values()) await copy[Symbol.asyncDispose]();
  }
}
