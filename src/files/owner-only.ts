// Modes of files and folders. What the service makes is for its own user alone: files 0600, folders 0700.

import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { yieldToEventLoop } from '#runtime/event-loop.ts';

const GROUP_AND_OTHERS = 0o077;
const OWNER = 0o700;
const STICKY = 0o1000;

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
 * users share, such as /tmp. Other work has its turn between the folders.
 */
export async function narrowModes(folder: string): Promise<Narrowed> {
  const narrowed = { files: 0, folders: 0, refused: 0 };
  const top = lstatSync(folder);
  if ((top.mode & STICKY) !== 0) return narrowed;
  narrow(folder, top, narrowed);
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    open.push(...narrowEntries(next, narrowed));
    await yieldToEventLoop();
  }
  return narrowed;
}

type Count = { -readonly [K in keyof Narrowed]: Narrowed[K] };

/** Gives the folders in the folder. Blocking calls, because a call that waits costs ten times as much, and a table has many files. */
function narrowEntries(folder: string, count: Count): string[] {
  const folders: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(folder, entry.name);
    narrow(path, lstatSync(path), count);
    if (entry.isDirectory()) folders.push(path);
  }
  return folders;
}

function narrow(path: string, found: Stats, count: Count): void {
  if ((found.mode & GROUP_AND_OTHERS) === 0) return;
  try {
    chmodSync(path, found.mode & OWNER);
    count[found.isDirectory() ? 'folders' : 'files'] += 1;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
    count.refused += 1;
  }
}
