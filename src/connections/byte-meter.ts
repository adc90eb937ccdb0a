// Counts what a server sends. A message is parsed only when it is whole, so that the drivers alone would collect any amount of
// memory for a row of a gigabyte.

import type { Duplex } from 'node:stream';
import { CeilingReached, RowTooLarge } from './databases/database-failure.ts';
import { MAX_ROW_BYTES } from './databases/database-session.ts';

export class ByteMeter {
  readonly #end: (failure: Error) => void;
  #statementBytes = 0;
  #rowBytes = 0;
  #maxBytes = MAX_ROW_BYTES;
  failure: Error | undefined;

  /** `end` breaks the connection off. */
  constructor(end: (failure: Error) => void) {
    this.#end = end;
  }

  watch(stream: Duplex): void {
    stream.prependListener('data', (chunk: Buffer) => this.#received(chunk.length));
  }

  beginStatement(maxBytes: number): void {
    this.#maxBytes = maxBytes;
    this.#statementBytes = 0;
    this.#rowBytes = 0;
  }

  /** A row, or another answer, has arrived whole. */
  arrived(): void {
    this.#rowBytes = 0;
  }

  #received(bytes: number): void {
    this.#statementBytes += bytes;
    this.#rowBytes += bytes;
    if (this.#statementBytes > this.#maxBytes) {
      this.#fail(new CeilingReached('bytes', this.#statementBytes, this.#maxBytes));
    } else if (this.#rowBytes > MAX_ROW_BYTES) this.#fail(new RowTooLarge());
  }

  #fail(failure: Error): void {
    if (this.failure) return;
    this.failure = failure;
    this.#end(failure);
  }
}
