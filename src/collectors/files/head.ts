// Fingerprints of a file, of its first bytes and of the last ones that were read. They detect a truncated and rewritten file, and
// a new file with the inode of a removed one; files that are rewritten may share a long beginning.

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readUpTo } from '#files/whole.ts';

export interface Head {
  readonly bytes: number;
  readonly hash: string;
}

export const MAX_HEAD_BYTES = 1024;
const MAX_TAIL_BYTES = 1024;

export const NO_HEAD: Head = { bytes: 0, hash: hashOf(Buffer.alloc(0)) };

/** Reads the bytes of a head in one call: the file may be truncated between two calls. */
export async function readHead(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

export const headOf = (beginning: Buffer): Head => ({ bytes: beginning.length, hash: hashOf(beginning) });

export const isHeadOf = ({ bytes, hash }: Head, beginning: Buffer): boolean =>
  beginning.length >= bytes && hashOf(beginning.subarray(0, bytes)) === hash;

/** The last bytes before an offset, as text: offset, number of bytes and hash. */
export async function tailBefore(file: FileHandle, end: number): Promise<string> {
  const bytes = await readUpTo(file, Math.max(0, end - MAX_TAIL_BYTES), Math.min(end, MAX_TAIL_BYTES));
  return `${end} ${bytes.length} ${hashOf(bytes)}`;
}

/** True if the file ends before the offset: its size shows that. */
export async function isTailIn(tail: string, file: FileHandle, sizeBytes: number): Promise<boolean> {
  const [end = 0, bytes = 0] = tail.split(' ', 2).map(Number);
  if (sizeBytes < end) return true;
  return tail === `${end} ${bytes} ${hashOf(await readUpTo(file, end - bytes, bytes))}`;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
