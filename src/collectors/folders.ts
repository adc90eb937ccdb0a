// The folders that files may be collected from. A path is inside when it is once all links are followed: nobody who may
// only configure loggers, or only write into such a folder, gets at anything else.

import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

export class CollectFolders {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Whether a path, which need not exist yet, leads into one of the folders. */
  allows(path: string): boolean {
    if (!isAbsolute(path)) return false;
    const whole = followed(resolve(path));
    return this.#folders.some((folder) => isInside(whole, followed(folder)));
  }

  /** Whether paths without links are inside, as the folders are now. */
  async currentCheck(): Promise<(path: string) => boolean> {
    const roots = await Promise.all(this.#folders.map((folder) => realpath(folder).catch(() => undefined)));
    return (path) => roots.some((root) => root !== undefined && isInside(path, root));
  }
}

/** Links followed, as far as the path exists. */
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
