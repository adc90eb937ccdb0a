// Decompresses a block of Snappy (the block format, without frames). The length that a block declares is checked against a
// limit, and against the most that its bytes can stand for, before memory is taken.

/** The bytes are no block of Snappy. */
export class MalformedSnappy extends Error {}

/** The block declares more than it may. */
export class SnappyTooLong extends Error {}

/** An element of three bytes copies 64. */
const MAX_RATIO = 64 / 3;
const LITERAL = 0;
const NEAR_COPY = 1;
const COPY = 2;
/** From this length on, a copy by the runtime is quicker than a loop. */
const MIN_LONG_COPY = 32;

/** The length that the block declares; undefined where it declares none. */
export function snappyLength(block: Buffer): number | undefined {
  try {
    return preamble(block).length;
  } catch (error) {
    if (error instanceof MalformedSnappy) return undefined;
    throw error;
  }
}

export function decompressSnappy(block: Buffer, maxBytes: number): Buffer<ArrayBuffer> {
  const { length, at } = preamble(block);
  if (length > maxBytes) throw new SnappyTooLong(`${length} bytes are too many`);
  if (length > (block.length - at) * MAX_RATIO) throw new MalformedSnappy('so few bytes cannot stand for so many');
  const output = Buffer.from(new ArrayBuffer(length));
  return new SnappyBlock(block, at, output).decompress();
}

/** Of up to five bytes, 32 bits in all. */
function preamble(block: Buffer): { readonly length: number; readonly at: number } {
  let length = 0;
  for (let at = 0; at < 5; at += 1) {
    const byte = block[at];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte <= 0x7f && length < 2 ** 32) return { length, at: at + 1 };
  }
  throw new MalformedSnappy('the block declares no length');
}

class SnappyBlock {
  readonly #input: Buffer;
  readonly #output: Buffer<ArrayBuffer>;
  #at: number;
  #written = 0;

  constructor(input: Buffer, at: number, output: Buffer<ArrayBuffer>) {
    this.#input = input;
    this.#at = at;
    this.#output = output;
  }

  decompress(): Buffer<ArrayBuffer> {
    const input = this.#input;
    while (this.#at < input.length) {
      const tag = input[this.#at] ?? 0;
      this.#at += 1;
      const kind = tag & 3;
      if (kind === LITERAL) this.#literal(this.#literalLength(tag >>> 2));
      else if (kind === NEAR_COPY) this.#copy(((tag >>> 2) & 7) + 4, (tag >>> 5) * 256 + this.#number(1));
      else this.#copy((tag >>> 2) + 1, this.#number(kind === COPY ? 2 : 4));
    }
    if (this.#written !== this.#output.length) throw new MalformedSnappy('the block is shorter than it declares');
    return this.#output;
  }

  /** Lengths above 60 stand in the one to four bytes behind the tag. */
  #literalLength(code: number): number {
    return (code < 60 ? code : this.#number(code - 59)) + 1;
  }

  /** Little-endian. */
  #number(bytes: number): number {
    const from = this.#at;
    if (from + bytes > this.#input.length) throw new MalformedSnappy('the block ends in a tag');
    this.#at += bytes;
    let number = 0;
    for (let at = from + bytes - 1; at >= from; at -= 1) number = number * 256 + (this.#input[at] ?? 0);
    return number;
  }

  #literal(length: number): void {
    const from = this.#at;
    if (length > this.#input.length - from) throw new MalformedSnappy('the block ends in a literal');
    this.#requireRoom(length);
    const input = this.#input;
    const output = this.#output;
    const to = this.#written;
    if (length >= MIN_LONG_COPY) input.copy(output, to, from, from + length);
    else for (let index = 0; index < length; index += 1) output[to + index] = input[from + index] ?? 0;
    this.#at += length;
    this.#written += length;
  }

  /** What is copied may overlap what it is copied to: its bytes then repeat. */
  #copy(length: number, offset: number): void {
    if (offset === 0 || offset > this.#written) throw new MalformedSnappy('a copy begins before the block');
    this.#requireRoom(length);
    const output = this.#output;
    const to = this.#written;
    const from = to - offset;
    if (length >= MIN_LONG_COPY && offset >= length) output.copyWithin(to, from, from + length);
    else for (let index = 0; index < length; index += 1) output[to + index] = output[from + index] ?? 0;
    this.#written += length;
  }

  #requireRoom(bytes: number): void {
    if (bytes > this.#output.length - this.#written) throw new MalformedSnappy('the block is longer than it declares');
  }
}
