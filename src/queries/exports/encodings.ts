// Text in the encodings that file sinks write. A character that an encoding lacks becomes a question mark.

import { type Charset, encodeLossy } from '#query/values/text/charsets.ts';

export type Encode = (text: string) => Buffer;

export const encoderOf =
  (encoding: Charset): Encode =>
  (text) => {
    const bytes = encodeLossy(text, encoding);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };

/** The byte order mark of an encoding; empty where the encoding has none. */
export const markOf = (encoding: Charset): string => (encoding.startsWith('utf-') ? '\uFEFF' : '');
