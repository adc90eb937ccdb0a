// The paths of file drivers that a text names, looked up once for its planning.

import type { MissingLoader } from '#queries/check/plan-until-known.ts';
import type { ImportPaths } from '#query/values/import-paths.ts';
import type { ImportFolders } from './import-folders.ts';

export class CheckedPaths implements ImportPaths, MissingLoader {
  readonly #folders: ImportFolders;
  readonly #known = new Map<string, boolean>();
  readonly #requested = new Set<string>();

  constructor(folders: ImportFolders) {
    this.#folders = folders;
  }

  /** A path that is not looked up yet counts as inside. */
  isInside(path: string): boolean {
    const known = this.#known.get(path);
    if (known === undefined) this.#requested.add(path);
    return known ?? true;
  }

  async loadMissing(): Promise<boolean> {
    const requested = [...this.#requested];
    this.#requested.clear();
    for (const path of requested) this.#known.set(path, await this.#folders.isInside(path));
    return requested.length > 0;
  }
}
