// Text in the encodings that file sinks write. A character that an encoding lacks becomes a question mark.

import { koreanCodes } from '#kernel/korean.ts';
import type { Encoding } from '#query/values/export-paths.ts';

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

/** The byte order mark of an encoding; empty where the encoding has none. */
export const markOf = (encoding: Encoding): string => (encoding.startsWith('utf-') ? '\uFEFF' : '');

function korean(encoding: 'euc-kr' | 'cp949'): Encode {
  const codes = koreanCodes(encoding);
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
