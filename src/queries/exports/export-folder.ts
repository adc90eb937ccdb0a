// The folder that file sinks write to. Nothing outside of it is ever written, whatever links lead there, and a file has its
// name only when it is whole: until then it lies in a folder that only we may look into.

import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { makeFolder } from '#files/durable.ts';
import { newGuid } from '#kernel/guid.ts';
import { type ExportPlaces, staysInside, UNFINISHED } from '#query/values/export-paths.ts';

export type Place =
  | { readonly state: 'outside' }
  /** `taken` by a plain file, which can be added to or replaced; `blocked` by anything else. */
  | { readonly state: 'taken' | 'blocked'; readonly path: string }
  | { readonly state: 'free'; readonly path: string };

/** Removes what a former process has left unfinished. */
export async function openExportFolder(folder: string): Promise<ExportFolder> {
  const unfinished = join(folder, UNFINISHED);
  for (const name of await readdir(unfinished).catch(() => [])) await rm(join(unfinished, name), { recursive: true });
  return new ExportFolder(folder);
}

export class ExportFolder implements ExportPlaces {
  readonly #folder: string;
  /** What is being put in its place; one after the other where it is the same one. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #reserved = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  look(path: string): Place['state'] {
    return this.place(path).state;
  }

  /** Where a path leads to, links followed. */
  place(path: string): Place {
    try {
      return staysInside(path) ? this.#place(path.split('/')) : { state: 'outside' };
    } catch {
      // What cannot be looked at cannot be told to be inside.
      return { state: 'outside' };
    }
  }

  /** A new file without a name of its own yet, in a folder of the same disk. */
  async unfinished(): Promise<string> {
    const folder = join(this.#folder, UNFINISHED);
    await makeFolder(this.#folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, newGuid());
  }

  /** Makes the folders on the way to a path. */
  async makeWay(path: string): Promise<void> {
    await makeFolder(dirname(path));
  }

  /** Undefined where another file is about to take this place, until that is disposed of. */
  reserve(path: string): Disposable | undefined {
    if (this.#reserved.has(path)) return undefined;
    this.#reserved.add(path);
    return { [Symbol.dispose]: () => void this.#reserved.delete(path) };
  }

  /** Nobody else puts something in the same place meanwhile. */
  async inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(path) ?? Promise.resolve();
    const done = before.then(work);
    const settled = done.catch(() => undefined);
    this.#turns.set(path, settled);
    try {
      return await done;
    } finally {
      if (this.#turns.get(path) === settled) this.#turns.delete(path);
    }
  }

  #place(steps: readonly string[]): Place {
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
