// Lists the files that match the configuration of a logger. Links are followed, and their targets must lie in an allowed
// folder.

import { constants } from 'node:fs';
import { access, type FileHandle, glob, open, opendir, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CollectorError } from '#collectors/collector.ts';
import type { FileConfigs } from '#collectors/configs/configs.ts';
import { type CollectFolders, isInside } from '#collectors/configs/folders.ts';
import { isOutOfDescriptors } from '#files/descriptors.ts';
import { mapLimit } from '#runtime/slots.ts';
import { isUnpackable } from './unpacked-file.ts';

/** Other requests need the file system, too. */
export const MAX_FILES_AT_ONCE = 32;

/** A listed file: its path, and its identity, which survives a rename. */
export interface ListedFile {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  readonly sizeBytes: number;
  /** Creation time, where the file system has it: a copy is younger than its original. */
  readonly createdAt: number;
  /** When its content or its name has changed. */
  readonly changedAt: number;
  /** Changes with the file. */
  readonly stamp: string;
}

export const identityOf = ({ device, inode }: Pick<ListedFile, 'device' | 'inode'>): string => `${device}:${inode}`;

/** Compressed files are rotated files: only what was not read before is read from them, see unpacked-file.ts. */
const COMPRESSED = /\.(gz|bz2|xz|zst|zip|lz4|Z)$/;

export async function listFiles({ path, pattern }: FileConfigs, folders: CollectFolders): Promise<ListedFile[]> {
  const isFolder = pattern !== undefined || (await isDirectory(path));
  const folder = isFolder ? path : dirname(path);
  await access(folder, constants.R_OK | constants.X_OK).catch((cause) => {
    throw new CollectorError(`folder is not readable: ${folder}`, { cause });
  });
  const isAllowed = await folders.currentCheck();
  const paths = isFolder ? await matching(folder, pattern ?? '*') : [path];
  // `glob` finds nothing, without an error, when the process is out of descriptors.
  if (isFolder) await (await opendir(folder)).close();
  return (await statAll(paths, isAllowed)).sort((a, b) => a.createdAt - b.createdAt);
}

/** All files in the folder of a path that are not compressed: a rotated file may be among them. */
export const siblingsOf = (path: string, folders: CollectFolders): Promise<ListedFile[]> =>
  listBeside(path, folders, (name) => !COMPRESSED.test(name));

/** Compressed files that may be of an original, by their names, the most recently made first. */
export async function compressedCopiesOf(path: string, folders: CollectFolders): Promise<ListedFile[]> {
  const isMeant = (name: string) => isUnpackable(name) && isNamedAfter(join(dirname(path), name), path);
  return (await listBeside(path, folders, isMeant)).sort((a, b) => b.changedAt - a.changedAt);
}

async function listBeside(
  path: string,
  folders: CollectFolders,
  isMeant: (name: string) => boolean,
): Promise<ListedFile[]> {
  const folder = dirname(path);
  const isAllowed = await folders.currentCheck();
  const names = await readdir(folder).catch((error) => {
    if (isOutOfDescriptors(error)) throw error;
    return [];
  });
  const paths = names.filter(isMeant).map((name) => join(folder, name));
  return await statAll(paths, isAllowed);
}

/** Each file once, even with several names. */
async function statAll(paths: readonly string[], isAllowed: (path: string) => boolean): Promise<ListedFile[]> {
  const found = await mapLimit(paths, MAX_FILES_AT_ONCE, (one) => statFile(one, isAllowed));
  const files = new Map<string, ListedFile>();
  for (const one of found) if (one && !files.has(identityOf(one))) files.set(identityOf(one), one);
  return [...files.values()];
}

async function matching(folder: string, pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const name of glob(pattern, { cwd: folder }))
    if (!COMPRESSED.test(name)) paths.push(resolve(folder, name));
  // No pattern may match a path outside of the folder.
  return paths.filter((path) => isInside(path, resolve(folder))).sort();
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** Undefined for a path that is not a file, does not exist, or is not allowed. */
async function statFile(path: string, isAllowed: (path: string) => boolean): Promise<ListedFile | undefined> {
  try {
    const real = await realpath(path);
    if (!isAllowed(real)) return undefined;
    const found = await stat(real, { bigint: true });
    if (!found.isFile()) return undefined;
    const { dev, ino, size, birthtimeNs, mtimeNs, ctimeNs } = found;
    return {
      path: real,
      device: String(dev),
      inode: String(ino),
      sizeBytes: Number(size),
      createdAt: Number(birthtimeNs),
      changedAt: Number(ctimeNs),
      stamp: `${size} ${mtimeNs} ${ctimeNs}`,
    };
  } catch {
    return undefined;
  }
}

/** Prefix of the names of copies: `app.log` becomes `app.log.1`, `app.log-20240301` or `app-20240301.log`. */
export function stemOf(path: string): string {
  const [stem = ''] = basename(path).split('.');
  return stem;
}

/** Whether a file may be a copy of the other, by its name. */
export const isNamedAfter = (copy: string, original: string): boolean =>
  dirname(copy) === dirname(original) && basename(copy).startsWith(stemOf(original));

/** Undefined when the path leads to another file by now. Safe against a folder that is swapped for a link meanwhile. */
export async function openListed(found: ListedFile, folders: CollectFolders): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(found.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const isMeant = await isAllowedFile(handle, found, folders).catch(() => false);
  if (isMeant) return handle;
  await handle.close();
  return undefined;
}

async function isAllowedFile(handle: FileHandle, found: ListedFile, folders: CollectFolders): Promise<boolean> {
  const { dev, ino } = await handle.stat({ bigint: true });
  const isSame = identityOf({ device: String(dev), inode: String(ino) }) === identityOf(found);
  const real = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(found.path));
  const isAllowed = await folders.currentCheck();
  // A renamed or removed file has another path there, in the same folder.
  return isSame && isAllowed(dirname(real));
}
