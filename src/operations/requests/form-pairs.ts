// The pairs of a form or query string, decoded byte by byte in slices: one value may have sixteen million escapes.

import { isUtf8 } from 'node:buffer';
import type { ApiError } from '#contract/errors.ts';

interface FormPair {
  readonly name: string;
  readonly value: string;
}

const SLICE_BYTES = 64 * 1024;
const SLICE_PAIRS = 512;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const PLUS = 0x2b;
const EQUALS = 0x3d;
const BLANK = 0x20;
const NO_DIGIT = 0xff;

/** Undefined ends a slice. Throws for malformed escapes, and for text that is not UTF-8 or contains NUL. */
export function* formPairs(bytes: Buffer, refusal: () => ApiError): Generator<FormPair | undefined> {
  if (!isUtf8(bytes)) throw refusal();
  let slicedAt = 0;
  let count = 0;
  for (let from = 0; from < bytes.length; ) {
    if (from - slicedAt >= SLICE_BYTES || count === SLICE_PAIRS) {
      slicedAt = from;
      count = 0;
      yield undefined;
    }
    // Skips millions of empty pairs quickly.
    if (bytes[from] === AMPERSAND) {
      from += 1;
      continue;
    }
    const found = bytes.indexOf(AMPERSAND, from);
    const end = found === -1 ? bytes.length : found;
    const pair = bytes.subarray(from, end);
    const equals = pair.indexOf(EQUALS);
    const name = yield* decode(equals === -1 ? pair : pair.subarray(0, equals), refusal);
    const value = equals === -1 ? '' : yield* decode(pair.subarray(equals + 1), refusal);
    yield { name, value };
    count += 1;
    from = end + 1;
  }
}

function* decode(bytes: Buffer, refusal: () => ApiError): Generator<undefined, string> {
  if (!bytes.includes(PERCENT) && !bytes.includes(PLUS)) return textOf(bytes, refusal);
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let slicedAt = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === PERCENT) {
      const high = digitOf(bytes[at + 1]);
      const low = digitOf(bytes[at + 2]);
      if (high === NO_DIGIT || low === NO_DIGIT) throw refusal();
      plain[length] = high * 16 + low;
      at += 2;
    } else plain[length] = byte === PLUS ? BLANK : byte;
    length += 1;
    if (at - slicedAt < SLICE_BYTES) continue;
    slicedAt = at;
    yield undefined;
  }
  const text = plain.subarray(0, length);
  if (!isUtf8(text)) throw refusal();
  return textOf(text, refusal);
}

function textOf(bytes: Buffer, refusal: () => ApiError): string {
  if (bytes.includes(0)) throw refusal();
  return bytes.toString();
}

function digitOf(byte: number | undefined): number {
  if (byte === undefined) return NO_DIGIT;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : NO_DIGIT;
}
