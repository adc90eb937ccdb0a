// ZIP archives for tests, also such as no honest program writes.

import { crc32, deflateRawSync } from 'node:zlib';

export interface WrittenEntry {
  readonly name: string;
  readonly text: string | Buffer;
  readonly isStored?: boolean;
  /** Numbers in the 64-bit form, however small they are. */
  readonly isLarge?: boolean;
  readonly isEncrypted?: boolean;
  readonly checksum?: number;
}

const LARGE = 0xffffffff;

export function zipOf(entries: readonly WrittenEntry[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const whole = Buffer.from(entry.text);
    const packed = entry.isStored ? whole : deflateRawSync(whole);
    const name = Buffer.from(entry.name);
    const heading = Buffer.alloc(30);
    heading.writeUInt32LE(0x04034b50, 0);
    heading.writeUInt16LE(name.length, 26);
    list.push(listed(entry, { whole, packed, name, offset }));
    parts.push(heading, name, packed);
    offset += heading.length + name.length + packed.length;
  }
  const size = list.reduce((sum, { length }) => sum + length, 0);
  const isLarge = entries.some((entry) => entry.isLarge);
  return Buffer.concat([
    ...parts,
    ...list,
    ...(isLarge ? [end64(entries.length, size, offset)] : []),
    end(entries.length, { size, offset, isLarge }),
  ]);
}

interface Packed {
  readonly whole: Buffer;
  readonly packed: Buffer;
  readonly name: Buffer;
  readonly offset: number;
}

function listed(
  { isStored, isLarge, isEncrypted, checksum }: WrittenEntry,
  { whole, packed, name, offset }: Packed,
): Buffer {
  const heading = Buffer.alloc(46);
  const extra = Buffer.alloc(isLarge ? 28 : 0);
  heading.writeUInt32LE(0x02014b50, 0);
  heading.writeUInt16LE(isEncrypted ? 1 : 0, 8);
  heading.writeUInt16LE(isStored ? 0 : 8, 10);
  heading.writeUInt32LE(checksum ?? crc32(whole), 16);
  heading.writeUInt32LE(isLarge ? LARGE : packed.length, 20);
  heading.writeUInt32LE(isLarge ? LARGE : whole.length, 24);
  heading.writeUInt16LE(name.length, 28);
  heading.writeUInt16LE(extra.length, 30);
  heading.writeUInt32LE(isLarge ? LARGE : offset, 42);
  if (isLarge) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    [whole.length, packed.length, offset].forEach(
      (number, at) => void extra.writeBigUInt64LE(BigInt(number), 4 + 8 * at),
    );
  }
  return Buffer.concat([heading, name, extra]);
}

function end64(count: number, size: number, offset: number): Buffer {
  const found = Buffer.alloc(56 + 20);
  found.writeUInt32LE(0x06064b50, 0);
  [count, count, size, offset].forEach((number, at) => void found.writeBigUInt64LE(BigInt(number), 24 + 8 * at));
  found.writeUInt32LE(0x07064b50, 56);
  found.writeBigUInt64LE(BigInt(offset + size), 64);
  return found;
}

function end(count: number, { size, offset, isLarge }: { size: number; offset: number; isLarge: boolean }): Buffer {
  const found = Buffer.alloc(22);
  found.writeUInt32LE(0x06054b50, 0);
  found.writeUInt16LE(isLarge ? 0xffff : count, 8);
  found.writeUInt16LE(isLarge ? 0xffff : count, 10);
  found.writeUInt32LE(isLarge ? LARGE : size, 12);
  found.writeUInt32LE(isLarge ? LARGE : offset, 16);
  return found;
}
