// Names survive a power loss only once the folder they stand in has been flushed.

import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function flushed(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The folder exists, and will after a power loss. The one it stands in exists already. */
export async function madeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first !== undefined) await flushed(dirname(first));
}
