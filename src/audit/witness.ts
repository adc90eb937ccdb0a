// The witness file: the head of the log after every group commit, and every checkpoint, written down outside the
// database. A cut tail or a recomputed log agrees with itself, but not with its witness.
//
// A line is either a head {id, hash, at, tags} or a checkpoint {checkpoint: {…}}. `tags` holds the first eight digits
// of the hash of each entry of the group, the head's last, so that a changed entry can be named even inside a group.

import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import type { Checkpoint } from './checkpoint.ts';

export const TAG_DIGITS = 8;
const NEWLINE = 0x0a;
const BYTES_PER_LOOK = 4096;

export interface Head {
  readonly id: number;
  readonly hash: string;
  readonly at: number;
  readonly tags: string;
}

export type Line = Head | { readonly checkpoint: Checkpoint };

export interface Witness {
  head(head: Head): void;
  /** Also flushes everything written so far to disk. */
  checkpoint(checkpoint: Checkpoint): void;
  close(): void;
}

export function openWitness(file: string): Witness {
  const opened = openSync(file, 'a+', 0o600);
  // A crash may have cut the last line off while it was written; ours must not be glued to it.
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

  return {
    head: append,
    checkpoint(checkpoint) {
      append({ checkpoint });
      fdatasyncSync(opened);
    },
    close: () => closeSync(opened),
  };
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
