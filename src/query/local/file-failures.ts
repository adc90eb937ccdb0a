// Failures of reading a file that are found in its content. The command knows the path, and its place in the text.

/** Bytes or characters of a line, or of an element of a JSON list. */
export const MAX_LINE = 2 ** 20;

export class FileFailure extends Error {
  readonly code: 10801 | 10803;
  /** The size that was met, where that is the failure. */
  readonly size: number;

  constructor(code: 10801 | 10803, size = 0) {
    super(code === 10803 ? 'a line is too long' : 'the content cannot be read');
    this.code = code;
    this.size = size;
  }
}

export const tooLarge = (size: number): FileFailure => new FileFailure(10803, size);

export const unreadable = (): FileFailure => new FileFailure(10801);
