// The budget of work for a record or a row, in steps: one for each evaluated operation, and one for each 64 characters
// or elements that it reads or makes. Steps are counted before the work where possible, so that too expensive work does
// not begin.

import type { FunctionDeclaration } from '#query/model/function.ts';
import type { Value } from '#query/model/values.ts';
import { StepsExceeded } from './failures.ts';
import { ELEMENT, lengthOf, sizeOf } from './sizes.ts';

/** Weight of writing lists and maps as text, and of reading them. */
export const JSON_WEIGHT = 8;

/** Weight of a pass over the code points of a text, such as a change of case. */
export const FOLDING_WEIGHT = 8;

/** Weight of encoding and decoding bytes as text, and of encryption and hashes. */
export const CODING_WEIGHT = 2;

/** Weight of a pass over the elements of a list. */
export const ELEMENT_WEIGHT = 4;

/** All rules together may take this many times the steps of one rule for a record. */
const RULES_PER_RECORD = 10;

/** Counts for one thread. The evaluation of a record is not interrupted, so all rules share one meter. */
export class StepMeter {
  /** Limit for one rule and record, or for one row of a query. */
  readonly most: number;
  /**
   * True if work slower than a plain pass counts more steps, as on the main thread, where it delays all requests. A row
   * in the thread of its query counts by characters and elements alone.
   */
  readonly isWeighed: boolean;
  #left: number;
  /** Limit of the current rule. */
  #granted: number;
  /** Steps left for the record at the start of the current rule. */
  #ofRecord: number;

  constructor(most: number, { isWeighed = true }: { readonly isWeighed?: boolean } = {}) {
    this.most = most;
    this.isWeighed = isWeighed;
    this.#left = most;
    this.#granted = most;
    this.#ofRecord = most * RULES_PER_RECORD;
  }

  /** Starts a record or row; `spent` are the steps that it has taken before. */
  beginRecord(spent = 0): void {
    this.#ofRecord = this.most * RULES_PER_RECORD - spent;
    this.#granted = Math.min(this.most, Math.max(0, this.#ofRecord));
    this.#left = this.#granted;
  }

  /** Continues a record whose current rule has already taken `spent` steps. */
  resumeRecord(spent: number): void {
    this.beginRecord();
    this.#left -= spent;
  }

  /** Starts the next rule for the record; its limit is the rest for the record if that is less. */
  beginRule(): void {
    this.beginRecord(this.spent);
  }

  /** True if the rules so far have taken all steps of the record. */
  get isRecordSpent(): boolean {
    return this.spent >= this.most * RULES_PER_RECORD;
  }

  /** Steps since the start of the record. */
  get spent(): number {
    const ofRule = Math.min(this.#granted - this.#left, this.#granted);
    return this.most * RULES_PER_RECORD - this.#ofRecord + ofRule;
  }

  take(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new StepsExceeded(this.most);
  }

  /** Takes steps of a regex engine that counts its own work. */
  takeWork(count: number): void {
    this.take(this.isWeighed ? count : count / PLAIN_WORK);
  }

  /** Takes `weight` steps for each 64 characters. */
  takeCharacters(count: number, given = 1): void {
    const weight = this.#weightOf(given);
    if (count >= CHARACTERS_PER_STEP / weight) this.take(Math.floor((count * weight) / CHARACTERS_PER_STEP));
  }

  /** Takes a step for reading a member of a map, because its lookup costs more than its length suggests. */
  takeMember(): void {
    if (this.isWeighed) this.take(1);
  }

  /** For an operation that reads or makes this value, without the contents of a list or map. */
  takeShallow(value: Value, weight = 1): void {
    if (isLong(value)) this.takeCharacters(lengthOf(value) / this.#perElement(value), weight);
  }

  /** For an operation that reads or makes this value with its contents. */
  takeDeep(value: Value, weight = 1): void {
    if (!isLong(value)) return;
    const least = lengthOf(value);
    // Computing the size of many elements takes long itself, so it is skipped if the minimum already exceeds the limit.
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
/** Threads and states of a pattern that count as one step if the meter is not weighed. */
const PLAIN_WORK = 16;

/** A meter without a limit. */
export class UnlimitedSteps extends StepMeter {
  constructor() {
    super(0, { isWeighed: false });
  }

  override take(): void {}
  override takeWork(): void {}
  override takeCharacters(): void {}
  override takeMember(): void {}
  override takeShallow(): void {}
  override takeDeep(): void {}
}

/** False for numbers, booleans and dates, whose reading costs nothing. */
const isLong = (value: Value): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);

/** Steps for reading a text beyond the first 64 characters. */
export const longText = (value: Value): number => (typeof value === 'string' ? value.length >> 6 : 0);

/** Writing a date takes about as long as writing this many characters. */
const DATE_CHARACTERS = 192;

/** The characters of an argument that a call reads. */
export function charactersIn(value: Value, reads: FunctionDeclaration['reads']): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Temporal.Instant) return reads === 'all' ? DATE_CHARACTERS : 0;
  return reads === 'all' ? sizeOf(value) : reads === 'elements' ? lengthOf(value) : 0;
}
