// The head of a file, a fingerprint of its first bytes. It detects a truncated and rewritten file, and a new file with the
// inode of a removed one.

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

export interface Head {
  readonly bytes: number;
  readonly hash: string;
}

export const MAX_HEAD_BYTES = 1024;

export const NO_HEAD: Head = { bytes: 0, hash: hashOf(Buffer.alloc(0)) };

/** Reads the bytes of a head in one call: the file may be truncated between two calls. */
export async function readHead(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

export const headOf = (beginning: Buffer): Head => ({ bytes: beginning.length, hash: hashOf(beginning) });

export const isHeadOf = ({ bytes, hash }: Head, beginning: Buffer): boolean =>
  beginning.length >= bytes && hashOf(beginning.subarray(0, bytes)) === hash;

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
