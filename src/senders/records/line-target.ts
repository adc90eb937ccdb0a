// Takes the records of a body for one table: their lines in memory that is at hand, and the offsets of their members, so that a
// file can be made of them without scanning the lines.

import type { RunBuilder } from '#logs/lines/run-builder.ts';
import { MAX_LOCATED_BYTES, MemberOffsets, type SourceNames } from './member-offsets.ts';

export class LineTarget {
  /** For the lines of the first table. */
  readonly memory: Buffer;
  readonly members: MemberOffsets;
  readonly run: RunBuilder;
  #isGivenUp = false;

  constructor(memory: Buffer, source: SourceNames, run: RunBuilder) {
    this.memory = memory;
    this.members = new MemberOffsets(source);
    this.run = run;
    run.begin();
  }

  /** Whether the run has all records. */
  get isWhole(): boolean {
    return !this.#isGivenUp && this.members.isWhole && this.run.count > 0;
  }

  /** Says that there are records which the run does not have. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** The record whose members were found last has become the line from one offset to before another. */
  add(from: number, end: number): void {
    if (this.#isGivenUp) return;
    const { members, run } = this;
    if (!members.isWhole || end - from > MAX_LOCATED_BYTES) this.giveUp();
    else members.addTo(run, from, end);
  }
}
