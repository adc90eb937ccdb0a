// What a text of JSON may be, what becomes of its values, and what is wrong with it. JsonReader reads it.

export interface JsonLimits {
  /** Lists and maps inside each other. */
  readonly depth: number;
  /** Members and elements at every depth; containers are not counted in addition, the outermost value not at all. */
  readonly values: number;
}

export type JsonFault =
  | 'json-colon'
  | 'json-depth'
  | 'json-end'
  | 'json-escape'
  | 'json-key'
  | 'json-number'
  | 'json-rest'
  | 'json-separator'
  | 'json-string'
  | 'json-value';

/** The text is not JSON, nests too deep, or holds a text that the reader does not take. */
export class MalformedJson extends Error {
  readonly fault: JsonFault;
  readonly at: number;

  constructor(fault: JsonFault, at: number) {
    super(`${fault} at ${at}`);
    this.fault = fault;
    this.at = at;
  }
}

export const malformed = (fault: JsonFault, at: number): MalformedJson => new MalformedJson(fault, at);

export class TooManyValues extends Error {}

/** `strict` is RFC 8259. `lenient` has single-quoted strings, the escape `\'` and keys without quotes besides. */
export type JsonGrammar = 'strict' | 'lenient';

/** What becomes of the values of a text. Its methods are few, because each call of one costs more than most of the reading. */
export interface JsonForm<Value, Members> {
  readonly limits: JsonLimits;
  readonly grammar: JsonGrammar;
  openMap(): Members;
  /** `members` were added before, those with equal keys included. */
  member(map: Members, key: string, value: Value, reader: Reading, members: number): void;
  closed(map: Members, reader: Reading, members: number): Value;
  /** A whole number that a double holds. */
  fewDigits(value: number): Value;
  /** Undefined where the number is out of bounds. */
  number(digits: string, isWhole: boolean): Value | undefined;
  /** In place of adding the value to the list. */
  element?(list: Value[], value: Value, reader: Reading): void;
  /** What a string or a key stands for; absent: itself. */
  string?(text: string, reader: Reading): string;
  key?(text: string, reader: Reading): string;
}

/** Where a reader is. */
export interface Reading {
  readonly text: string;
  /** Where the present value begins; after the end of a list or map, where that began. */
  readonly begin: number;
  /** Behind what was read last: for `element` and `member` this is the value. */
  readonly at: number;
  /** Lists and maps around the present value. */
  readonly depth: number;
}
