// Takes the records of a body for one table: their lines in memory that is at hand, and the offsets of their members, so that a
// file can be made of them without scanning the lines.

import type { LineBatchBuilder } from '#logs/lines/line-batch-builder.ts';
import { MAX_LOCATED_BYTES, MemberOffsets, type SourceNames } from './member-offsets.ts';

export class LineTarget {
  /** For the lines of the first table. */
  readonly memory: Buffer;
  readonly members: MemberOffsets;
  readonly batch: LineBatchBuilder;
  #isGivenUp = false;

  constructor(memory: Buffer, source: SourceNames, batch: LineBatchBuilder) {
    this.memory = memory;
    this.members = new MemberOffsets(source);
    this.batch = batch;
    batch.begin();
  }

  /** Whether the batch has all records. */
  get isWhole(): boolean {
    return !this.#isGivenUp && this.members.isWhole && this.batch.count > 0;
  }

  /** Says that there are records which the batch does not have. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** The record whose members were found last has become the line from one offset to before another. */
  add(from: number, end: number): void {
    if (this.#isGivenUp) return;
    const { members, batch } = this;
    if (!members.isWhole || end - from > MAX_LOCATED_BYTES) this.giveUp();
    else members.addTo(batch, from, end);
  }
}
