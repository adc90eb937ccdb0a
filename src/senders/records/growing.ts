// Arrays of bytes and of numbers that grow as they are filled, and cross threads without a copy of each element.

const FIRST_LENGTH = 1024;
/** Of one UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3;

export class GrowingBytes {
  #bytes: Buffer;
  #length = 0;

  /** Begins with memory that is at hand, or with so many bytes of its own. */
  constructor(first: number | Buffer = FIRST_LENGTH) {
    this.#bytes = typeof first === 'number' ? Buffer.from(new ArrayBuffer(Math.max(first, FIRST_LENGTH))) : first;
  }

  get length(): number {
    return this.#length;
  }

  push(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  pushAll(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** The first `length` of some bytes. */
  pushStart(bytes: Buffer, length: number): void {
    this.#reserve(length);
    bytes.copy(this.#bytes, this.#length, 0, length);
    this.#length += length;
  }

  /** In UTF-8. */
  pushText(text: string): void {
    this.#reserve(text.length * MAX_UNIT_BYTES);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Nothing may be added any more. */
  finished(): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#length);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, 2 * this.#bytes.length)));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

export class GrowingNumbers {
  #numbers = new Uint32Array(FIRST_LENGTH / 4);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = value;
    this.#length += 1;
  }

  /** Nothing may be added any more. */
  finished(): Uint32Array<ArrayBuffer> {
    return this.#numbers.subarray(0, this.#length);
  }
}

/** Many short texts as bytes: a million of them cross threads as two arrays. */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  /** Of each text the byte behind it. */
  readonly ends: Uint32Array<ArrayBuffer>;
}

export class GrowingTexts {
  readonly #bytes = new GrowingBytes();
  readonly #ends = new GrowingNumbers();

  push(text: string): void {
    if (text !== '') this.#bytes.pushText(text);
    this.#ends.push(this.#bytes.length);
  }

  finished(): PackedTexts {
    return { bytes: this.#bytes.finished(), ends: this.#ends.finished() };
  }
}

export function textAt({ bytes, ends }: PackedTexts, at: number): string {
  const from = ends[at - 1] ?? 0;
  // Most bodies have no ids at all.
  if (ends[at] === from) return '';
  return Buffer.from(bytes.buffer, bytes.byteOffset).toString('utf8', from, ends[at]);
}
