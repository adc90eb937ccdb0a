// Reads ZIP archives (APPNOTE 6.3.10): the list of entries at the end of the file, plain or of the 64-bit form, and the bytes of
// stored and deflated entries. Nothing that the archive says about sizes is believed before it was read.

import { crc32 } from 'node:zlib';
import { readUpTo } from '#files/whole.ts';
import { fitsPattern } from '#query/values/import-paths.ts';
import { compareText } from '#query/values/order-text.ts';
import { ImportFailure, type ImportFile, noFile } from './import-folders.ts';
import { inflated, type UnpackedBytes } from './unpacking.ts';

export interface ZipEntry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  /** Of its own heading, which stands before its bytes. */
  readonly offset: number;
}

const END = { mark: 0x06054b50, size: 22, maxComment: 0xffff };
const LOCATOR = { mark: 0x07064b50, size: 20 };
const END_64 = { mark: 0x06064b50, size: 56 };
const LISTED = { mark: 0x02014b50, size: 46 };
const HEADING = { mark: 0x04034b50, size: 30 };
const STORED = 0;
const DEFLATED = 8;
/** Stands for a number of the 64-bit form. */
const SEE_EXTRA = 0xffffffff;
const EXTRA_64 = 1;

const PIECE_BYTES = 2 ** 16;
/** A listed entry takes its heading, a name and two further texts of at most 65,535 bytes each. */
const MAX_LISTED = LISTED.size + 3 * 0xffff;
/** Entries that fit a pattern, and the characters of their names together. */
const MAX_ENTRIES = 100_000;
const MAX_NAMES = 2 ** 24;

export class ZipArchive {
  readonly #path: string;
  readonly #file: ImportFile;

  constructor(path: string, file: ImportFile) {
    this.#path = path;
    this.#file = file;
  }

  /** Those whose names fit, in the order of their names; folders are none. */
  async entries(pattern: string): Promise<readonly ZipEntry[]> {
    const found: ZipEntry[] = [];
    let characters = 0;
    for await (const entry of this.#listed()) {
      if (entry.name.endsWith('/') || !fitsPattern(entry.name, pattern)) continue;
      found.push(entry);
      characters += entry.name.length;
      if (found.length > MAX_ENTRIES) throw new ImportFailure(10803, { n: found.length, max: MAX_ENTRIES });
      if (characters > MAX_NAMES) throw new ImportFailure(10803, { n: characters, max: MAX_NAMES });
    }
    return found.sort((one, other) => compareText(one.name, other.name));
  }

  async *bytes(entry: ZipEntry, unpacked: UnpackedBytes): AsyncGenerator<Uint8Array> {
    const { method, isEncrypted, checksum } = entry;
    if (isEncrypted || (method !== STORED && method !== DEFLATED)) throw noFile(entry.name);
    const packed = this.#packed(entry);
    const pieces =
      method === STORED ? bounded(packed, unpacked) : inflated({ path: entry.name, bytes: packed, unpacked });
    let sum = 0;
    for await (const piece of pieces) {
      sum = crc32(piece, sum);
      yield piece;
    }
    if (sum !== checksum) throw noFile(entry.name);
  }

  async *#packed({ offset, packedSize }: ZipEntry): AsyncGenerator<Uint8Array> {
    const heading = await this.#read(offset, HEADING.size);
    if (heading.readUInt32LE(0) !== HEADING.mark) throw this.#damaged();
    let at = offset + HEADING.size + heading.readUInt16LE(26) + heading.readUInt16LE(28);
    const end = at + packedSize;
    for (; at < end; at += PIECE_BYTES) yield await this.#read(at, Math.min(PIECE_BYTES, end - at));
  }

  async *#listed(): AsyncGenerator<ZipEntry> {
    const { count, offset, size } = await this.#list();
    let bytes = Buffer.alloc(0);
    let at = 0;
    let read = 0;
    for (let index = 0; index < count; index += 1) {
      if (bytes.length - at < MAX_LISTED && read < size) {
        const more = await this.#read(offset + read, Math.min(MAX_LISTED, size - read));
        bytes = Buffer.concat([bytes.subarray(at), more]);
        read += more.length;
        at = 0;
      }
      const { entry, length } = this.#listedAt(bytes.subarray(at));
      at += length;
      yield entry;
    }
  }

  #listedAt(bytes: Buffer): { readonly entry: ZipEntry; readonly length: number } {
    if (bytes.length < LISTED.size || bytes.readUInt32LE(0) !== LISTED.mark) throw this.#damaged();
    const nameEnd = LISTED.size + bytes.readUInt16LE(28);
    const extraEnd = nameEnd + bytes.readUInt16LE(30);
    const length = extraEnd + bytes.readUInt16LE(32);
    if (bytes.length < length) throw this.#damaged();
    const flags = bytes.readUInt16LE(8);
    const sizes = largeNumbers(bytes.subarray(nameEnd, extraEnd), {
      size: bytes.readUInt32LE(24),
      packedSize: bytes.readUInt32LE(20),
      offset: bytes.readUInt32LE(42),
    });
    if (!sizes) throw this.#damaged();
    const entry: ZipEntry = {
      name: nameOf(bytes.subarray(LISTED.size, nameEnd)),
      isEncrypted: (flags & 1) === 1,
      method: bytes.readUInt16LE(10),
      checksum: bytes.readUInt32LE(16),
      ...sizes,
    };
    return { entry, length };
  }

  /** Where the list of entries is. */
  async #list(): Promise<{ readonly count: number; readonly offset: number; readonly size: number }> {
    const { size: fileSize } = this.#file;
    const length = Math.min(fileSize, END.size + END.maxComment);
    const tail = await this.#read(fileSize - length, length);
    const at = endIn(tail);
    if (at === -1) throw this.#damaged();
    const offset = fileSize - length + at;
    const plain = {
      count: tail.readUInt16LE(at + 10),
      size: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    };
    const isLarge = plain.count === 0xffff || plain.size === SEE_EXTRA || plain.offset === SEE_EXTRA;
    const list = (isLarge && (await this.#list64(offset))) || plain;
    if (list.offset + list.size > fileSize || list.count * LISTED.size > list.size) throw this.#damaged();
    return list;
  }

  async #list64(end: number) {
    if (end < LOCATOR.size) return undefined;
    const locator = await this.#read(end - LOCATOR.size, LOCATOR.size);
    if (locator.readUInt32LE(0) !== LOCATOR.mark) return undefined;
    const found = await this.#read(Number(locator.readBigUInt64LE(8)), END_64.size);
    if (found.readUInt32LE(0) !== END_64.mark) throw this.#damaged();
    return {
      count: Number(found.readBigUInt64LE(32)),
      size: Number(found.readBigUInt64LE(40)),
      offset: Number(found.readBigUInt64LE(48)),
    };
  }

  /** So many bytes; the archive is damaged where it has fewer. */
  async #read(position: number, length: number): Promise<Buffer> {
    if (position < 0 || length < 0 || position + length > this.#file.size) throw this.#damaged();
    const bytes = await readUpTo(this.#file.handle, position, length);
    if (bytes.length < length) throw this.#damaged();
    return bytes;
  }

  #damaged(): ImportFailure {
    return noFile(this.#path);
  }
}

async function* bounded(pieces: AsyncIterable<Uint8Array>, unpacked: UnpackedBytes): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    unpacked.take(piece.length);
    yield piece;
  }
}

/** The offset of the last record that ends with its own comment at the end of the file. */
function endIn(tail: Buffer): number {
  for (let at = tail.length - END.size; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) === END.mark && at + END.size + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  return -1;
}

interface Sizes {
  readonly size: number;
  readonly packedSize: number;
  readonly offset: number;
}

/** Numbers that do not fit into 32 bits stand behind the name, in this order. Undefined where they are missing. */
function largeNumbers(extra: Buffer, { size, packedSize, offset }: Sizes): Omit<Sizes, 'size'> | undefined {
  if (![size, packedSize, offset].includes(SEE_EXTRA)) return { packedSize, offset };
  const field = extraField(extra, EXTRA_64);
  let at = 0;
  const next = (plain: number): number => {
    if (plain !== SEE_EXTRA || !field || field.length < at + 8) return plain;
    at += 8;
    return Number(field.readBigUInt64LE(at - 8));
  };
  next(size);
  const found = { packedSize: next(packedSize), offset: next(offset) };
  return field && Number.isSafeInteger(found.packedSize) && Number.isSafeInteger(found.offset) ? found : undefined;
}

function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}

/** Many archives have names in UTF-8 without saying so. */
function nameOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
