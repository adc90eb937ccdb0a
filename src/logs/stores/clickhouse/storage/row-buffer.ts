// A growing buffer of values in the binary row format of ClickHouse.

const FIRST_BYTES = 64 * 1024;

export class RowBuffer {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#length = this.#buffer.writeUInt8(value, this.#length);
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeUInt32LE(value, this.#length);
  }

  /** Whole numbers that are exact; negative ones in two's complement, as both kinds of columns have them. */
  int64(value: number): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeBigInt64LE(BigInt(value), this.#length);
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  /** A length or a count. */
  count(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.byte((rest & 127) | 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.count(size);
    this.#reserve(size);
    this.#length += this.#buffer.write(value, this.#length, 'utf8');
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#length + size));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
