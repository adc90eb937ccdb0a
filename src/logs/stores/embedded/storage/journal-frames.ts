// Frames as bytes, and a journal read back. A frame is a head line of a fixed length and a body:
//
//   #<bytes of the body> <first id> <proof of the body> <crc32 of the line so far>\n
//
// The body is lines of records, or a file of them (file-frames.ts); a first line that begins with @ holds the offsets of their
// sources. A crash can tear the end
// of a journal, never its middle: a frame is cut short by the end of the file, or its pages were never written and read as
// zeros. Anything else that does not fit is corruption, and then nothing is cut off.

import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { SourceOffset } from '#logs/log-store.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { type FrameFile, fileContent, fileIn, isFileContent } from './file-frames.ts';
import type { FrameCodec, Framing, SealedFrame } from './frames.ts';

export interface Frame {
  readonly firstId: number;
  /** NDJSON, every line ended. A frame without any withdraws the one of the same first id that stands before it. */
  readonly lines: Buffer;
  /** How far the sources of its records were read. */
  readonly offsets?: readonly SourceOffset[] | undefined;
  /** The records in place of lines. */
  readonly file?: FrameFile;
}

export interface JournalContent {
  readonly frames: readonly Frame[];
  /** Of the whole frames; bytes behind them are torn. */
  readonly sizeBytes: number;
  /** For going on. */
  readonly codec: FrameCodec;
}

/** Nothing of a corrupt journal is used; the ids in it are not given again. */
interface JournalCorruption {
  readonly idsUpTo: number;
}

/** The parts that its bytes are made of. */
export async function encodeFrame(
  frame: Frame,
  { codec, name, at }: { codec: FrameCodec; name: string; at: number },
): Promise<readonly Buffer[]> {
  const { firstId } = frame;
  const content = contentOf(frame);
  // The proof of so many bytes is work of its own.
  if (content.length > AT_ONCE) await eventLoop.nextSlot();
  const bytes = codec.bodyBytes(content.length);
  const { body, proof } = await codec.seal(content, labelOf({ name, at, bytes, firstId }));
  return [headOf(bytes, firstId, proof), body];
}

function contentOf({ lines, offsets, file }: Frame): Buffer {
  if (file) return fileContent(file, offsets);
  return offsets?.length ? Buffer.concat([Buffer.from(`@${JSON.stringify(offsets)}\n`), lines]) : lines;
}

/** Bytes that are proven in one go. */
const AT_ONCE = 1024 * 1024;

/** Reads a file, which need not exist yet. `name` says which journal it is. */
export async function readJournal(
  path: string,
  framing: Framing,
  name: string,
): Promise<JournalContent | JournalCorruption> {
  const file = await open(path, 'a+', 0o600);
  const bytes = await file.readFile().finally(() => file.close());
  if (bytes.length < framing.preambleBytes) return { frames: [], sizeBytes: 0, codec: framing.fresh() };
  const codec = framing.known(bytes.subarray(0, framing.preambleBytes));
  if (codec) return await framesIn(bytes, framing.preambleBytes, { codec, name });
  const isTorn = isUnwritten(bytes, 0, framing.fresh().proofLength);
  return isTorn ? { frames: [], sizeBytes: 0, codec: framing.fresh() } : corruptionOf(bytes, framing.fresh());
}

async function framesIn(
  bytes: Buffer,
  beginning: number,
  { codec, name }: { codec: FrameCodec; name: string },
): Promise<JournalContent | JournalCorruption> {
  const frames = new Map<number, Frame>();
  let at = beginning;
  for (;;) {
    const found = frameAt(bytes, at, codec);
    if (found === 'end') break;
    const content = found && (await codec.open(found, labelOf({ name, at, bytes: found.body.length, ...found })));
    if (!content) {
      if (isUnwritten(bytes, at, codec.proofLength)) break;
      return corruptionOf(bytes, codec);
    }
    const { firstId, end } = found;
    if (content.length === 0) frames.delete(firstId);
    else frames.set(firstId, { firstId, ...bodyOf(content) });
    at = end;
  }
  return { frames: [...frames.values()], sizeBytes: at, codec };
}

/** A line of a record begins with a brace. */
function bodyOf(content: Buffer): Omit<Frame, 'firstId'> {
  if (isFileContent(content)) return { lines: content.subarray(0, 0), ...fileIn(content) };
  if (content[0] !== AT_SIGN) return { lines: content };
  const end = content.indexOf('\n');
  return { lines: content.subarray(end + 1), offsets: JSON.parse(content.toString('utf8', 1, end)) };
}

const AT_SIGN = 0x40;
const CRC_LENGTH = 8;
const LENGTH_DIGITS = 10;
const ID_DIGITS = 16;

const headLength = (proofLength: number) => 1 + LENGTH_DIGITS + 1 + ID_DIGITS + 1 + proofLength + 1 + CRC_LENGTH + 1;

function headOf(bytes: number, firstId: number, proof: string): Buffer {
  const digits = `${String(bytes).padStart(LENGTH_DIGITS, '0')} ${String(firstId).padStart(ID_DIGITS, '0')}`;
  const line = `#${digits} ${proof}`;
  return Buffer.from(`${line} ${checksum(line)}\n`);
}

const checksum = (line: string) => crc32(line).toString(16).padStart(CRC_LENGTH, '0');

function headAt(bytes: Buffer, at: number, proofLength: number) {
  const line = bytes.toString('latin1', at, at + headLength(proofLength));
  const match = /^(#(\d{10}) (\d{16}) ([0-9a-f]+)) ([0-9a-f]{8})\n$/.exec(line);
  if (!match || checksum(match[1] ?? '') !== match[5]) return undefined;
  return { bodyBytes: Number(match[2]), firstId: Number(match[3]), proof: match[4] ?? '' };
}

interface FoundFrame extends SealedFrame {
  readonly firstId: number;
  readonly end: number;
}

/** `end` where the file ends, or ends in the middle of a frame; undefined where something else stands. */
function frameAt(bytes: Buffer, at: number, { proofLength }: FrameCodec): FoundFrame | 'end' | undefined {
  const begin = at + headLength(proofLength);
  if (begin > bytes.length) return 'end';
  const head = headAt(bytes, at, proofLength);
  if (!head) return undefined;
  const end = begin + head.bodyBytes;
  return end > bytes.length ? 'end' : { ...head, body: bytes.subarray(begin, end), end };
}

const ZEROS = Buffer.alloc(16);

/** True for an end that was never written: it has zeros, which no frame has so many of, and no whole head behind them. */
function isUnwritten(bytes: Buffer, at: number, proofLength: number): boolean {
  const tail = bytes.subarray(at);
  const hasZeros = tail.includes(ZEROS) || tail.subarray(-4).equals(ZEROS.subarray(0, 4));
  return hasZeros && headsIn(tail.subarray(1), proofLength).next().done === true;
}

/** Every record takes more than a byte, so no id of the journal is beyond its highest known one and its length. */
function corruptionOf(bytes: Buffer, { proofLength }: FrameCodec): JournalCorruption {
  const ids = [...headsIn(bytes, proofLength)].map(({ firstId }) => firstId);
  return { idsUpTo: ids.reduce((highest, id) => Math.max(highest, id), 0) + bytes.length };
}

function* headsIn(bytes: Buffer, proofLength: number) {
  for (let at = bytes.indexOf(0x23); at !== -1; at = bytes.indexOf(0x23, at + 1)) {
    const head = headAt(bytes, at, proofLength);
    if (head) yield head;
  }
}

const labelOf = ({ name, at, bytes, firstId }: { name: string; at: number; bytes: number; firstId: number }) =>
  `${name} ${at} ${bytes} ${firstId}`;
