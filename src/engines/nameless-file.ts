// Files without a name: nobody else can open them, and they go with the process, however it ends.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { O_TMPFILE } from './duckdb/memory-files.ts';

/** Where the file system cannot make one, it has a name for a moment, which begins with `prefix`. */
export async function namelessFile(folder: string, prefix: string): Promise<FileHandle> {
  if (process.platform === 'linux') {
    const file = await open(folder, O_TMPFILE | constants.O_RDWR, 0o600).catch(() => undefined);
    if (file) return file;
  }
  const path = join(folder, `${prefix}${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}
