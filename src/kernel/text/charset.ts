// Decodes character sets other than UTF-8. UTF-16 is recognised by its byte order mark, with which no UTF-8 begins.

import { koreanDecoder } from './korean.ts';

/** Labels that the platform lacks. */
const KOREAN = /^\s*(?:cp949|ms949|uhc)\s*$/i;

const MARKS: readonly (readonly [string, Buffer])[] = [
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];
export const MARK_BYTES = 2;
/** Bytes decoded at once: a transcoder is an iterator, so its caller may yield to the event loop after each part. */
const SLICE_BYTES = 256 * 1024;
/** Stands for bytes that are not text of the character set: no UTF-8 has it, so that the record is repaired and marked. */
const MALFORMED = Buffer.from([0xff]);

export const decoderFor = (label: string, fatal = false): TextDecoder =>
  new TextDecoder(KOREAN.test(label) ? 'euc-kr' : label, { fatal });

export function isCharset(label: string): boolean {
  try {
    decoderFor(label);
    return true;
  } catch {
    return false;
  }
}

export function encodingOf(beginning: Buffer, label: string): string {
  const { encoding } = decoderFor(label);
  const mark = MARKS.find(([, bytes]) => bytes.equals(beginning.subarray(0, MARK_BYTES)));
  return mark && encoding.startsWith('utf-') ? mark[0] : encoding;
}

export interface Transcoder {
  push(piece: Buffer): Iterable<Buffer>;
  end(): Iterable<Buffer>;
}

export function transcoderFor(encoding: string): Transcoder {
  if (encoding === 'utf-8') return { push: (piece) => [piece], end: () => [] };
  const read = encoding === 'euc-kr' ? koreanReader() : readerOf(encoding);
  return {
    *push(piece) {
      for (let at = 0; at < piece.length; at += SLICE_BYTES) {
        yield utf8Of(read(piece.subarray(at, at + SLICE_BYTES), false));
      }
    },
    end: () => [utf8Of(read(Buffer.alloc(0), true))],
  };
}

/** Keeps an incomplete character at the end of `bytes` for the next call. */
type Reader = (bytes: Buffer, isLast: boolean) => string;

function readerOf(encoding: string): Reader {
  const decoder = new TextDecoder(encoding);
  return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast });
}

function koreanReader(): Reader {
  const decode = koreanDecoder();
  let rest: Buffer = Buffer.alloc(0);
  return (bytes, isLast) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = isLast ? all.length : endOfLetters(all);
    rest = Buffer.from(all.subarray(end));
    return decode(all.subarray(0, end));
  };
}

/** A letter has two bytes, the first from 0x81 on and the second from 0x41 on: a byte below 0x41 is always one of its own. */
function endOfLetters(bytes: Buffer): number {
  let at = bytes.length;
  while (at > 0 && (bytes[at - 1] ?? 0) >= 0x41) at -= 1;
  while (at < bytes.length - 1) at += (bytes[at] ?? 0) > 0x80 && (bytes[at + 1] ?? 0) >= 0x41 ? 2 : 1;
  return at < bytes.length && (bytes[at] ?? 0) <= 0x80 ? at + 1 : at;
}

function utf8Of(text: string): Buffer {
  if (!text.includes('\ufffd')) return Buffer.from(text);
  return Buffer.concat(
    text.split('\ufffd').flatMap((part, at) => (at === 0 ? [] : [MALFORMED]).concat(Buffer.from(part))),
  );
}
