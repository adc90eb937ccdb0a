// The folder that file sinks write to. Nothing outside is written, links included. A file gets its name only when complete;
// until then it lies in a folder that only the service may read.

import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { makeFolder } from '#files/durable.ts';
import { newGuid } from '#kernel/guid.ts';
import { type ExportPaths, staysInside, UNFINISHED } from '#query/values/export-paths.ts';
import { SerialByKey } from '#runtime/serial.ts';

export type ExportTarget =
  | { readonly state: 'outside' }
  /** `taken` by a plain file, which can be added to or replaced; `blocked` by anything else. */
  | { readonly state: 'taken' | 'blocked'; readonly path: string }
  | { readonly state: 'free'; readonly path: string };

/** A path that complete files are about to take, and how many of them. */
interface PathReservation {
  readonly replaces: boolean;
  files: number;
}

/** Removes unfinished files of a former process. */
export async function openExportFolder(folder: string): Promise<ExportFolder> {
  const unfinished = join(folder, UNFINISHED);
  for (const name of await readdir(unfinished).catch(() => [])) await rm(join(unfinished, name), { recursive: true });
  return new ExportFolder(folder);
}

export class ExportFolder implements ExportPaths {
  readonly #folder: string;
  readonly folder: string;
  /** The last publication of each path: publications of the same path run one after another. */
  readonly #publications = new SerialByKey<string>();
  readonly #reserved = new Map<string, PathReservation>();

  constructor(folder: string) {
    this.#folder = folder;
    this.folder = resolve(folder);
  }

  look(path: string): ExportTarget['state'] {
    return this.target(path).state;
  }

  /** The target of a path, links followed. */
  target(path: string): ExportTarget {
    try {
      return staysInside(path) ? this.#resolve(path.split('/')) : { state: 'outside' };
    } catch {
      // A path that cannot be resolved counts as outside.
      return { state: 'outside' };
    }
  }

  /** A path for a temporary file on the same disk. */
  async newTemporaryPath(): Promise<string> {
    const folder = join(this.#folder, UNFINISHED);
    await makeFolder(this.#folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, newGuid());
  }

  async makeParentFolders(path: string): Promise<void> {
    await makeFolder(dirname(path));
  }

  /**
   * Undefined where another file has reserved the path, unless both files replace what is there. Disposal releases the path.
   */
  reserve(path: string, { replaces }: { replaces: boolean }): Disposable | undefined {
    const known = this.#reserved.get(path);
    if (known && !(known.replaces && replaces)) return undefined;
    const reservation = known ?? { replaces, files: 0 };
    reservation.files += 1;
    this.#reserved.set(path, reservation);
    return { [Symbol.dispose]: () => this.#release(path, reservation) };
  }

  /** Runs `work` while no other publication of the path runs. */
  exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
    return this.#publications.run(path, work);
  }

  #release(path: string, reservation: PathReservation): void {
    reservation.files -= 1;
    if (reservation.files === 0) this.#reserved.delete(path);
  }

  #resolve(steps: readonly string[]): ExportTarget {
    const isThere = statSync(this.#folder, { throwIfNoEntry: false });
    const root = isThere ? realpathSync(this.#folder) : this.#folder;
    let at = root;
    for (const [index, step] of steps.entries()) {
      at = join(at, step);
      const found = lstatSync(at, { throwIfNoEntry: false });
      if (!found) return { state: 'free', path: join(at, ...steps.slice(index + 1)) };
      if (found.isSymbolicLink()) at = realpathSync(at);
      if (!at.startsWith(`${root}${sep}`)) return { state: 'outside' };
      const isLast = index === steps.length - 1;
      const kind: Stats = statSync(at);
      if (isLast || !kind.isDirectory()) {
        return { state: isLast && kind.isFile() ? 'taken' : 'blocked', path: at };
      }
    }
    return { state: 'outside' };
  }
}
