// Rotated files that were compressed before they were read to their end. The content is decompressed to a file without a name,
// at the offsets that it had in the original, so that reading goes on where it stopped.

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { writeWhole } from '#files/whole.ts';
import { MAX_HEAD_BYTES } from './head.ts';

/** By the end of the name; files of other programs cannot be decompressed here. */
const DECOMPRESSORS: Readonly<Record<string, () => Duplex>> = { '.gz': createGunzip, '.zst': createZstdDecompress };
/** A rotated log of more bytes is taken for a mistake. */
const MAX_BYTES = 16 * 2 ** 30;

const endingOf = (path: string): string | undefined => Object.keys(DECOMPRESSORS).find((end) => path.endsWith(end));

export const isUnpackable = (path: string): boolean => endingOf(path) !== undefined;

/** The first bytes of the content; undefined where it cannot be decompressed, for example because it is not complete yet. */
export async function unpackedHead(file: FileHandle, path: string): Promise<Buffer | undefined> {
  let head = Buffer.alloc(0);
  const isReadable = await forEachChunk(file, path, (chunk) => {
    head = Buffer.concat([head, chunk]).subarray(0, MAX_HEAD_BYTES);
    return head.length < MAX_HEAD_BYTES;
  });
  return isReadable ? head : undefined;
}

/** The content, of which the bytes before `from` are missing but for the head. Undefined where it cannot be decompressed. */
export async function unpack(file: FileHandle, path: string, from: number): Promise<FileHandle | undefined> {
  const target = await namelessFile();
  try {
    const isReadable = await forEachChunk(file, path, async (chunk, at) => {
      const head = chunk.subarray(0, Math.max(0, MAX_HEAD_BYTES - at));
      const rest = Math.max(0, from - at);
      await writeWhole(target, head, at);
      await writeWhole(target, chunk.subarray(rest), at + rest);
      return at + chunk.length <= MAX_BYTES;
    });
    if (isReadable) return target;
  } catch (error) {
    await target.close();
    throw error;
  }
  await target.close();
  return undefined;
}

/** Gone when it is closed, also by a crash. */
async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-unpacked-'));
  try {
    return await open(join(folder, 'content'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Calls `take` with each chunk and its offset until it returns false. Resolves to false for what is no such compressed file. */
async function forEachChunk(
  file: FileHandle,
  path: string,
  take: (chunk: Buffer, at: number) => boolean | Promise<boolean>,
): Promise<boolean> {
  const decompressor = DECOMPRESSORS[endingOf(path) ?? '']?.();
  if (!decompressor) return false;
  // A failure reaches the loop below.
  pipeline(file.createReadStream({ start: 0, autoClose: false }), decompressor).catch(() => undefined);
  let at = 0;
  try {
    for await (const chunk of decompressor) {
      if (!(await take(chunk, at))) break;
      at += chunk.length;
    }
    return true;
  } catch (error) {
    if (isWrongContent(error)) return false;
    throw error;
  }
}

const isWrongContent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ZSTD_)/.test(String(error.code));
