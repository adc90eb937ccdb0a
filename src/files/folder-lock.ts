// The lock of a data folder, and of a single file. It exists apart from the metadata database, because two processes on one folder
// lose records whatever database they use.

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UsageError } from '#kernel/usage-error.ts';

export interface FolderLock extends Disposable {
  readonly folder: string;
}

/** Makes the folder where there is none. Throws a UsageError while another process holds the lock. */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFile(join(folder, 'lock.db'), new UsageError('data-folder-in-use', { folder }));
  return { folder, ...lock };
}

/** Locks by a file, which is made where there is none. Throws `refusal` while another process holds the lock. */
export function lockFile(file: string, refusal: UsageError): Disposable {
  // SQLite would give a new one, and the journal beside it, the mode of the umask.
  closeSync(openSync(file, 'a', 0o600));
  // An exclusive SQLite lock: unlike a pid file it goes with the process, however that ends.
  const lock = new DatabaseSync(file);
  try {
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive');
  } catch (cause) {
    lock.close();
    throw Object.assign(refusal, { cause });
  }
  return { [Symbol.dispose]: () => lock.close() };
}
