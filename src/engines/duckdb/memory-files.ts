// Files in memory without a name: nobody else can open them, they are on no disk, and they are gone with the process,
// however it ends. DuckDB reaches them through their descriptor.

import { constants, statfsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { memoryFolderRefused } from '#contract/errors.ts';

/** What statfs calls tmpfs and ramfs. */
const IN_MEMORY = [0x01021994, 0x858458f6];

/** Linux makes such a file without a name from the start; Node has no word for it. */
export const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

export interface MemoryFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** Reads and writes the file as long as it is not disposed of. */
  readonly path: string;
}

/** Refuses a folder that is not there, or whose files would end up on a disk. */
export function requireInMemory(folder: string): void {
  if (!IN_MEMORY.includes(typeOf(folder))) throw memoryFolderRefused();
}

export async function makeMemoryFile(folder: string): Promise<MemoryFile> {
  requireInMemory(folder);
  const handle = await open(folder, O_TMPFILE | constants.O_RDWR, 0o600);
  return {
    handle,
    path: `/proc/self/fd/${handle.fd}`,
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

function typeOf(folder: string): number {
  try {
    return statfsSync(folder).type;
  } catch {
    return 0;
  }
}
