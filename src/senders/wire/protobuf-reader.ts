// Reads messages of Protocol Buffers field by field, in place: no object is made of a message, and unknown fields cost only
// their tag. Every length is checked against the message around it before it is believed.

/** The bytes are no message. */
export class MalformedProtobuf extends Error {}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
const MAX_VARINT_BYTES = 10;
/** What a 32-bit word counts for when it is the upper one of 64 bits. */
const WORD = 0x1_0000_0000;

export class ProtobufReader {
  readonly bytes: Buffer;
  /** Of the field that was read last. */
  field = 0;
  /** The words of its value, both without sign: of a varint and of fixed 64 bits; the lower one of fixed 32 bits. */
  low = 0;
  high = 0;
  /** The place of its value: of bytes without their length. */
  from = 0;
  end = 0;
  #wireType = 0;
  #at: number;
  /** Behind the message that is read. */
  #limit: number;

  constructor(bytes: Buffer, from = 0, end = bytes.length) {
    this.bytes = bytes;
    this.#at = from;
    this.#limit = end;
  }

  /** Goes to the next field of the message; false behind the last one. */
  next(): boolean {
    if (this.#at >= this.#limit) return false;
    if (this.#readShortBytes()) return true;
    this.#readVarint();
    this.field = this.low >>> 3;
    this.#wireType = this.low & 7;
    if (this.high !== 0 || this.field === 0) throw new MalformedProtobuf('the number of a field is out of range');
    if (this.#wireType === VARINT) this.#readVarint();
    else if (this.#wireType === BYTES) this.#readBytes();
    else if (this.#wireType === FIXED64) this.#readWords(8);
    else if (this.#wireType === FIXED32) this.#readWords(4);
    else throw new MalformedProtobuf('a field has no known type: groups are not read');
    return true;
  }

  /** Whether the value is one of these; a known field of another type is like an unknown one. */
  get isBytes(): boolean {
    return this.#wireType === BYTES;
  }

  get isVarint(): boolean {
    return this.#wireType === VARINT;
  }

  get isFixed64(): boolean {
    return this.#wireType === FIXED64;
  }

  get isFixed32(): boolean {
    return this.#wireType === FIXED32;
  }

  /** Reads the message from one place to another next, which must have been found before by this reader. */
  seek(from: number, end: number): void {
    this.#at = from;
    this.#limit = end;
  }

  /** Where `seek` would go on with this message. */
  get at(): number {
    return this.#at;
  }

  get limit(): number {
    return this.#limit;
  }

  /** The value as a number with sign; a bigint where a double would round it. */
  int64(): number | bigint {
    const signed = (this.high | 0) * WORD + this.low;
    return Number.isSafeInteger(signed) ? signed : (BigInt(this.high | 0) << 32n) | BigInt(this.low);
  }

  double(): number {
    return this.bytes.readDoubleLE(this.from);
  }

  /** Most fields by far: bytes, with a tag and a length of one byte each. */
  #readShortBytes(): boolean {
    const { bytes } = this;
    const from = this.#at + 2;
    const tag = bytes[from - 2] ?? 0;
    const length = bytes[from - 1] ?? 0;
    if ((tag & 0x87) !== BYTES || tag < 8 || length > 0x7f || from + length > this.#limit) return false;
    this.field = tag >>> 3;
    this.#wireType = BYTES;
    this.from = from;
    this.end = from + length;
    this.#at = this.end;
    return true;
  }

  #readBytes(): void {
    this.#readVarint();
    // Only whole bytes of the message are counted, whatever the length claims.
    if (this.high !== 0 || this.low > this.#limit - this.#at) throw new MalformedProtobuf('a length is too large');
    this.from = this.#at;
    this.#at += this.low;
    this.end = this.#at;
  }

  #readWords(count: 4 | 8): void {
    const { bytes } = this;
    const from = this.#at;
    if (this.#limit - from < count) throw new MalformedProtobuf('the message ends in a number');
    this.from = from;
    this.end = from + count;
    this.#at = this.end;
    this.low = wordAt(bytes, from);
    this.high = count === 8 ? wordAt(bytes, from + 4) : 0;
  }

  /** Of the tenth byte one bit belongs to 64. */
  #readVarint(): void {
    const { bytes } = this;
    const begin = this.#at;
    const first = bytes[begin] ?? 0;
    if (first <= 0x7f && begin < this.#limit) {
      this.#at = begin + 1;
      this.low = first;
      this.high = 0;
      return;
    }
    const most = Math.min(this.#limit, begin + MAX_VARINT_BYTES);
    let low = 0;
    let high = 0;
    for (let at = begin; at < most; at += 1) {
      const byte = bytes[at] ?? 0;
      const shift = 7 * (at - begin);
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift > 31) high |= bits << (shift - 32);
      else if (shift > 25) high |= bits >>> (32 - shift);
      if (byte > 0x7f) continue;
      this.#at = at + 1;
      this.low = low >>> 0;
      this.high = high >>> 0;
      return;
    }
    throw new MalformedProtobuf('a number has no end');
  }
}

/** Without the checks of a buffer's own reader: the place is known to be in the message. */
const wordAt = (bytes: Buffer, at: number): number =>
  ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0;

/** Exact, unlike a double of so many nanoseconds. */
export const millisecondsIn = (low: number, high: number): number =>
  high * (WORD_MILLIONS | 0) + Math.floor((high * WORD_REST + low) / 1e6);

/** 2^32 nanoseconds are so many milliseconds and so many nanoseconds. */
const WORD_MILLIONS = Math.floor(WORD / 1e6);
const WORD_REST = WORD % 1e6;
