// Index of the clues on one expression over records: constants by hash, compared exactly as in the language (4.2), texts by an
// automaton, address groups by one lookup each for all rules.

import { foldedText } from '#query/functions/clues.ts';
import type { Clue } from '#query/model/clue.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { Reading } from '#query/rules/condition.ts';
import type { AddressGroup } from '#query/values/addresses/address-group.ts';
import { boolOfText, numberOf, numberOfText, textOf } from '#query/values/conversions.ts';
import { timeTextOf } from '#query/values/dates/dates.ts';
import { StepsExceeded } from '#query/values/failures.ts';
import { NumberBounds } from './number-bounds.ts';
import { TextAutomaton } from './text-automaton.ts';

type Numbers = readonly number[];
type Tell = (rules: Numbers) => void;

/** The remaining scan of a long text, a chunk per step. */
type ChunkedScan = Iterator<undefined, undefined>;

/** UTF-16 units of a chunk: a scan takes about a millisecond, or several with case folding. */
const MAX_CHUNK_UNITS = 32 * 1024;

/** Key of a number: equal for a long and a double exactly if they are equal. */
type NumberKey = number | string;

export interface ExpressionIndexDeps {
  readonly zone: string;
  readonly groups: () => ReadonlyMap<string, AddressGroup>;
}

export class ExpressionIndex {
  readonly #reading: Reading;
  readonly #deps: ExpressionIndexDeps;
  /** By value of a record: the rules whose constants may equal it. */
  readonly #ofStrings = new Map<string, number[]>();
  readonly #ofNumbers = new Map<NumberKey, number[]>();
  readonly #ofNumberTexts = new Map<NumberKey, number[]>();
  readonly #ofBools = new Map<boolean, number[]>();
  readonly #ofDates = new Map<number, number[]>();
  readonly #texts = new Map<string, number[]>();
  readonly #foldedTexts = new Map<string, number[]>();
  readonly #groups = new Map<string, number[]>();
  readonly #bounds = new NumberBounds();
  readonly #anyValue: number[] = [];
  readonly #all: number[] = [];
  #automaton: TextAutomaton | undefined;
  #foldedAutomaton: TextAutomaton | undefined;

  constructor(reading: Reading, deps: ExpressionIndexDeps) {
    this.#reading = reading;
    this.#deps = deps;
  }

  add(clue: Clue<Reading>, rule: number): void {
    this.#all.push(rule);
    if (clue.kind === 'equal') this.#addConstant(clue.constant, rule);
    else if (clue.kind === 'group') put(this.#groups, clue.guid, rule);
    else if (clue.kind === 'order') this.#bounds.add(clue, rule);
    else if (clue.kind === 'present') this.#anyValue.push(rule);
    else put(clue.ignoresCase ? this.#foldedTexts : this.#texts, clue.text, rule);
  }

  /** A string is converted to what it is compared with. */
  #addConstant(constant: string | bigint | number | boolean, rule: number): void {
    if (typeof constant === 'boolean') {
      put(this.#ofBools, constant, rule);
      put(this.#ofStrings, String(constant), rule);
    } else if (typeof constant === 'string') {
      put(this.#ofStrings, constant, rule);
      const number = numberOfText(constant);
      if (number !== null) put(this.#ofNumbers, keyOf(number), rule);
      const bool = boolOfText(constant);
      if (bool !== null) put(this.#ofBools, bool, rule);
      const date = timeTextOf(constant, this.#deps.zone);
      if (date !== null) put(this.#ofDates, date.epochMilliseconds, rule);
    } else {
      put(this.#ofNumbers, keyOf(constant), rule);
      put(this.#ofNumberTexts, keyOf(constant), rule);
    }
  }

  /** Calls `tell` with candidate rules, possibly more than once; for a long text as the returned chunks are scanned. */
  find(record: MapValue, tell: Tell): ChunkedScan | undefined {
    const value = this.#read(record);
    if (value === null) return undefined;
    if (value !== undefined) return this.#findBy(value, tell);
    tell(this.#all);
    return undefined;
  }

  #findBy(value: NonNullable<Value>, tell: Tell): ChunkedScan | undefined {
    this.#findEqual(value, tell);
    if (this.#groups.size > 0) this.#findGroups(value, tell);
    if (!this.#bounds.isEmpty) this.#findBounds(value, tell);
    if (this.#anyValue.length > 0) tell(this.#anyValue);
    return this.#texts.size > 0 || this.#foldedTexts.size > 0 ? this.#findTexts(value, tell) : undefined;
  }

  /** Undefined beyond the step limit: all rules are candidates then. */
  #read(record: MapValue): Value | undefined {
    try {
      return this.#reading.read(record);
    } catch (failure) {
      if (failure instanceof StepsExceeded) return undefined;
      throw failure;
    }
  }

  #findEqual(value: NonNullable<Value>, tell: Tell): void {
    if (typeof value === 'string') {
      tellRules(this.#ofStrings.get(value), tell);
      const number = this.#ofNumberTexts.size > 0 ? numberOfText(value) : null;
      if (number !== null) tellRules(this.#ofNumberTexts.get(keyOf(number)), tell);
    } else if (typeof value === 'bigint' || typeof value === 'number') {
      if (this.#ofNumbers.size > 0) tellRules(this.#ofNumbers.get(keyOf(value)), tell);
    } else if (typeof value === 'boolean') tellRules(this.#ofBools.get(value), tell);
    else if (value instanceof Temporal.Instant) tellRules(this.#ofDates.get(value.epochMilliseconds), tell);
  }

  /** Lists and maps are not searched: all texts are candidates. */
  #findTexts(value: NonNullable<Value>, tell: Tell): ChunkedScan | undefined {
    if (typeof value === 'object' && !(value instanceof Temporal.Instant)) {
      for (const rules of [...this.#texts.values(), ...this.#foldedTexts.values()]) tell(rules);
      return undefined;
    }
    const text = textOf(value, this.#deps.zone) ?? '';
    if (this.#texts.size > 0) this.#automaton ??= new TextAutomaton(this.#texts);
    if (this.#foldedTexts.size > 0) this.#foldedAutomaton ??= new TextAutomaton(this.#foldedTexts);
    if (text.length > MAX_CHUNK_UNITS) return this.#scanChunks(text, tell);
    this.#automaton?.scan(text, tell);
    this.#foldedAutomaton?.scan(foldedText(text), tell);
    return undefined;
  }

  *#scanChunks(text: string, tell: Tell): Generator<undefined, undefined> {
    let state = 0;
    let folded = 0;
    for (let at = 0; at < text.length; ) {
      const end = chunkEnd(text, at);
      const piece = text.slice(at, end);
      state = this.#automaton?.scan(piece, tell, state) ?? 0;
      folded = this.#foldedAutomaton?.scan(foldedText(piece), tell, folded) ?? 0;
      at = end;
      yield;
    }
  }

  #findBounds(value: NonNullable<Value>, tell: Tell): void {
    const number = numberOf(value);
    if (number !== null) this.#bounds.find(number, tell);
  }

  #findGroups(value: NonNullable<Value>, tell: Tell): void {
    const text = textOf(value, this.#deps.zone) ?? '';
    const groups = this.#deps.groups();
    for (const [guid, rules] of this.#groups) if (groups.get(guid)?.has(text)) tell(rules);
  }
}

function put<K>(map: Map<K, number[]>, key: K, rule: number): void {
  const rules = map.get(key);
  if (rules) rules.push(rule);
  else map.set(key, [rule]);
}

/** Never splits a surrogate pair. */
function chunkEnd(text: string, begin: number): number {
  const end = begin + MAX_CHUNK_UNITS;
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHalf ? end + 1 : end;
}

const tellRules = (rules: Numbers | undefined, tell: Tell): void => {
  if (rules) tell(rules);
};

/** Integers beyond the safe range of doubles use their digits. */
function keyOf(number: bigint | number): NumberKey {
  if (typeof number === 'bigint') {
    const double = Number(number);
    return Number.isSafeInteger(double) ? double : String(number);
  }
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? String(BigInt(number)) : number;
}
