// Words of JSON objects. A search sees values otherwise than they are stored: strings without their escapes, numbers in their
// shortest form. Most objects have neither escapes nor fractions, so that their bytes as they are hold all words.

import { parseJson } from '#kernel/json/parse-json.ts';
import type { GroupWords } from './group-words.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SEPARATOR = 0;
const BLANK = 0x20;
const DOT = 0x2e;
const SMALL_E = 0x65;
const CAPITAL_E = 0x45;
/** Digits of a whole number that a double may not represent. */
const LONG_DIGITS = 15;

/** Takes objects with a zero byte between them. */
export function addObjects(words: GroupWords, bytes: Uint8Array, column: number): void {
  words.add(bytes, column);
  for (let begin = 0; begin < bytes.length; ) {
    const found = bytes.indexOf(SEPARATOR, begin);
    const end = found === -1 ? bytes.length : found;
    if (differsWhenRead(bytes, begin, end)) {
      words.add(Buffer.from(readTexts(Buffer.from(bytes.subarray(begin, end)).toString()).join('\0')), column);
    }
    begin = end + 1;
  }
}

/** Takes strings of objects with a zero byte between them: a search sees such a string as it is, and as the object has it. */
export function addLeaves(words: GroupWords, bytes: Uint8Array, column: number): void {
  words.add(bytes, column);
  for (let begin = 0; begin < bytes.length; ) {
    const found = bytes.indexOf(SEPARATOR, begin);
    const end = found === -1 ? bytes.length : found;
    if (isEscapedInJson(bytes, begin, end)) {
      words.add(Buffer.from(JSON.stringify(Buffer.from(bytes.subarray(begin, end)).toString())), column);
    }
    begin = end + 1;
  }
}

function isEscapedInJson(bytes: Uint8Array, begin: number, end: number): boolean {
  for (let at = begin; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < BLANK || byte === QUOTE || byte === BACKSLASH) return true;
  }
  return false;
}

/** Whether an object has a string with an escape, or a number that may be written in another way. */
function differsWhenRead(bytes: Uint8Array, begin: number, end: number): boolean {
  let isText = false;
  let digits = 0;
  for (let at = begin; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === BACKSLASH) return true;
    if (byte === QUOTE) isText = !isText;
    if (isText) continue;
    const isDigit = byte >= 0x30 && byte <= 0x39;
    if (digits > LONG_DIGITS || (digits > 0 && (byte === DOT || byte === SMALL_E || byte === CAPITAL_E))) return true;
    digits = isDigit ? digits + 1 : 0;
  }
  return digits > LONG_DIGITS;
}

/** The values of an object as texts, lists and maps as compact JSON. */
function readTexts(text: string): string[] {
  const read: unknown = parseJson(text);
  if (typeof read !== 'object' || read === null) return [String(read)];
  return Object.values(read).map((value) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value),
  );
}
