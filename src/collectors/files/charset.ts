// Decodes lines of a file. In all charsets but UTF-16 a line feed is one byte that is part of no other character.

import { lineText } from '#collectors/messages/log-builder.ts';
import { decoderFor } from '#kernel/text/charset.ts';
import { koreanDecoder } from '#kernel/text/korean.ts';

const LINE_FEEDS: Readonly<Record<string, Buffer>> = {
  'utf-16le': Buffer.from([0x0a, 0x00]),
  'utf-16be': Buffer.from([0x00, 0x0a]),
};
const LINE_FEED = Buffer.from([0x0a]);

export class Charset {
  readonly #read: (bytes: Buffer) => string;
  readonly #lineFeed: Buffer;
  /** Throws if the bytes are not text of the charset. */
  readonly #strict: TextDecoder;

  constructor(label: string) {
    const decoder = decoderFor(label);
    this.#strict = decoderFor(label, true);
    this.#read = decoder.encoding === 'euc-kr' ? koreanDecoder() : (bytes) => decoder.decode(bytes);
    this.#lineFeed = LINE_FEEDS[decoder.encoding] ?? LINE_FEED;
  }

  /** The text without line ends and byte order mark, as `lineText` returns it. */
  text(bytes: Buffer, isCut = false): string {
    return lineText(this.#read(bytes), { isCut, isMalformed: () => !this.#isValid(bytes) });
  }

  #isValid(bytes: Buffer): boolean {
    try {
      this.#strict.decode(bytes);
      return true;
    } catch {
      return false;
    }
  }

  /** End of the line at `from`, its line feed included; undefined for an incomplete line. */
  endOf(bytes: Buffer, from: number): number | undefined {
    const unit = this.#lineFeed.length;
    let at = bytes.indexOf(this.#lineFeed, from);
    while (at !== -1 && at % unit !== 0) at = bytes.indexOf(this.#lineFeed, at + 1);
    return at === -1 ? undefined : at + unit;
  }

  /** End of the last complete line. */
  lastEnd(bytes: Buffer): number | undefined {
    const unit = this.#lineFeed.length;
    let at = bytes.lastIndexOf(this.#lineFeed);
    while (at > 0 && at % unit !== 0) at = bytes.lastIndexOf(this.#lineFeed, at - 1);
    return at === -1 || at % unit !== 0 ? undefined : at + unit;
  }
}
