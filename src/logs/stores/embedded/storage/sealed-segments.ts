// The sealed segments of a table as they are now. Files that are replaced stay until the last reader that may hold them has left.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Alongside } from '#logs/log-store.ts';
import type { CatalogSwitch, Segment } from './catalog.ts';
import { Readers } from './readers.ts';
import type { TableDeps } from './table.ts';

type SealedSegmentsDeps = Pick<TableDeps, 'folder' | 'storage' | 'switchCatalog'>;

export class SealedSegments {
  readonly #deps: SealedSegmentsDeps;
  readonly #readers = new Readers();
  #all: readonly Segment[];

  constructor(deps: SealedSegmentsDeps, all: readonly Segment[]) {
    this.#deps = deps;
    this.#all = all;
  }

  get all(): readonly Segment[] {
    return this.#all;
  }

  /** Segments that there are now stay readable until it is disposed of. */
  hold(): Disposable {
    return this.#readers.enter();
  }

  /** Calls `remove` when all present readers have left. */
  whenUnread(remove: () => void): void {
    this.#readers.whenGone(remove);
  }

  /** The catalog has them already. */
  add(segments: readonly Segment[]): void {
    this.#all = [...this.#all, ...segments];
  }

  /**
   * Switches the catalog, together with what `alongside` writes. False where the table or a segment that is to be removed is
   * gone, with nothing changed.
   */
  async replace(change: CatalogSwitch, alongside?: Alongside): Promise<boolean> {
    const known = new Set(this.#all);
    if (!change.removed.every((segment) => known.has(segment))) return false;
    if (!(await this.#deps.switchCatalog(change, alongside))) return false;
    const gone = new Set(change.removed);
    this.#all = [...this.#all.filter((segment) => !gone.has(segment)), ...change.added];
    this.#readers.whenGone(() => {
      for (const segment of change.removed) this.#remove(segment);
    });
    return true;
  }

  #remove({ file }: Segment): void {
    const { storage, folder } = this.#deps;
    storage.forget(file);
    void rm(join(folder, file), { force: true });
  }
}
