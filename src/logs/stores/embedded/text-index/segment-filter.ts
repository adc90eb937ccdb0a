// The file of a segment's filters, one for each row group: numbers of 32 bits, little endian, the cells, and a checksum at the
// end. A file that is cut off, altered or of another version is none.

import { crc32 } from 'node:zlib';
import type { GroupFilter } from './group-filter.ts';

/** 'VGW' and the version: another cut of words or another hash is another version. */
const MAGIC = 0x56475702;

const FILE_HEADER = 8;
const GROUP_HEADER = 32;
const CHECKSUM = 4;

const HAS_FILTER = 1;
const HAS_GRAMS = 2;

export interface SegmentFilter {
  readonly groups: readonly GroupFilter[];
  /** Of the file, which are about those in memory. */
  readonly bytes: number;
}

export function encodeFilter(groups: readonly GroupFilter[]): Buffer {
  const cells = groups.map(({ fuse }) => fuse?.cells ?? new Uint8Array());
  const size = FILE_HEADER + groups.length * GROUP_HEADER + cells.reduce((sum, { length }) => sum + length, 0);
  const file = Buffer.alloc(size + CHECKSUM);
  const numbers = [MAGIC, groups.length, ...groups.flatMap(headerOf)];
  for (const [index, number] of numbers.entries()) file.writeUInt32LE(number >>> 0, index * 4);
  let at = numbers.length * 4;
  for (const part of cells) {
    file.set(part, at);
    at += part.length;
  }
  file.writeUInt32LE(crc32(file.subarray(0, size)), size);
  return file;
}

/** Undefined where the file is not as it was written. */
export function decodeFilter(file: Buffer): SegmentFilter | undefined {
  const size = file.length - CHECKSUM;
  if (size < FILE_HEADER || file.readUInt32LE(0) !== MAGIC) return undefined;
  if (crc32(file.subarray(0, size)) !== file.readUInt32LE(size)) return undefined;
  const groups: GroupFilter[] = [];
  const count = file.readUInt32LE(4);
  let at = FILE_HEADER + count * GROUP_HEADER;
  for (let index = 0; index < count; index += 1) {
    const header = Array.from({ length: GROUP_HEADER / 4 }, (_, position) =>
      file.readUInt32LE(FILE_HEADER + index * GROUP_HEADER + position * 4),
    );
    const [rows = 0, flags = 0, lengths = 0, seed = 0, segmentLength = 0, segmentCount = 0, bits = 0, bytes = 0] =
      header;
    const fuse = { seed, segmentLength, segmentCount, bits, cells: file.subarray(at, at + bytes) };
    const facts = { rows, lengths, hasGrams: (flags & HAS_GRAMS) !== 0 };
    groups.push({ ...facts, ...((flags & HAS_FILTER) === 0 ? {} : { fuse }) });
    at += bytes;
  }
  return { groups, bytes: file.length };
}

function headerOf({ rows, fuse, lengths, hasGrams }: GroupFilter): number[] {
  const flags = (fuse ? HAS_FILTER : 0) | (hasGrams ? HAS_GRAMS : 0);
  const { seed, segmentLength, segmentCount, bits, cells } = fuse ?? NO_FUSE;
  return [rows, flags, lengths, seed, segmentLength, segmentCount, bits, cells.length];
}

const NO_FUSE = { seed: 0, segmentLength: 0, segmentCount: 0, bits: 0, cells: new Uint8Array() };
