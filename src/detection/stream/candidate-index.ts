// Which of many rules a record can fit at all: cost grows with those, not with how many there are. Of what a rule needs one
// thing is looked for, the one that the fewest other rules look for, too; a rule of which nothing can be told always counts.

import { type Clue, type Clues, weightOf } from '#query/clues.ts';
import type { Reading } from '#query/condition.ts';
import type { MapValue } from '#query/values.ts';
import { SubjectIndex, type SubjectParts } from './subject-index.ts';

/** A rule as far as the index knows it. */
export interface Indexed {
  readonly clues: readonly Clues<Reading>[];
}

export class CandidateIndex<R extends Indexed> {
  readonly #rules: readonly R[];
  readonly #always: readonly number[];
  readonly #subjects: readonly SubjectIndex[];
  /** The number of the record that a rule was found for last: each is found once. */
  readonly #marks: Uint32Array;
  #record = 0;

  constructor(rules: readonly R[], parts: SubjectParts) {
    this.#rules = rules;
    this.#marks = new Uint32Array(rules.length);
    const popularity = popularityOf(rules);
    const subjects = new Map<string, SubjectIndex>();
    const always: number[] = [];
    for (const [number, { clues: needed }] of rules.entries()) {
      const clues = rarest(needed, popularity);
      if (!clues) always.push(number);
      for (const clue of clues ?? []) {
        const { of } = clue;
        const subject = subjects.get(of.key) ?? new SubjectIndex(of, parts);
        subjects.set(of.key, subject);
        subject.add(clue, number);
      }
    }
    this.#always = always;
    this.#subjects = [...subjects.values()];
  }

  /** Every rule that the record fits is among them. */
  candidates(record: MapValue): R[] {
    this.#record = this.#record === 0xffff_ffff ? this.#beginAgain() : this.#record + 1;
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
    for (const subject of this.#subjects) subject.find(record, tell);
    return found;
  }

  #beginAgain(): number {
    this.#marks.fill(0);
    return 1;
  }
}

/** How many rules look for the same. */
function popularityOf(rules: readonly Indexed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { clues } of rules) {
    for (const key of new Set(clues.flat().map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function rarest(
  needed: readonly Clues<Reading>[],
  popularity: ReadonlyMap<string, number>,
): Clues<Reading> | undefined {
  const weights = new Map(
    needed.map((clues) => [
      clues,
      clues.reduce((sum, clue) => sum + weightOf(clue) * (popularity.get(keyOf(clue)) ?? 1), 0),
    ]),
  );
  const weight = (clues: Clues<Reading>) => weights.get(clues) ?? 0;
  return needed.toSorted((one, other) => weight(one) - weight(other))[0];
}

const keyOf = (clue: Clue<Reading>): string => {
  if (clue.kind === 'equal') return `${typeof clue.constant} ${clue.constant} ${clue.of.key}`;
  if (clue.kind === 'text') return `text ${clue.text} ${clue.of.key}`;
  if (clue.kind === 'group') return `group ${clue.guid} ${clue.of.key}`;
  return clue.kind === 'order' ? `${clue.is} ${clue.bound} ${clue.of.key}` : `present ${clue.of.key}`;
};
