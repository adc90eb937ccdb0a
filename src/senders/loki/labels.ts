// Labels of Prometheus as one text: `{level="info",app="y"}`. Names and values may be quoted like strings of Go.

const MAX_LABELS = 100;
const MAX_LABELS_BYTES = 64 * 1024;

export type Label = readonly [name: string, value: string];

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/y;
const BLANKS = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2})|(.))/gs;
const LETTERS: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', '"': '"', "'": "'" },
};
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

/** Undefined where an escape stands for nothing. Escapes of bytes together are UTF-8. */
function unescaped(text: string): string | undefined {
  if (!text.includes('\\')) return text;
  const parts: Buffer[] = [];
  let from = 0;
  for (const found of text.matchAll(ESCAPE)) {
    const letter = letterOf(found);
    if (letter === undefined) return undefined;
    parts.push(Buffer.from(text.slice(from, found.index)), letter);
    from = found.index + found[0].length;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(from))]).toString('utf8');
}

function letterOf([, byte, short, long, octal, letter = '']: RegExpMatchArray): Buffer | undefined {
  if (byte !== undefined) return Buffer.from([Number.parseInt(byte, 16)]);
  if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)]);
  const code = short ?? long;
  if (code === undefined) return Object.hasOwn(LETTERS, letter) ? Buffer.from(LETTERS[letter] ?? '') : undefined;
  const point = Number.parseInt(code, 16);
  return point > MAX_LETTER ? undefined : Buffer.from(String.fromCodePoint(point));
}
