// Labels of Prometheus as one text: `{level="info",app="y"}`. Names and values may be quoted like strings of Go.

import { markUnpaired } from '#kernel/text/storable-text.ts';
import { decodeUtf8 } from '#kernel/text/utf8.ts';

const MAX_LABELS = 100;
const MAX_LABELS_BYTES = 64 * 1024;

export type Label = readonly [name: string, value: string];

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/y;
const BLANKS = /[ \t\r\n]*/y;
const HEXADECIMAL = /^[\da-f]+$/i;
const OCTAL = /^[0-7]+$/;
/** Escapes of one letter, and what they stand for. */
const LETTERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92, '"': 34, "'": 39 }),
);
/** Escapes of numbers by their letter, and how many digits they have. */
const DIGITS: ReadonlyMap<string, number> = new Map(Object.entries({ x: 2, u: 4, U: 8 }));
const MAX_LETTER = 0x10ffff;

/** Undefined where the text is not of that form, or has too many labels or bytes. */
export function parseLabels(text: string): readonly Label[] | undefined {
  if (Buffer.byteLength(text) > MAX_LABELS_BYTES) return undefined;
  const reader = new LabelReader(text);
  if (!reader.take('{')) return undefined;
  const labels: Label[] = [];
  while (!reader.take('}')) {
    const name = reader.name();
    const value = name !== undefined && reader.take('=') ? reader.quoted() : undefined;
    if (name === undefined || value === undefined || labels.length === MAX_LABELS) return undefined;
    labels.push([name, value]);
    if (!reader.take(',') && !reader.isAt('}')) return undefined;
  }
  return reader.isEnd ? labels : undefined;
}

class LabelReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isEnd(): boolean {
    return this.#at === this.#text.length;
  }

  isAt(mark: string): boolean {
    return this.#text.startsWith(mark, this.#at);
  }

  /** The mark with the blanks around it. */
  take(mark: string): boolean {
    this.#match(BLANKS);
    if (!this.isAt(mark)) return false;
    this.#at += mark.length;
    this.#match(BLANKS);
    return true;
  }

  name(): string | undefined {
    return this.#match(NAME) ?? this.quoted();
  }

  quoted(): string | undefined {
    const found = this.#match(QUOTED);
    if (found === undefined) return undefined;
    this.#match(BLANKS);
    const inner = found.slice(1, -1);
    return found.startsWith('`') ? inner : unescaped(inner);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

/** Undefined where an escape stands for nothing. Escapes of bytes together are UTF-8, or NULs where they are not. */
function unescaped(text: string): string | undefined {
  if (!text.includes('\\')) return text;
  // No escape is shorter than what it stands for.
  const bytes = Buffer.alloc(Buffer.byteLength(text));
  let length = 0;
  let from = 0;
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', from)) {
    const found = escapeAt(text, at + 1);
    if (!found) return undefined;
    if (at > from) length += bytes.write(text.slice(from, at), length);
    length += found.isByte
      ? bytes.writeUInt8(found.code, length) - length
      : bytes.write(markUnpaired(String.fromCodePoint(found.code)), length);
    from = found.end;
  }
  length += bytes.write(text.slice(from), length);
  return decodeUtf8(bytes.subarray(0, length));
}

interface Escape {
  readonly code: number;
  readonly isByte: boolean;
  /** Behind it. */
  readonly end: number;
}

/** Behind the backslash. */
function escapeAt(text: string, at: number): Escape | undefined {
  const letter = text[at] ?? '';
  const code = LETTERS.get(letter);
  if (code !== undefined) return { code, isByte: false, end: at + 1 };
  const digits = DIGITS.get(letter);
  if (digits) return numberedAt(text, at + 1, { digits, radix: 16, isByte: letter === 'x' });
  return letter >= '0' && letter <= '3' ? numberedAt(text, at, { digits: 3, radix: 8, isByte: true }) : undefined;
}

function numberedAt(
  text: string,
  from: number,
  { digits, radix, isByte }: { digits: number; radix: 8 | 16; isByte: boolean },
): Escape | undefined {
  const end = from + digits;
  const number = text.slice(from, end);
  if (number.length < digits || !(radix === 16 ? HEXADECIMAL : OCTAL).test(number)) return undefined;
  const code = Number.parseInt(number, radix);
  return code > MAX_LETTER ? undefined : { code, isByte, end };
}
