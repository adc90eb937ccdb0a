// Percent-encoding by RFC 3986, over the bytes of a charset: unreserved characters stay, all bytes of the others are
// escaped.

import { type Charset, decodeBytes, encodeText } from './charsets.ts';

/** Null if the charset lacks a character. */
export function urlEncoded(text: string, charset: Charset): string | null {
  const given = text.toWellFormed();
  if (charset === 'utf-8') return encodeURIComponent(given).replace(/[!'()*]/g, (one) => percent(one.charCodeAt(0)));
  if (encodeText(given, charset) === null) return null;
  return given.replace(RESERVED, (one) => Array.from(encodeText(one, charset) ?? [], percent).join(''));
}

const RESERVED = /[^A-Za-z0-9._~-]/gu;

const percent = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** `+` and a malformed `%` stay. Null if the escaped bytes are no text of the charset. */
export function urlDecoded(text: string, charset: Charset): string | null {
  if (!text.includes('%')) return text;
  let isValid = true;
  const decoded = text.replace(ESCAPED[charset] ?? RUN, (run) => {
    const read = isValid ? decodeBytes(bytesOfRun(run), charset) : null;
    isValid = read !== null;
    return read ?? '';
  });
  return isValid ? decoded : null;
}

const RUN = /(?:%[0-9A-Fa-f]{2})+/g;

/** Other programs leave a second byte that is a letter unescaped. */
const KOREAN = /(?:%[0-7][0-9A-F]|%[89A-F][0-9A-F](?:%[0-9A-F]{2}|[A-Z])?)+/gi;
const ESCAPED: Readonly<Partial<Record<Charset, RegExp>>> = { 'euc-kr': KOREAN, cp949: KOREAN };

function bytesOfRun(run: string): Uint8Array {
  const bytes: number[] = [];
  for (let at = 0; at < run.length; ) {
    const isEscape = run[at] === '%';
    bytes.push(isEscape ? Number.parseInt(run.slice(at + 1, at + 3), 16) : run.charCodeAt(at));
    at += isEscape ? 3 : 1;
  }
  return Uint8Array.from(bytes);
}
