// The work that a record or a row may take, in steps: one for each evaluated operation, and one more for each 64 characters
// or elements that it reads or makes. Counted before the work is done wherever it can be told before, so that what would
// take too long does not begin.

import type { FunctionDeclaration } from '#query/model/function.ts';
import type { Value } from '#query/model/values.ts';
import { StepsExceeded } from './failures.ts';
import { ELEMENT, lengthOf, sizeOf } from './sizes.ts';

/** Of writing what lists and maps hold as a text, and of reading it. */
export const JSON_WEIGHT = 8;

/** Of a pass over the code points of a text, as changing their case takes. */
export const FOLDING_WEIGHT = 8;

/** Of writing bytes as letters, of reading them, and of what keys and hashes make of them. */
export const CODING_WEIGHT = 2;

/** Of a pass over the elements of a list. */
export const ELEMENT_WEIGHT = 4;

/** All rules together may take so many times as much for a record as one of them. */
const RULES_PER_RECORD = 10;

/**
 * Counts for one thread: what evaluates a record is not interrupted, so rules share one.
 */
export class StepMeter {
  /** For one rule and record, or for one row of a query. */
  readonly most: number;
  /**
   * Whether what takes longer than a plain pass counts for more: so it is where everybody waits for the record. A row in a
   * thread of its query counts by characters and elements alone.
   */
  readonly isWeighed: boolean;
  #left: number;
  /** What the present rule was given. */
  #granted: number;
  /** For the rules that have not judged the record yet, and the present one. */
  #ofRecord: number;

  constructor(most: number, { isWeighed = true }: { readonly isWeighed?: boolean } = {}) {
    this.most = most;
    this.isWeighed = isWeighed;
    this.#left = most;
    this.#granted = most;
    this.#ofRecord = most * RULES_PER_RECORD;
  }

  /** A new record or row, or one that has taken some steps before others were looked at. */
  beginRecord(spent = 0): void {
    this.#ofRecord = this.most * RULES_PER_RECORD - spent;
    this.#granted = Math.min(this.most, Math.max(0, this.#ofRecord));
    this.#left = this.#granted;
  }

  /** The record goes on where it was left, with what is left of what was granted to it then. */
  resumeRecord(spent: number): void {
    this.beginRecord();
    this.#left -= spent;
  }

  /** The next rule looks at the record; it gets what is left for the record where that is less. */
  beginRule(): void {
    this.beginRecord(this.spent);
  }

  /** Whether the rules before have taken everything that there was for the record. */
  get isRecordSpent(): boolean {
    return this.spent >= this.most * RULES_PER_RECORD;
  }

  /** Steps since the record began. */
  get spent(): number {
    const ofRule = Math.min(this.#granted - this.#left, this.#granted);
    return this.most * RULES_PER_RECORD - this.#ofRecord + ofRule;
  }

  take(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new StepsExceeded(this.most);
  }

  /** For work of an engine that is counted by itself. */
  takeWork(count: number): void {
    this.take(this.isWeighed ? count : count / PLAIN_WORK);
  }

  /** For so many characters, of which 64 are `weight` steps. */
  takeCharacters(count: number, given = 1): void {
    const weight = this.#weightOf(given);
    if (count >= CHARACTERS_PER_STEP / weight) this.take(Math.floor((count * weight) / CHARACTERS_PER_STEP));
  }

  /** For a member of a map that is read: to look for it among the others takes longer than its letters tell. */
  takeMember(): void {
    if (this.isWeighed) this.take(1);
  }

  /** An operation that reads or makes this value; of a list or map only itself, not what its elements hold. */
  takeShallow(value: Value, weight = 1): void {
    if (isLong(value)) this.takeCharacters(lengthOf(value) / this.#perElement(value), weight);
  }

  /** An operation that reads or makes this value with all that is in it. */
  takeDeep(value: Value, weight = 1): void {
    if (!isLong(value)) return;
    const least = lengthOf(value);
    // To add up what many elements hold takes long by itself.
    const isTooMuch = (least * this.#weightOf(weight)) / CHARACTERS_PER_STEP > this.#left + 1;
    this.takeCharacters(isTooMuch ? least : sizeOf(value), weight);
  }

  #weightOf(given: number): number {
    return this.isWeighed ? given : Math.min(1, given);
  }

  /** Sizes count an element as several characters. */
  #perElement(value: Value): number {
    return this.isWeighed || typeof value === 'string' ? 1 : ELEMENT;
  }
}

const CHARACTERS_PER_STEP = 64;
/** Threads and states of a pattern that are one step where nobody waits for them. */
const PLAIN_WORK = 16;

/** Where nobody bounds the work. */
export class UnlimitedSteps extends StepMeter {
  constructor() {
    super(0, { isWeighed: false });
  }

  override take(): void {}
}

/** Numbers, truth values and dates are read in no time. */
const isLong = (value: Value): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);

/** Steps beyond the first for reading a text. */
export const longText = (value: Value): number => (typeof value === 'string' ? value.length >> 6 : 0);

/** To write a date takes as long as to write so many. */
const DATE_CHARACTERS = 192;

/** What a call reads of an argument. */
export function charactersIn(value: Value, reads: FunctionDeclaration['reads']): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Temporal.Instant) return reads === 'all' ? DATE_CHARACTERS : 0;
  return reads === 'all' ? sizeOf(value) : reads === 'elements' ? lengthOf(value) : 0;
}
