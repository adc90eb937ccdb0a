// What is left over of the records of a batch beside their columns: those that have one of the shapes of their table, and where
// the values of these are.

import { type FoundShape, SHAPE_NUMBER } from '#logs/leaf-shapes.ts';
import type { LineBatch } from '#logs/log-store.ts';
import { UsualShapes } from '#logs/usual-shapes.ts';
import type { LeafMatcher } from './leaf-matcher.ts';

/** No shape has more. */
const MAX_MEMBERS = 64;
/** Records of a batch that are looked at where shapes are sought; one is usual where so many of them have it. */
const SAMPLED = 128;
const MIN_RECORDS = 8;

export type LocatedBatch = Omit<LineBatch, 'records' | 'begins' | 'ends' | 'file'>;

export class LeftOver {
  readonly matcher: LeafMatcher;
  /** By row the number of its shape, and how many values it has; 0 for none. */
  readonly shapes: Uint8Array;
  readonly counts: Uint8Array;
  /** Numbers of the columns of all values. */
  readonly columns: readonly number[];
  /** By the indexes of columns how many values they have, and of how many bytes. */
  readonly values: Uint32Array;
  readonly valueBytes: Uint32Array;
  readonly #batch: LocatedBatch;
  /** By the index of a field. */
  readonly #isLeftOver: Uint8Array;
  readonly #members = new Uint32Array(MAX_MEMBERS);
  /** Rows that have none of the shapes. */
  readonly #others: number[] = [];

  constructor(batch: LocatedBatch, matcher: LeafMatcher, isLeftOver: Uint8Array) {
    this.#batch = batch;
    this.matcher = matcher;
    this.#isLeftOver = isLeftOver;
    this.shapes = new Uint8Array(batch.count);
    this.counts = new Uint8Array(batch.count);
    this.values = new Uint32Array(matcher.columns.length);
    this.valueBytes = new Uint32Array(matcher.columns.length);
    matcher.begin(batch, this.#members);
    if (isLeftOver.includes(1)) this.#match();
    this.columns = this.#sum();
  }

  /** Usual shapes of records that have none of the known ones, where they are sought. */
  get found(): FoundShape[] {
    if (!this.matcher.isLearning || this.#others.length < MIN_RECORDS) return [];
    const usual = new UsualShapes();
    const step = Math.ceil(this.#others.length / SAMPLED);
    for (let at = 0; at < this.#others.length; at += step) usual.add(this.#textOf(this.#others[at] ?? 0));
    return usual.withRecords(MIN_RECORDS);
  }

  #sum(): number[] {
    const { values, columns } = this.matcher;
    const end = 3 * this.counts.reduce((sum, count) => sum + count, 0);
    for (let at = 0; at < end; at += 3) {
      const index = values[at] ?? 0;
      this.values[index] = (this.values[index] ?? 0) + 1;
      this.valueBytes[index] = (this.valueBytes[index] ?? 0) + (values[at + 2] ?? 0) - (values[at + 1] ?? 0);
    }
    const used = columns.filter((_, index) => this.values[index] !== 0).map(({ number }) => number);
    return end === 0 ? [] : [...used, SHAPE_NUMBER];
  }

  #match(): void {
    for (let row = 0; row < this.#batch.count; row += 1) {
      const count = this.#membersOf(row);
      if (count === 0) continue;
      const shape = count > MAX_MEMBERS ? undefined : this.matcher.match(count);
      this.shapes[row] = shape?.number ?? 0;
      this.counts[row] = shape?.values ?? 0;
      if (!shape) this.#others.push(row);
    }
  }

  /** How many there are; the first ones are in `#members`. */
  #membersOf(row: number): number {
    const { firstMembers, memberFields } = this.#batch;
    const end = firstMembers[row + 1] ?? 0;
    let count = 0;
    for (let member = firstMembers[row] ?? 0; member < end; member += 1) {
      if (this.#isLeftOver[memberFields[member] ?? 0] !== 1) continue;
      if (count < MAX_MEMBERS) this.#members[count] = member;
      count += 1;
    }
    return count;
  }

  #textOf(row: number): string {
    const { bytes, memberBegins, memberEnds } = this.#batch;
    const count = Math.min(this.#membersOf(row), MAX_MEMBERS);
    const texts = [...this.#members.subarray(0, count)].map((member) =>
      bytes.toString('utf8', memberBegins[member], memberEnds[member]),
    );
    return `{${texts.join(',')}}`;
  }
}
