// The files that a logger is to follow, as they are right now. Links are followed, and what they lead to must lie in a folder
// that may be collected from.

import { constants } from 'node:fs';
import { access, type FileHandle, glob, open, opendir, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CollectorError } from '#collectors/collector.ts';
import type { FileConfigs } from '#collectors/configs.ts';
import { type CollectFolders, isInside } from '#collectors/folders.ts';
import { isOutOfDescriptors } from '#files/descriptors.ts';
import { mapLimit } from './map-limit.ts';

/** A file by its name, and by what stays when that changes. */
export interface ListedFile {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  readonly sizeBytes: number;
  /** When it was made, as far as the file system knows: copies are younger than what they were made of. */
  readonly createdAt: number;
  /** Changes with the file. */
  readonly stamp: string;
}

export const identityOf = ({ device, inode }: Pick<ListedFile, 'device' | 'inode'>): string => `${device}:${inode}`;

/** Rotated files that were packed hold what was read before. */
const COMPRESSED = /\.(gz|bz2|xz|zst|zip|lz4|Z)$/;

export async function listFiles({ path, pattern }: FileConfigs, folders: CollectFolders): Promise<ListedFile[]> {
  const isFolder = pattern !== undefined || (await isDirectory(path));
  const folder = isFolder ? path : dirname(path);
  await access(folder, constants.R_OK | constants.X_OK).catch((cause) => {
    throw new CollectorError(`folder is not readable: ${folder}`, { cause });
  });
  const isAllowed = await folders.currentCheck();
  const paths = isFolder ? await matching(folder, pattern ?? '*') : [path];
  // Without a descriptor no name is found, and nobody says so.
  if (isFolder) await (await opendir(folder)).close();
  return (await statAll(paths, isAllowed)).sort((a, b) => a.createdAt - b.createdAt);
}

/** All files beside a path: where a rotated one may have gone. */
export async function siblingsOf(path: string, folders: CollectFolders): Promise<ListedFile[]> {
  const folder = dirname(path);
  const isAllowed = await folders.currentCheck();
  const names = await readdir(folder).catch((error) => {
    if (isOutOfDescriptors(error)) throw error;
    return [];
  });
  const paths = names.filter((name) => !COMPRESSED.test(name)).map((name) => join(folder, name));
  return await statAll(paths, isAllowed);
}

/** A file that has several names is there once. */
async function statAll(paths: readonly string[], isAllowed: (path: string) => boolean): Promise<ListedFile[]> {
  const found = await mapLimit(paths, (one) => statFile(one, isAllowed));
  const files = new Map<string, ListedFile>();
  for (const one of found) if (one && !files.has(identityOf(one))) files.set(identityOf(one), one);
  return [...files.values()];
}

async function matching(folder: string, pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const name of glob(pattern, { cwd: folder }))
    if (!COMPRESSED.test(name)) paths.push(resolve(folder, name));
  // Whatever a pattern says, it is a pattern of names below the folder.
  return paths.filter((path) => isInside(path, resolve(folder))).sort();
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** Undefined for what is no file, is gone, or lies elsewhere. */
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
      stamp: `${size} ${mtimeNs} ${ctimeNs}`,
    };
  } catch {
    return undefined;
  }
}

/** What the name of a copy begins with: `app.log` becomes `app.log.1`, `app.log-20240301` or `app-20240301.log`. */
export function stemOf(path: string): string {
  const [stem = ''] = basename(path).split('.');
  return stem;
}

/** Whether a file may be a copy of the other, by its name. */
export const isNamedAfter = (copy: string, original: string): boolean =>
  dirname(copy) === dirname(original) && basename(copy).startsWith(stemOf(original));

/** Undefined when the file is not that one any more. Whoever swaps a folder for a link meanwhile gains nothing. */
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
  const real = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => found.path);
  const isAllowed = await folders.currentCheck();
  // A file that was renamed or removed since has another path there, in the same folder.
  return isSame && isAllowed(dirname(real));
}
