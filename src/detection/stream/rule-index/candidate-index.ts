// Index of candidate rules for a record: the cost grows with the candidates, not with all rules. A rule is indexed by its rarest
// necessary clue; a rule without clues is always a candidate.

import type { Clue, Clues } from '#query/model/clue.ts';
import type { MapValue } from '#query/model/values.ts';
import { weightOf } from '#query/rules/clues.ts';
import type { Reading } from '#query/rules/condition.ts';
import { ExpressionIndex, type ExpressionIndexDeps } from './expression-index.ts';

/** A rule with its clues. */
interface IndexedRule {
  readonly clues: readonly Clues<Reading>[];
}

export class CandidateIndex<R extends IndexedRule> {
  readonly #rules: readonly R[];
  readonly #always: readonly number[];
  readonly #subjects: readonly ExpressionIndex[];
  /** The last record for which a rule was found, to find it once per record. */
  readonly #marks: Uint32Array;
  #record = 0;

  constructor(rules: readonly R[], always: readonly number[], subjects: Iterable<ExpressionIndex>) {
    this.#rules = rules;
    this.#always = always;
    this.#subjects = [...subjects];
    this.#marks = new Uint32Array(rules.length);
  }

  /** A superset of the matching rules. Synchronous: for short records. */
  candidates(record: MapValue): R[] {
    this.#record = this.#record === 0xffff_ffff ? this.#resetMarks() : this.#record + 1;
    const found: R[] = [];
    const tell = (numbers: readonly number[]): void => {
      for (const number of numbers) {
        if (this.#marks[number] === this.#record) continue;
        this.#marks[number] = this.#record;
        const rule = this.#rules[number];
        if (rule) found.push(rule);
      }
    };
    tell(this.#always);
    for (const subject of this.#subjects) {
      const pieces = subject.find(record, tell);
      while (pieces && !pieces.next().done);
    }
    return found;
  }

  /** The same in small steps. Other records may be searched meanwhile, so no marks are used. */
  *findYielding(record: MapValue): Generator<undefined, R[]> {
    const found = new Set<number>(this.#always);
    const tell = (numbers: readonly number[]): void => {
      for (const number of numbers) found.add(number);
    };
    for (const subject of this.#subjects) {
      const pieces = subject.find(record, tell);
      do yield;
      while (pieces && !pieces.next().done);
    }
    return [...found].flatMap((number) => this.#rules[number] ?? []);
  }

  #resetMarks(): number {
    this.#marks.fill(0);
    return 1;
  }
}

/** Builds an index in small steps: thousands of rules take a while. */
export function* buildIndexYielding<R extends IndexedRule>(
  rules: readonly R[],
  deps: ExpressionIndexDeps,
): Generator<undefined, CandidateIndex<R>> {
  /** Number of rules by clue. */
  const popularity = new Map<string, number>();
  for (const { clues } of rules) {
    for (const clue of clues.flat()) popularity.set(keyOf(clue), (popularity.get(keyOf(clue)) ?? 0) + 1);
    yield;
  }
  const subjects = new Map<string, ExpressionIndex>();
  const always: number[] = [];
  for (const [number, { clues: needed }] of rules.entries()) {
    const clues = rarest(needed, popularity);
    if (!clues) always.push(number);
    for (const clue of clues ?? []) {
      const { of } = clue;
      const subject = subjects.get(of.key) ?? new ExpressionIndex(of, deps);
      subjects.set(of.key, subject);
      subject.add(clue, number);
    }
    yield;
  }
  return new CandidateIndex(rules, always, subjects.values());
}

/** Builds an index synchronously. */
export function buildIndex<R extends IndexedRule>(rules: readonly R[], deps: ExpressionIndexDeps): CandidateIndex<R> {
  const building = buildIndexYielding(rules, deps);
  for (;;) {
    const step = building.next();
    if (step.done) return step.value;
  }
}

function rarest(
  needed: readonly Clues<Reading>[],
  popularity: ReadonlyMap<string, number>,
): Clues<Reading> | undefined {
  let best = needed[0];
  let least = Number.POSITIVE_INFINITY;
  if (needed.length < 2) return best;
  for (const clues of needed) {
    const weight = clues.reduce((sum, clue) => sum + weightOf(clue) * (popularity.get(keyOf(clue)) ?? 1), 0);
    if (weight < least) [best, least] = [clues, weight];
  }
  return best;
}

/** Cached per clue: the index is rebuilt with every change of another rule. */
const keys = new WeakMap<Clue<Reading>, string>();

function keyOf(clue: Clue<Reading>): string {
  const known = keys.get(clue);
  if (known !== undefined) return known;
  const key = `${clue.kind} ${operandOf(clue)} ${clue.of.key}`;
  keys.set(clue, key);
  return key;
}

function operandOf(clue: Clue<Reading>): string {
  switch (clue.kind) {
    case 'equal':
      return `${typeof clue.constant} ${clue.constant}`;
    case 'text':
      return clue.text;
    case 'group':
      return clue.guid;
    case 'order':
      return `${clue.is} ${clue.bound}`;
    case 'present':
      return '';
  }
}
