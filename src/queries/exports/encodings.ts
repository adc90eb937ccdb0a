// Text in the encodings that file sinks write. What an encoding has no character for is a question mark.

import type { Encoding } from '#query/export-paths.ts';

export type Encode = (text: string) => Buffer;

export function encoderOf(encoding: Encoding): Encode {
  switch (encoding) {
    case 'utf-8':
      return (text) => Buffer.from(text);
    case 'utf-16le':
      return (text) => Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return (text) => Buffer.from(text, 'utf16le').swap16();
    case 'iso-8859-1':
      return (text) => Buffer.from(text.replace(/[^\0-\xff]/gu, '?'), 'latin1');
    case 'us-ascii':
      return (text) => Buffer.from(text.replace(/[^\0-\x7f]/gu, '?'), 'latin1');
    default:
      return korean(encoding);
  }
}

/** What begins a file to tell its encoding; nothing where there is no such mark. */
export const markOf = (encoding: Encoding): string => (encoding.startsWith('utf-') ? '\uFEFF' : '');

/** The platform reads the older of both and writes none, so what it reads is turned around. */
function korean(encoding: 'euc-kr' | 'cp949'): Encode {
  const codes = wansung();
  if (encoding === 'cp949') for (const [syllable, code] of extension(codes)) codes.set(syllable, code);
  return (text) => {
    const bytes: number[] = [];
    for (const character of text) {
      const code = character < '\x80' ? character.charCodeAt(0) : (codes.get(character) ?? 0x3f);
      if (code > 0xff) bytes.push(code >> 8);
      bytes.push(code & 0xff);
    }
    return Buffer.from(bytes);
  };
}

/** KS X 1001: both bytes from 0xa1 on. */
function wansung(): Map<string, number> {
  const decoder = new TextDecoder('euc-kr');
  const codes = new Map<string, number>();
  for (let lead = 0xa1; lead <= 0xfe; lead += 1) {
    for (let trail = 0xa1; trail <= 0xfe; trail += 1) {
      const read = decoder.decode(Uint8Array.of(lead, trail));
      if ([...read].length === 1 && read !== '\uFFFD') codes.set(read, lead * 256 + trail);
    }
  }
  return codes;
}

const [FIRST_SYLLABLE, LAST_SYLLABLE] = [0xac00, 0xd7a3];

/** The syllables that KS X 1001 lacks, in their order, where it has left room: cp949 says no more than that. */
function* extension(known: ReadonlyMap<string, number>): Generator<[string, number]> {
  const room = places();
  for (let code = FIRST_SYLLABLE; code <= LAST_SYLLABLE; code += 1) {
    const syllable = String.fromCharCode(code);
    if (!known.has(syllable)) yield [syllable, room.next().value ?? 0x3f];
  }
}

function* places(): Generator<number, undefined> {
  for (let lead = 0x81; lead <= 0xc6; lead += 1) {
    for (let trail = 0x41; trail <= (lead < 0xa1 ? 0xfe : 0xa0); trail += 1) {
      const isLetter = trail <= 0x5a || (trail >= 0x61 && trail <= 0x7a);
      if (isLetter || trail >= 0x81) yield lead * 256 + trail;
    }
  }
  return undefined;
}
