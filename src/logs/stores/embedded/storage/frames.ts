// Codecs for the frames of a journal: in clear with a checksum, in clear with a MAC, or encrypted. In every case a frame is
// bound to its place: the label has its journal, its offset and the values of its head.

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { NONCE_BYTES, TAG_BYTES } from '#vault/box.ts';
import { type DataKey, decrypted, encrypted } from '#vault/gcm.ts';
import type { ProfileKey } from '#vault/profile-key.ts';

export interface SealedFrame {
  readonly body: Buffer;
  /** Stands in the frame's head; always of the same length. */
  readonly proof: string;
}

export interface FrameCodec {
  /** The first bytes of the journal. */
  readonly preamble: Buffer;
  /** Of a body, when its content has so many bytes. */
  bodyBytes(contentBytes: number): number;
  readonly proofLength: number;
  seal(content: Buffer, label: string): Promise<SealedFrame>;
  /** Undefined when it was not sealed under this label. */
  open(frame: SealedFrame, label: string): Promise<Buffer | undefined>;
}

/** The codecs of one journal: for a new one, and for one that begins with a preamble. */
export interface Framing {
  readonly preambleBytes: number;
  fresh(): FrameCodec;
  /** Undefined when the preamble is not one of this journal. */
  known(preamble: Buffer): FrameCodec | undefined;
}

const NOTHING = Buffer.alloc(0);

export function plainFraming(): Framing {
  const proofOf = (body: Buffer, label: string) => crc32(body, crc32(label)).toString(16).padStart(8, '0');
  return always(inClear(8, proofOf));
}

export function provenFraming(key: ProfileKey): Framing {
  const proofOf = (body: Buffer, label: string) => key.mac(`frame ${label}`).update(body).digest('hex');
  return always(inClear(64, proofOf));
}

/** `name` says which journal it is. */
export function encryptedFraming(key: ProfileKey, name: string): Framing {
  return {
    preambleBytes: MARK.length + key.wrappedBytes,
    fresh() {
      const { key: dataKey, wrapped } = key.newDataKey(name);
      return encryptedCodec(dataKey, Buffer.concat([MARK, wrapped]));
    },
    known(preamble) {
      if (!preamble.subarray(0, MARK.length).equals(MARK)) return undefined;
      const dataKey = key.dataKey(preamble.subarray(MARK.length), name);
      return dataKey && encryptedCodec(dataKey, preamble);
    },
  };
}

const MARK = Buffer.from('VIGIL-J1');

const always = (codec: FrameCodec): Framing => ({ preambleBytes: 0, fresh: () => codec, known: () => codec });

function inClear(proofLength: number, proofOf: (body: Buffer, label: string) => string): FrameCodec {
  return {
    preamble: NOTHING,
    bodyBytes: (contentBytes) => contentBytes,
    proofLength,
    seal: async (content, label) => ({ body: content, proof: proofOf(content, label) }),
    open: async ({ body, proof }, label) => (proofOf(body, label) === proof ? body : undefined),
  };
}

function encryptedCodec(key: DataKey, preamble: Buffer): FrameCodec {
  return {
    preamble,
    bodyBytes: (contentBytes) => contentBytes + TAG_BYTES,
    // The nonce.
    proofLength: 2 * NONCE_BYTES,
    async seal(content, label) {
      const nonce = randomBytes(NONCE_BYTES);
      // What other threads can write to is not encrypted.
      const own = content.buffer instanceof SharedArrayBuffer ? Buffer.from(content) : content;
      return { body: await encrypted(key, nonce, own, Buffer.from(label)), proof: nonce.toString('hex') };
    },
    open: ({ body, proof }, label) => decrypted(key, Buffer.from(proof, 'hex'), body, Buffer.from(label)),
  };
}
