// Reads and writes of a file take less than they were given now and then; these do not.

import type { FileHandle } from 'node:fs/promises';

/** Fewer bytes than `length` only where the file ends. */
export async function readUpTo(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) return bytes.subarray(0, read);
    read += bytesRead;
  }
  return bytes;
}

export async function readWhole(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = await readUpTo(file, position, length);
  if (bytes.length < length) throw new Error('the file has become shorter');
  return bytes;
}

export async function writeWhole(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
