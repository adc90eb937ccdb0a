// The folders that files may be collected from. Paths are compared after all links are resolved, so that neither the
// configuration of a logger nor a link in such a folder gives access to other files.

import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

export class CollectFolders {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Whether a path, existing or not, leads into one of the folders. */
  allows(path: string): boolean {
    if (!isAbsolute(path)) return false;
    const whole = followed(resolve(path));
    return this.#folders.some((folder) => isInside(whole, followed(folder)));
  }

  /** A check for resolved paths against the current folders. */
  async currentCheck(): Promise<(path: string) => boolean> {
    const roots = await Promise.all(this.#folders.map((folder) => realpath(folder).catch(() => undefined)));
    return (path) => roots.some((root) => root !== undefined && isInside(path, root));
  }
}

/** Resolves links of the existing part of the path. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(followed(above), relative(above, path));
  }
}

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
