// Takes the records of a body for one table: their lines in memory that is at hand, and the places of their members, so that a
// file can be made of them without scanning the lines.

import type { RunBuilder } from '#logs/lines/run-builder.ts';
import { MAX_PLACED_BYTES, MemberPlaces, type SourceNames } from './member-places.ts';

export class LineTarget {
  /** For the lines of the first table. */
  readonly memory: Buffer;
  readonly members: MemberPlaces;
  readonly run: RunBuilder;
  #isGivenUp = false;

  constructor(memory: Buffer, source: SourceNames, run: RunBuilder) {
    this.memory = memory;
    this.members = new MemberPlaces(source);
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

  /** The record whose members were found last has become the line from one place to before another. */
  add(from: number, end: number): void {
    if (this.#isGivenUp) return;
    const { members, run } = this;
    if (!members.isWhole || end - from > MAX_PLACED_BYTES) this.giveUp();
    else members.addTo(run, from, end);
  }
}
