// A whole file under a key: a header with the file's data key, then pieces of a fixed size, each with its tag. The
// number of a piece and whether it is the last one are its nonce, the header is authenticated with each, so cut,
// swapped, repeated and foreign pieces are found. Pieces are independent: several are worked on at once.
//
//   header  "VIGIL-E1", length of the wrapped key (2 bytes), wrapped key
//   piece   ciphertext of 1 MiB (the last one: what is left), tag

import type { FileHandle } from 'node:fs/promises';
import { readWhole, writeWhole } from '#files/whole.ts';
import { NONCE_BYTES, TAG_BYTES } from './box.ts';
import { type DataKey, decrypted, encrypted } from './gcm.ts';
import type { ProfileKey } from './profile-key.ts';

const MAGIC = Buffer.from('VIGIL-E1');
const PIECE_BYTES = 1024 * 1024;
const AT_ONCE = 4;

/** The file is not what was written under this key and label. */
export class Tampered extends Error {}

/** `label` says which file it is; it is needed to read it. Resolves to the length of the encrypted file. */
export async function encryptFile(from: FileHandle, to: FileHandle, key: ProfileKey, label: string): Promise<number> {
  const { key: dataKey, wrapped } = key.newDataKey(label);
  const header = headerOf(wrapped);
  const { size } = await from.stat();
  const pieces = Math.max(1, Math.ceil(size / PIECE_BYTES));
  await writeWhole(to, header, 0);
  await inLanes(pieces, async (number) => {
    const length = Math.min(PIECE_BYTES, size - number * PIECE_BYTES);
    const content = await readWhole(from, number * PIECE_BYTES, length);
    const piece = await encrypted(dataKey, nonceOf(number, number === pieces - 1), content, header);
    await writeWhole(to, piece, header.length + number * (PIECE_BYTES + TAG_BYTES));
  });
  return header.length + size + pieces * TAG_BYTES;
}

/** Throws Tampered when a single bit is another one. */
export async function decryptFile(from: FileHandle, to: FileHandle, key: ProfileKey, label: string): Promise<void> {
  const { size } = await from.stat();
  const { header, dataKey } = await headerIn(from, size, key, label);
  const pieces = Math.ceil((size - header.length) / (PIECE_BYTES + TAG_BYTES));
  if (pieces === 0) throw new Tampered('nothing follows the header');
  await inLanes(pieces, async (number) => {
    const at = header.length + number * (PIECE_BYTES + TAG_BYTES);
    const piece = await readWhole(from, at, Math.min(PIECE_BYTES + TAG_BYTES, size - at));
    const content = await decrypted(dataKey, nonceOf(number, number === pieces - 1), piece, header);
    if (!content) throw new Tampered(`piece ${number + 1} of ${pieces}`);
    await writeWhole(to, content, number * PIECE_BYTES);
  });
}

async function headerIn(file: FileHandle, size: number, key: ProfileKey, label: string) {
  const length = MAGIC.length + 2 + key.wrappedBytes;
  if (size < length) throw new Tampered('the header is cut off');
  const header = await readWhole(file, 0, length);
  const wrapped = header.subarray(MAGIC.length + 2);
  const dataKey: DataKey | undefined = header.equals(headerOf(wrapped)) ? key.dataKey(wrapped, label) : undefined;
  if (!dataKey) throw new Tampered('the header');
  return { header, dataKey };
}

function headerOf(wrapped: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(wrapped.length);
  return Buffer.concat([MAGIC, length, wrapped]);
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt8(isLast ? 1 : 0);
  nonce.writeBigUInt64BE(BigInt(number), NONCE_BYTES - 8);
  return nonce;
}

async function inLanes(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  let isBroken = false;
  const lane = async () => {
    while (next < count && !isBroken) {
      const number = next;
      next += 1;
      await work(number);
    }
  };
  const lanes = Array.from({ length: Math.min(AT_ONCE, count) }, () =>
    lane().catch((error) => {
      isBroken = true;
      throw error;
    }),
  );
  // All of them: a lane that still writes must not find its file closed.
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
}
