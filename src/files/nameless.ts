// Files without a name: no other process can open them, and they are gone with the process, however it ends.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Linux makes such a file without a name from the start; Node has no constant for it. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** Errors of filesystems and kernels without support for it. */
const UNABLE = ['ENOTSUP', 'EOPNOTSUPP', 'EISDIR'];

export interface NamelessFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** Reads and writes the file, as long as it is not disposed of. */
  readonly path: string;
}

/** Takes its room from the filesystem of `folder`. */
export async function makeNamelessFile(folder: string, platform = process.platform): Promise<NamelessFile> {
  if (platform !== 'linux') return await makeUnlinkedFile(folder, platform);
  try {
    return nameless(await open(folder, O_TMPFILE | constants.O_RDWR, 0o600), platform);
  } catch (error) {
    const isUnable = error instanceof Error && 'code' in error && UNABLE.includes(String(error.code));
    if (!isUnable) throw error;
    return await makeUnlinkedFile(folder, platform);
  }
}

/** The same everywhere, at the price of a name for a moment, in which the file is empty. */
export async function makeUnlinkedFile(folder: string, platform = process.platform): Promise<NamelessFile> {
  const path = join(folder, `vigil-nameless-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    return nameless(handle, platform);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** macOS has no /proc, and names its descriptors in /dev as Linux does, too. */
const nameless = (handle: FileHandle, platform: NodeJS.Platform): NamelessFile => ({
  handle,
  path: `${platform === 'linux' ? '/proc/self/fd' : '/dev/fd'}/${handle.fd}`,
  [Symbol.asyncDispose]: () => handle.close(),
});
