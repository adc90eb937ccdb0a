// The folders that file drivers read. A path is checked when a query is planned, and again for the file that was opened: what
// is read is the file whose real path was compared, even where links change in between.

import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { isOutOfDescriptors } from '#files/descriptors.ts';
import { fitsPattern } from '#query/values/import-paths.ts';
import { compareText } from '#query/values/order-text.ts';

/** A path that cannot be read, with the code of its error. */
export class ImportFailure extends Error {
  readonly code: 10800 | 10801 | 10803;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(code: ImportFailure['code'], values: ImportFailure['values'], options?: ErrorOptions) {
    super(`import failure ${code}`, options);
    this.code = code;
    this.values = values;
  }
}

export const noFile = (path: string, options?: ErrorOptions): ImportFailure =>
  new ImportFailure(10801, { name: path }, options);

const outside = (): ImportFailure => new ImportFailure(10800, {});

/** An opened file. Disposal closes it. */
export interface ImportFile extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly size: number;
}

/** Files of one path with a star; more point to an error in the pattern. */
const MAX_FILES = 100_000;
const PATH_BYTES = 4096;
/** Their files look plain and are none. */
const SPECIAL_FOLDERS = ['/proc', '/sys', '/dev'];

export class ImportFolders {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Whether a path stays inside, links followed as far as its steps exist. Where no folder has it, all of them count. */
  async isInside(path: string): Promise<boolean> {
    const candidates = this.#candidates(path).map((one) => (hasStar(one) ? dirname(one) : one));
    const roots = await this.#roots();
    for (const candidate of candidates) {
      if (await attempt(lstat(candidate))) return await staysBelow(candidate, roots);
    }
    const found = await Promise.all(candidates.map((candidate) => staysBelow(candidate, roots)));
    return found.length > 0 && found.every((isBelowRoot) => isBelowRoot);
  }

  /** The files that a path names, as found: all those that fit, in the order of their names. */
  async find(path: string): Promise<readonly string[]> {
    for (const candidate of this.#candidates(path)) {
      const found = hasStar(candidate) ? await this.#matches(candidate) : await this.#single(candidate);
      if (found.length > 0) return found;
    }
    throw (await this.isInside(path)) ? noFile(path) : outside();
  }

  async open(path: string): Promise<ImportFile> {
    await this.#requireInside(path);
    const handle = await openPlain(path);
    try {
      const about = await handle.stat();
      const real = await realPathOf(handle, path, about);
      if (!about.isFile() || isSpecial(real)) throw noFile(path);
      if (!isBelow(real, await this.#roots())) throw outside();
      return { handle, size: about.size, [Symbol.asyncDispose]: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw readFailure(error, path);
    }
  }

  async #single(path: string): Promise<string[]> {
    const about = await attempt(stat(path));
    if (!about && !(await attempt(lstat(path)))) return [];
    await this.#requireInside(path);
    return [path];
  }

  async #matches(pattern: string): Promise<string[]> {
    const folder = dirname(pattern);
    if (!(await attempt(stat(folder)))?.isDirectory()) return [];
    await this.#requireInside(folder);
    const found: string[] = [];
    for await (const entry of await opendir(folder)) {
      if (!fitsPattern(entry.name, basename(pattern))) continue;
      const path = join(folder, entry.name);
      const isFile = entry.isFile() || (entry.isSymbolicLink() && (await attempt(stat(path)))?.isFile());
      if (!isFile) continue;
      if (entry.isSymbolicLink()) await this.#requireInside(path);
      found.push(path);
      if (found.length > MAX_FILES) throw new ImportFailure(10803, { n: found.length, max: MAX_FILES });
    }
    return found.sort(compareText);
  }

  /** A link that leads nowhere may lead out tomorrow. */
  async #requireInside(path: string): Promise<void> {
    if (!(await staysBelow(path, await this.#roots()))) throw outside();
  }

  /** Absolute paths without `..`, in the order in which they are tried; none for a path that leaves the folders. */
  #candidates(path: string): readonly string[] {
    if (path === '' || path.includes('\0') || Buffer.byteLength(path) > PATH_BYTES) return [];
    if (isAbsolute(path)) return isBelow(resolve(path), this.#folders) ? [resolve(path)] : [];
    const steps = normalize(path);
    if (steps === '.' || steps === '..' || steps.startsWith(`..${sep}`)) return [];
    return this.#folders.map((folder) => join(folder, steps));
  }

  async #roots(): Promise<readonly string[]> {
    const roots = await Promise.all(this.#folders.map((folder) => attempt(realpath(folder))));
    return roots.filter((root) => root !== undefined);
  }
}

const hasStar = (path: string): boolean => basename(path).includes('*');

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`) && path !== folder);

const isSpecial = (real: string): boolean => isBelow(real, SPECIAL_FOLDERS);

/** Whether the real path of a file, or of the last step that exists, is one of the folders or below. */
async function staysBelow(path: string, roots: readonly string[]): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    const real = await attempt(realpath(at));
    if (real !== undefined) return roots.includes(real) || isBelow(real, roots);
    // A link whose target is missing.
    if (await attempt(lstat(at))) return false;
    if (at === dirname(at)) return false;
  }
}

/** Does not wait for the other end of a pipe, and takes no terminal. */
async function openPlain(path: string): Promise<FileHandle> {
  try {
    if (!(await stat(path)).isFile()) throw noFile(path);
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    throw readFailure(error, path);
  }
}

/** The path of the opened file itself. Systems without /proc are asked for a path that leads to this file. */
async function realPathOf(handle: FileHandle, path: string, about: Stats): Promise<string> {
  if (process.platform === 'linux') return await readlink(`/proc/self/fd/${handle.fd}`);
  const real = await realpath(path);
  const found = await lstat(real);
  if (found.dev !== about.dev || found.ino !== about.ino) throw outside();
  return real;
}

/** Errors of the file system are those of the file, unless the service itself lacks something. */
export function readFailure(error: unknown, path: string): unknown {
  if (error instanceof ImportFailure || isOutOfDescriptors(error)) return error;
  const isOfSystem = error instanceof Error && 'code' in error && 'syscall' in error;
  return isOfSystem ? noFile(path, { cause: error }) : error;
}

async function attempt<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isOutOfDescriptors(error)) throw error;
    return undefined;
  }
}
