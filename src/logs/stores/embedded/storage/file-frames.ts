// The body of a journal frame whose records are a file:
//
//   the file, masked · facts of the file and offsets of sources, as JSON · the length of that JSON, four bytes
//
// A file has many zeros, and zeros are how an end of a journal is told that was never written. The mask turns them into bytes
// that stand together in no text and in no usual number.

import { type BatchFileFacts, FIELD_FATES, type SourceOffset } from '#logs/log-store.ts';

const MASK = 0xa5;
const MASK_WORD = 0xa5a5a5a5;
/** The first byte of a Parquet file. No line begins with it when it is masked: it is in no UTF-8. */
const FIRST_BYTE = 0x50 ^ MASK;
const LENGTH_BYTES = 4;

/** Records as a file with their ids. */
export interface FrameFile extends BatchFileFacts {
  /** Begins with the file; there may be room behind it. */
  readonly bytes: Buffer;
  /** With the names of their columns, where they differ from those of the fields. */
  readonly fields: readonly (BatchFileFacts['fields'][number] & { readonly column?: string })[];
}

/** The name of the column that a field of a file is in; none for those that were left over. */
export const columnOf = ({ name, number, column = name }: FrameFile['fields'][number]): string[] =>
  number > FIELD_FATES.leftOver ? [column] : [];

/** The content of a frame. The file is masked in place: it is of no use any more. */
export function fileContent({ bytes, ...facts }: FrameFile, offsets: readonly SourceOffset[] = []): Buffer {
  const { size } = facts;
  mask(bytes.subarray(0, size));
  const told = Buffer.from(JSON.stringify({ ...facts, offsets }));
  const end = Buffer.alloc(LENGTH_BYTES);
  end.writeUInt32LE(told.length);
  const total = size + told.length + LENGTH_BYTES;
  if (total > bytes.length) return Buffer.concat([bytes.subarray(0, size), told, end]);
  told.copy(bytes, size);
  end.copy(bytes, size + told.length);
  return bytes.subarray(0, total);
}

export const isFileContent = (content: Buffer): boolean => content[0] === FIRST_BYTE;

/** Unmasks the file in place. */
export function fileIn(content: Buffer): { readonly file: FrameFile; readonly offsets: readonly SourceOffset[] } {
  const end = content.length - LENGTH_BYTES;
  const { offsets, ...facts } = JSON.parse(content.toString('utf8', end - content.readUInt32LE(end), end));
  mask(content.subarray(0, facts.size));
  return { file: { ...facts, bytes: content }, offsets };
}

function mask(bytes: Buffer): void {
  const isAligned = bytes.byteOffset % 4 === 0;
  const words = isAligned ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : new Uint32Array(0);
  for (let at = 0; at < words.length; at += 1) words[at] = (words[at] ?? 0) ^ MASK_WORD;
  for (let at = 4 * words.length; at < bytes.length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ MASK;
}
