// Modes of files and folders. What the service makes is for its own user alone: files 0600, folders 0700.

import type { Dirent, Stats } from 'node:fs';
import { chmod, lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const GROUP_AND_OTHERS = 0o077;
const STICKY = 0o1000;
const ENTRIES_AT_ONCE = 64;

/** Whatever the process makes from now on, through SQLite and DuckDB too, is for its own user alone. */
export function makeOwnerOnly(): void {
  // The mask belongs to the process; Node lets the main thread alone change it.
  if (isMainThread) process.umask(GROUP_AND_OTHERS);
}

export interface Narrowed {
  readonly files: number;
  readonly folders: number;
  /** Those of other owners, which this process may not change. */
  readonly refused: number;
}

/**
 * Takes the rights of group and others from a folder and everything in it. Links are left alone, and so is a folder that all
 * users share, such as /tmp.
 */
export async function narrowModes(folder: string): Promise<Narrowed> {
  const narrowed = { files: 0, folders: 0, refused: 0 };
  const top = await lstat(folder);
  if ((top.mode & STICKY) !== 0) return narrowed;
  await narrow(folder, top, narrowed);
  await narrowEntries(folder, narrowed);
  return narrowed;
}

type Count = { -readonly [K in keyof Narrowed]: Narrowed[K] };

async function narrowEntries(folder: string, count: Count): Promise<void> {
  let batch: Promise<void>[] = [];
  for await (const entry of await opendir(folder).catch(ifGone(emptyFolder))) {
    batch.push(narrowEntry(join(folder, entry.name), entry, count));
    if (batch.length < ENTRIES_AT_ONCE) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
}

async function* emptyFolder(): AsyncGenerator<Dirent> {}

async function narrowEntry(path: string, entry: Dirent, count: Count): Promise<void> {
  const found = await lstat(path).catch(ifGone(() => undefined));
  if (!found || found.isSymbolicLink()) return;
  await narrow(path, found, count);
  if (entry.isDirectory()) await narrowEntries(path, count);
}

async function narrow(path: string, found: Stats, count: Count): Promise<void> {
  if ((found.mode & GROUP_AND_OTHERS) === 0) return;
  try {
    await chmod(path, found.mode & 0o700);
    count[found.isDirectory() ? 'folders' : 'files'] += 1;
  } catch (error) {
    if (codeOf(error) === 'EPERM') count.refused += 1;
    else ifGone(() => undefined)(error);
  }
}

/** Files come and go while a service starts. */
const ifGone =
  <T>(otherwise: () => T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return otherwise();
    throw error;
  };

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
