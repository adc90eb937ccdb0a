// Files in memory: they are on no disk. DuckDB reaches them through their descriptor, because they have no name.

import { statfsSync } from 'node:fs';
import { memoryFolderRefused } from '#contract/errors.ts';
import { makeNamelessFile, type NamelessFile } from '#files/nameless.ts';

/** The filesystem types tmpfs and ramfs, as statfs gives them. */
const IN_MEMORY = [0x01021994, 0x858458f6];

/** Refuses a folder that is not there, or whose files would end up on a disk. */
export function requireInMemory(folder: string): void {
  if (!IN_MEMORY.includes(typeOf(folder))) throw memoryFolderRefused();
}

export async function makeMemoryFile(folder: string): Promise<NamelessFile> {
  requireInMemory(folder);
  return await makeNamelessFile(folder);
}

function typeOf(folder: string): number {
  try {
    return statfsSync(folder).type;
  } catch {
    return 0;
  }
}
