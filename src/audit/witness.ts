// The witness file: the head of the log after every group commit, and every checkpoint, written down outside the
// database. A cut tail or a recomputed log agrees with itself, but not with its witness.
//
// A line is either a head {id, hash, at, tags} or a checkpoint {checkpoint: {…}}. `tags` holds the first eight digits
// of the hash of each entry since the line before, so that a changed entry can be named even inside a group.

import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Checkpoint } from './checkpoint.ts';

export const TAG_DIGITS = 8;

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
  const opened = openSync(file, 'a', 0o600);
  const append = (line: Line) => writeSync(opened, `${JSON.stringify(line)}\n`);
  return {
    head: append,
    checkpoint(checkpoint) {
      append({ checkpoint });
      fdatasyncSync(opened);
    },
    close: () => closeSync(opened),
  };
}

/** The lines in order. A last line without its end was cut off by a crash while it was written, and is left out. */
export function readWitness(file: string): readonly Line[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as Line);
}

/** The newest head that was witnessed. */
export function newestHead(lines: readonly Line[]): Head | undefined {
  return lines.findLast((line): line is Head => 'hash' in line);
}
