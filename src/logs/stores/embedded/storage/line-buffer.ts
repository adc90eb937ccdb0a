// Lines on their way to a file. The buffer is used again and again: gigabytes of short-lived ones would make the process
// swell.

const INITIAL_BYTES = 64 * 1024;
/** A buffer that a long line has made larger is let go of. */
const MAX_KEPT_BYTES = 2 * 1024 * 1024;
const LONG_TEXT = 4096;
/** Of a whole number with its sign. */
const MAX_DIGITS = 20;
const ZERO = 0x30;
const MINUS = 0x2d;

export class LineBuffer {
  #bytes: Buffer;
  #length = 0;

  constructor(initialBytes = INITIAL_BYTES) {
    this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** Valid until the next write. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }

  writeText(text: string): void {
    // No character takes more than three bytes; of a long text they are counted.
    this.#reserve(text.length > LONG_TEXT ? Buffer.byteLength(text) : 3 * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** For a few bytes; see `copy` for more. */
  writeBytes(from: Uint8Array): void {
    this.#reserve(from.length);
    const target = this.#bytes;
    const at = this.#length;
    for (let index = 0; index < from.length; index += 1) target[at + index] = from[index] ?? 0;
    this.#length += from.length;
  }

  /** `value` is a safe integer. */
  writeWhole(value: number): void {
    this.#reserve(MAX_DIGITS);
    let rest = Math.abs(value);
    let digits = 1;
    for (let bound = 10; rest >= bound; bound *= 10) digits += 1;
    if (value < 0) this.#bytes[this.#length++] = MINUS;
    this.#length += digits;
    for (let at = this.#length - 1; digits > 0; at -= 1, digits -= 1) {
      const shorter = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + (rest - 10 * shorter);
      rest = shorter;
    }
  }

  copy(from: Buffer, begin: number, end: number): void {
    this.#reserve(end - begin);
    this.#length += from.copy(this.#bytes, this.#length, begin, end);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
