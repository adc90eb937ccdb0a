// Names survive a power loss only once the folder they stand in has been flushed. What runs in a unit of the store may
// await nothing but the store, so each comes in a form that blocks, too.

import { closeSync, fsyncSync as fsyncDescriptorSync, mkdirSync, openSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Folders of the service are for its own user alone. */
const MAKING = { recursive: true, mode: 0o700 } as const;

/** What the file or folder of this name holds survives a power loss. */
export async function fsync(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

export function fsyncSync(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncDescriptorSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** The folder exists, and will after a power loss. */
export async function makeFolder(path: string): Promise<void> {
  const whole = resolve(path);
  const first = await mkdir(whole, MAKING);
  for (const folder of foldersWithNewNames(whole, first)) await fsync(folder);
}

export function makeFolderSync(path: string): void {
  const whole = resolve(path);
  const first = mkdirSync(whole, MAKING);
  for (const folder of foldersWithNewNames(whole, first)) fsyncSync(folder);
}

/** From the inside out. `first` is the outermost folder that was made on the way to `path`, if any was. */
function* foldersWithNewNames(path: string, first: string | undefined): Generator<string> {
  if (first === undefined) return;
  const outermost = dirname(first);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    yield folder;
    if (folder === outermost) return;
  }
}
