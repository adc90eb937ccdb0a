// The witness file: the head of the log after every group commit, and every checkpoint, recorded outside the database.
// A cut or recomputed log is consistent in itself, but not with its witness. A line is either a head {id, hash, at,
// tags} or a checkpoint {checkpoint: {…}}. `tags` holds the first eight digits of the hash of each entry of the group,
// the head last, so that a changed entry is identified even inside a group.

import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Checkpoint } from './checkpoint.ts';

export const TAG_DIGITS = 8;
const NEWLINE = 0x0a;
const BYTES_PER_LOOK = 4096;
/** More than the longest line: a head with a tag for each of a thousand entries. */
const BYTES_FOR_HEAD = 64 * 1024;

export interface Head {
  readonly id: number;
  readonly hash: string;
  readonly at: number;
  readonly tags: string;
}

export type Line = Head | { readonly checkpoint: Checkpoint };

export interface Witness {
  head(head: Head): void;
  /** Also flushes all earlier lines to disk. */
  checkpoint(checkpoint: Checkpoint): void;
  /** Flushes the lines since the last flush in the background. */
  flush(): void;
  close(): void;
}

export function openWitness(file: string): Witness {
  const opened = openSync(file, 'a+', 0o600);
  // A crash may have cut off the last line; the next line must not be appended to it.
  const end = endOfLastLine(opened);
  if (end < fstatSync(opened).size) ftruncateSync(opened, end);

  function append(line: Line): void {
    const { size } = fstatSync(opened);
    try {
      writeFileSync(opened, `${JSON.stringify(line)}\n`);
    } catch (error) {
      // A full disk may have taken a part of the line.
      ftruncateSync(opened, size);
      throw error;
    }
  }

  let isFlushed = true;
  let isClosed = false;
  return {
    head(head) {
      append(head);
      isFlushed = false;
    },
    checkpoint(checkpoint) {
      append({ checkpoint });
      fdatasyncSync(opened);
      isFlushed = true;
    },
    flush() {
      if (isFlushed || isClosed) return;
      isFlushed = true;
      // A failed flush is repeated with the next checkpoint; the entries themselves are safe.
      fdatasync(opened, () => undefined);
    },
    close() {
      isClosed = true;
      closeSync(opened);
    },
  };
}

/** The newest head in a file, read from its end. */
export function newestHead(file: string): Head | undefined {
  if (!existsSync(file)) return undefined;
  const { size } = statSync(file);
  const look = Buffer.alloc(Math.min(size, BYTES_FOR_HEAD));
  const opened = openSync(file, 'r');
  readSync(opened, look, 0, look.length, size - look.length);
  closeSync(opened);
  const lines = look.toString('utf8').split('\n').slice(0, -1);
  const newest = lines.findLast((line) => line.startsWith('{"id":') && line.endsWith('}'));
  return newest === undefined ? undefined : JSON.parse(newest);
}

function endOfLastLine(opened: number): number {
  const look = Buffer.alloc(BYTES_PER_LOOK);
  let end = fstatSync(opened).size;
  while (end > 0) {
    const from = Math.max(0, end - look.length);
    const found = look.subarray(0, readSync(opened, look, 0, end - from, from)).lastIndexOf(NEWLINE);
    if (found !== -1) return from + found + 1;
    end = from;
  }
  return 0;
}
