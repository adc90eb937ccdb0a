// A file under a key that grows at its end, for bytes that arrive bit by bit. Each chunk is written whole behind the
// last one that counts; what a crash tore there is overwritten, so a chunk has a random nonce, never one that an
// earlier try may have used. A chunk is authenticated with the offset of its first byte: none can be missing, moved
// or repeated.
//
//   file    "VIGIL-P1", wrapped key, chunks
//   chunk   length of its content (4 bytes), nonce, ciphertext, tag

import { randomBytes } from 'node:crypto';
import { NONCE_BYTES, TAG_BYTES } from './box.ts';
import { type DataKey, decrypted, encrypted } from './gcm.ts';
import type { ProfileKey } from './profile-key.ts';

const MAGIC = Buffer.from('VIGIL-P1');
const LENGTH_BYTES = 4;
const MAX_CHUNK_BYTES = 64 * 1024 * 1024;

/** Durable bytes: as the client counts them, and as the file holds them. */
export interface Extent {
  readonly offset: number;
  readonly storedBytes: number;
}

/** Reads `length` bytes of the file from `position`; fewer only where the file ends. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

/** The file is not what was written under this key and label. */
export class PartCorrupted extends Error {}

export class PartCipher {
  /** What the file begins with. */
  readonly header: Buffer;
  readonly #key: DataKey;

  private constructor(header: Buffer, key: DataKey) {
    this.header = header;
    this.#key = key;
  }

  /** For a new file. `label` says which one; it is needed to read it. */
  static create(profile: ProfileKey, label: string): PartCipher {
    const { key, wrapped } = profile.newDataKey(label);
    return new PartCipher(Buffer.concat([MAGIC, wrapped]), key);
  }

  /** For a file that exists; undefined when its header is not whole. */
  static async open(profile: ProfileKey, label: string, read: ReadAt): Promise<PartCipher | undefined> {
    const header = await read(0, MAGIC.length + profile.wrappedBytes);
    if (!header.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
    const key = profile.dataKey(header.subarray(MAGIC.length), label);
    return key && new PartCipher(header, key);
  }

  /** Where the first chunk begins. */
  get beginning(): Extent {
    return { offset: 0, storedBytes: this.header.length };
  }

  /** A chunk to be written at `storedBytes`, holding the bytes from `offset`. */
  async chunk(content: Buffer, { offset }: Pick<Extent, 'offset'>): Promise<Buffer> {
    const head = headOf(content.length);
    const nonce = randomBytes(NONCE_BYTES);
    const body = await encrypted(this.#key, nonce, content, this.#label(offset, head));
    return Buffer.concat([head, nonce, body]);
  }

  /** The chunk at `at`; undefined when there is no whole one. */
  async chunkAt(read: ReadAt, at: Extent): Promise<{ content: Buffer; end: Extent } | undefined> {
    const head = await read(at.storedBytes, LENGTH_BYTES);
    const length = head.length === LENGTH_BYTES ? head.readUInt32BE() : Number.POSITIVE_INFINITY;
    if (length > MAX_CHUNK_BYTES) return undefined;
    const rest = await read(at.storedBytes + LENGTH_BYTES, NONCE_BYTES + length + TAG_BYTES);
    const nonce = rest.subarray(0, NONCE_BYTES);
    const body = rest.subarray(NONCE_BYTES);
    if (body.length !== length + TAG_BYTES) return undefined;
    const content = await decrypted(this.#key, nonce, body, this.#label(at.offset, head));
    const storedBytes = at.storedBytes + LENGTH_BYTES + rest.length;
    return content && { content, end: { offset: at.offset + length, storedBytes } };
  }

  /** The content from the beginning up to `end`. Throws PartCorrupted when it is not all there. */
  async *read(read: ReadAt, end: Extent): AsyncGenerator<Buffer> {
    for (let at = this.beginning; at.storedBytes !== end.storedBytes; ) {
      const chunk = await this.chunkAt(read, at);
      if (!chunk || chunk.end.storedBytes > end.storedBytes) throw new PartCorrupted(`at byte ${at.storedBytes}`);
      yield chunk.content;
      at = chunk.end;
    }
  }

  /** How far the whole chunks reach: whatever stands behind is torn. */
  async extent(read: ReadAt): Promise<Extent> {
    let at = this.beginning;
    for (let chunk = await this.chunkAt(read, at); chunk; chunk = await this.chunkAt(read, at)) at = chunk.end;
    return at;
  }

  #label(offset: number, head: Buffer): Buffer {
    const nonce = Buffer.alloc(8);
    nonce.writeBigUInt64BE(BigInt(offset));
    return Buffer.concat([this.header, nonce, head]);
  }
}

/** A chunk holds at most 64 MiB. */
function headOf(length: number): Buffer {
  if (length > MAX_CHUNK_BYTES) throw new RangeError(`a chunk of ${length} bytes`);
  const head = Buffer.alloc(LENGTH_BYTES);
  head.writeUInt32BE(length);
  return head;
}
