// The identity of a data folder: a GUID in a file of it. A folder keeps it wherever it is moved to and however its machine is
// called.

import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGuid, newGuid } from '#kernel/guid.ts';
import { fsyncSync } from './durable.ts';

interface FolderIdentity {
  readonly guid: string;
  /** The inode of the file. A copy of the folder has the same GUID, but another inode. */
  readonly inode: string;
}

/** Makes the file at first use; the caller holds the lock of the folder. */
export function identifyFolder(folder: string): FolderIdentity {
  const file = join(folder, 'folder-id');
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const guid = isGuid(known) ? known : newGuid();
  if (guid !== known) {
    // Renamed when it is whole: a half-written identity would be replaced by another one at the next start.
    writeFileSync(`${file}.new`, `${guid}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
    fsyncSync(folder);
  }
  return { guid, inode: String(statSync(file, { bigint: true }).ino) };
}
