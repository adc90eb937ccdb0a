// Thrift's compact protocol, as far as the heads and the footer of a Parquet file need it.

const [INT32, INT64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12] as const;

export class ThriftWriter {
  readonly #bytes: number[] = [];
  /** Of each structure around, the number of its last field. */
  readonly #last: number[] = [0];

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  int32(field: number, value: number): void {
    this.#head(field, INT32);
    this.#whole(value);
  }

  int64(field: number, value: number): void {
    this.#head(field, INT64);
    this.#whole(value);
  }

  text(field: number, value: string): void {
    this.#head(field, BINARY);
    this.#text(value);
  }

  texts(field: number, values: readonly string[]): void {
    this.#list(field, BINARY, values.length);
    for (const value of values) this.#text(value);
  }

  int32s(field: number, values: readonly number[]): void {
    this.#list(field, INT32, values.length);
    for (const value of values) this.#whole(value);
  }

  struct(field: number, write: () => void): void {
    this.#head(field, STRUCT);
    this.fields(write);
  }

  structs<T>(field: number, values: readonly T[], write: (value: T) => void): void {
    this.#list(field, STRUCT, values.length);
    for (const value of values) this.fields(() => write(value));
  }

  /** The fields of one structure, in ascending order of their numbers, with their end. */
  fields(write: () => void): void {
    this.#last.push(0);
    write();
    this.#last.pop();
    this.#bytes.push(0);
  }

  #head(field: number, type: number): void {
    const last = this.#last.pop() ?? 0;
    this.#last.push(field);
    this.#bytes.push(((field - last) << 4) | type);
  }

  #list(field: number, type: number, length: number): void {
    this.#head(field, LIST);
    if (length < 15) this.#bytes.push((length << 4) | type);
    else {
      this.#bytes.push(0xf0 | type);
      this.#unsigned(length);
    }
  }

  #text(value: string): void {
    const bytes = Buffer.from(value);
    this.#unsigned(bytes.length);
    this.#bytes.push(...bytes);
  }

  /** Of no negative number. */
  #whole(value: number): void {
    this.#unsigned(2 * value);
  }

  #unsigned(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes.push((rest % 0x80) | 0x80);
    this.#bytes.push(rest);
  }
}
