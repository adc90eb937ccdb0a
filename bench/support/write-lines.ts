// Generated logs, written to files a few thousand lines at a time.

import { closeSync, openSync, writeSync } from 'node:fs';

const LINES_PER_WRITE = 10_000;

interface Lines {
  readonly file: string;
  readonly count: number;
  /** With its end. */
  line(at: number): string;
  tell(done: number): void;
}

/** Gives the number of bytes written. */
export function writeLines({ file, count, line, tell }: Lines): number {
  const output = openSync(file, 'w');
  let bytes = 0;
  try {
    for (let from = 0; from < count; from += LINES_PER_WRITE) {
      const length = Math.min(LINES_PER_WRITE, count - from);
      bytes += writeSync(output, Array.from({ length }, (_, at) => line(from + at)).join(''));
      tell(from + length);
    }
  } finally {
    closeSync(output);
  }
  return bytes;
}
