// Gathers what is found in lines for a batch. The arrays are used again and again; a batch gets copies of its own size.

import type { LineBatch } from '#logs/log-store.ts';
import { releaseBytes } from '#runtime/release-bytes.ts';

const INITIAL_LINES = 1024;

export type BatchOffsets = Omit<LineBatch, 'records' | 'locate' | 'bytes' | 'fields' | 'file'>;

export class LineBatchBuilder {
  count = 0;
  #members = 0;
  #begins = new Uint32Array(INITIAL_LINES);
  #ends = new Uint32Array(INITIAL_LINES);
  #times = new Float64Array(INITIAL_LINES);
  #firstMembers = new Uint32Array(INITIAL_LINES + 1);
  #memberBegins = new Uint32Array(16 * INITIAL_LINES);
  #memberValues = new Uint32Array(16 * INITIAL_LINES);
  #memberEnds = new Uint32Array(16 * INITIAL_LINES);
  #memberFields = new Uint16Array(16 * INITIAL_LINES);
  /** Members of the line that has not ended yet stand behind those of the others. */
  #unended = 0;

  begin(): void {
    this.count = 0;
    this.#members = 0;
    this.#unended = 0;
  }

  member(field: number, begin: number, value: number, end: number): void {
    const at = this.#members + this.#unended;
    if (at === this.#memberFields.length) this.#growMembers();
    this.#memberFields[at] = field;
    this.#memberBegins[at] = begin;
    this.#memberValues[at] = value;
    this.#memberEnds[at] = end;
    this.#unended += 1;
  }

  /** Ends a line that is a record. */
  line(begin: number, end: number, time: number): void {
    if (this.count === this.#begins.length) this.#growLines();
    this.#begins[this.count] = begin;
    this.#ends[this.count] = end;
    this.#times[this.count] = time;
    this.#firstMembers[this.count] = this.#members;
    this.#members += this.#unended;
    this.#unended = 0;
    this.count += 1;
  }

  /** Ends a line that is none. */
  drop(): void {
    this.#unended = 0;
  }

  /** Of the records from one offset on. Valid until the next line. */
  view(from = 0): BatchOffsets {
    const { count } = this;
    const members = this.#members;
    this.#firstMembers[count] = members;
    return {
      count: count - from,
      begins: this.#begins.subarray(from, count),
      ends: this.#ends.subarray(from, count),
      times: this.#times.subarray(from, count),
      firstMembers: this.#firstMembers.subarray(from, count + 1),
      memberBegins: this.#memberBegins.subarray(0, members),
      memberValues: this.#memberValues.subarray(0, members),
      memberEnds: this.#memberEnds.subarray(0, members),
      memberFields: this.#memberFields.subarray(0, members),
    };
  }

  offsets(): BatchOffsets {
    const view = this.view();
    return {
      count: view.count,
      begins: view.begins.slice(),
      ends: view.ends.slice(),
      times: view.times.slice(),
      firstMembers: view.firstMembers.slice(),
      memberBegins: view.memberBegins.slice(),
      memberValues: view.memberValues.slice(),
      memberEnds: view.memberEnds.slice(),
      memberFields: view.memberFields.slice(),
    };
  }

  #growMembers(): void {
    const size = 2 * this.#memberFields.length;
    this.#memberFields = grown(this.#memberFields, new Uint16Array(size));
    this.#memberBegins = grown(this.#memberBegins, new Uint32Array(size));
    this.#memberValues = grown(this.#memberValues, new Uint32Array(size));
    this.#memberEnds = grown(this.#memberEnds, new Uint32Array(size));
  }

  #growLines(): void {
    const size = 2 * this.#begins.length;
    this.#begins = grown(this.#begins, new Uint32Array(size));
    this.#ends = grown(this.#ends, new Uint32Array(size));
    this.#times = grown(this.#times, new Float64Array(size));
    this.#firstMembers = grown(this.#firstMembers, new Uint32Array(size + 1));
  }
}

function grown<T extends Uint16Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Of a batch that has copies: nobody may read it afterwards. */
export function releaseOffsets(batch: BatchOffsets): void {
  for (const list of [batch.begins, batch.ends, batch.times, batch.firstMembers]) releaseBytes(list);
  for (const list of [batch.memberBegins, batch.memberValues, batch.memberEnds, batch.memberFields]) releaseBytes(list);
}
