// Text as bytes in the charsets of 9.2, in both directions: strict for functions, where a character or byte that the
// charset lacks makes the result null, and lossy for files, where it is replaced.

import { type KoreanTable, koreanTable } from '#kernel/text/korean.ts';
import type { Value } from '#query/model/values.ts';

/** The first is the default. */
export const CHARSETS = ['utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1', 'us-ascii', 'euc-kr', 'cp949'] as const;
export type Charset = (typeof CHARSETS)[number];

/** A charset by its name without regard to case; undefined for an unknown name. */
export function charsetNamed(name: string): Charset | undefined {
  const lower = name.toLowerCase();
  return lower === 'ms949' ? 'cp949' : CHARSETS.find((charset) => charset === lower);
}

/** The charset of an optional argument that was checked before. */
export const charsetOf = (name: Value | undefined): Charset => charsetNamed(String(name)) ?? 'utf-8';

/** Null if the charset lacks a character of the text. */
export function encodeText(text: string, charset: Charset): Uint8Array | null {
  switch (charset) {
    case 'utf-8':
      return new TextEncoder().encode(text);
    case 'utf-16le':
    case 'utf-16be':
      return utf16(text, charset);
    case 'iso-8859-1':
      return isLatin(text) ? singleBytes(text) : null;
    case 'us-ascii':
      return isAscii(text) ? singleBytes(text) : null;
    default:
      return koreanBytes(text, tableOf(charset));
  }
}

/** Null if the bytes are malformed. A byte order mark is a character. */
export function decodeBytes(bytes: Uint8Array, charset: Charset): string | null {
  switch (charset) {
    case 'utf-8':
    case 'utf-16le':
    case 'utf-16be':
      return unicodeText(bytes, charset);
    case 'iso-8859-1':
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    case 'us-ascii':
      return bytes.every((byte) => byte < 0x80) ? decodeBytes(bytes, 'iso-8859-1') : null;
    default:
      return koreanText(bytes, tableOf(charset), false);
  }
}

/** A character that the charset lacks becomes a question mark. */
export function encodeLossy(text: string, charset: Charset): Uint8Array {
  const exact = encodeText(text, charset);
  if (exact) return exact;
  const lacking = charset === 'us-ascii' ? /[^\0-\x7f]/gu : /[^\0-\xff]/gu;
  const isKorean = charset === 'euc-kr' || charset === 'cp949';
  const known = isKorean ? onlyKorean(text, tableOf(charset)) : text.replace(lacking, '?');
  return encodeText(known, charset) ?? new Uint8Array();
}

/** Malformed bytes become U+FFFD. */
export function decodeLossy(bytes: Uint8Array, charset: Charset): string {
  switch (charset) {
    case 'utf-8':
    case 'utf-16le':
    case 'utf-16be':
      return new TextDecoder(charset, { ignoreBOM: true }).decode(bytes);
    case 'us-ascii':
      return (decodeBytes(bytes, 'iso-8859-1') ?? '').replace(/[\x80-\xff]/g, '\uFFFD');
    case 'iso-8859-1':
      return decodeBytes(bytes, charset) ?? '';
    default:
      return koreanText(bytes, tableOf(charset), true) ?? '';
  }
}

const isLatin = (text: string): boolean => /^[\0-\xff]*$/.test(text);
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

const singleBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

function utf16(text: string, charset: 'utf-16le' | 'utf-16be'): Uint8Array {
  const bytes = Buffer.from(text.toWellFormed(), 'utf16le');
  return new Uint8Array(charset === 'utf-16be' ? bytes.swap16() : bytes);
}

function unicodeText(bytes: Uint8Array, charset: Charset): string | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const tables = new Map<string, KoreanTable>();

/** Built once, at the first use. */
function tableOf(charset: 'euc-kr' | 'cp949'): KoreanTable {
  const table = tables.get(charset) ?? koreanTable(charset);
  tables.set(charset, table);
  return table;
}

function koreanBytes(text: string, { codeOf }: KoreanTable): Uint8Array | null {
  const bytes = new Uint8Array(text.length * 2);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const code = unit < 0x80 ? unit : (codeOf[unit] ?? 0);
    if (code === 0 && unit !== 0) return null;
    if (code > 0xff) bytes[length++] = code >> 8;
    bytes[length++] = code & 0xff;
  }
  return bytes.slice(0, length);
}

/** Null for malformed bytes, unless they are to be replaced. A lead byte before ASCII is malformed alone. */
function koreanText(bytes: Uint8Array, { unitOf }: KoreanTable, isLossy: boolean): string | null {
  const pieces: string[] = [];
  const units = new Uint16Array(PIECE);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const trail = bytes[at + 1] ?? 0;
    const unit = lead < 0x80 ? lead : (unitOf[lead * 256 + trail] ?? 0);
    const isMalformed = lead >= 0x80 && unit === 0;
    if (isMalformed && !isLossy) return null;
    units[count] = isMalformed ? 0xfffd : unit;
    at += lead >= 0x80 && (!isMalformed || trail >= 0x80) ? 2 : 1;
    count = (count + 1) % PIECE;
    if (count === 0) pieces.push(String.fromCharCode(...units));
  }
  return pieces.join('') + String.fromCharCode(...units.subarray(0, count));
}

/** Units that become text at once. */
const PIECE = 4096;

function onlyKorean(text: string, { codeOf }: KoreanTable): string {
  return text.replace(/[^\0-\x7f]/gu, (one) => (one.length === 1 && codeOf[one.charCodeAt(0)] ? one : '?'));
}
