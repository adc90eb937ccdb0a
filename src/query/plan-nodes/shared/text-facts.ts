// What an index tells of stored texts before they are read: fields that surely do not hold a phrase of fulltext, and words that
// stand in a field without capital letters alone. With nothing known every field is searched in lower case.

import type { Term } from '#query/functions/text-tests.ts';

/** Of some rows, by `phraseKey`. Phrases of which nothing is known may be missing. */
export type TextFacts = ReadonlyMap<string, PhraseFacts>;

export interface PhraseFacts {
  /** Fields that do not hold the phrase. */
  readonly absent: ReadonlySet<string>;
  /** Whether no field without a column holds it. */
  readonly isNotInOverflow: boolean;
  /** By field, whole words of the phrase of which each text that has them in lower case has them as they are. */
  readonly plainWords: ReadonlyMap<string, readonly string[]>;
}

export const phraseKey = ({ words, openStart, openEnd }: Term): string =>
  JSON.stringify([openStart, openEnd, ...words]);

/** Equal for the same facts about the same phrases. */
export const factsKey = (facts: TextFacts): string =>
  JSON.stringify(
    [...facts].map(([phrase, { absent, isNotInOverflow, plainWords }]) => [
      phrase,
      [...absent],
      isNotInOverflow,
      [...plainWords],
    ]),
  );

/** What holds for the rows of all of them. */
export function commonFacts([first = new Map(), ...others]: readonly TextFacts[]): TextFacts {
  const inAll = (phrase: string, holds: (facts: PhraseFacts) => boolean) =>
    others.every((other) => {
      const facts = other.get(phrase);
      return facts !== undefined && holds(facts);
    });
  return new Map(
    [...first].map(([phrase, { absent, isNotInOverflow, plainWords }]) => [
      phrase,
      {
        absent: new Set([...absent].filter((field) => inAll(phrase, (facts) => facts.absent.has(field)))),
        isNotInOverflow: isNotInOverflow && inAll(phrase, (facts) => facts.isNotInOverflow),
        plainWords: new Map(
          [...plainWords].map(([field, words]) => [
            field,
            words.filter((word) => inAll(phrase, (facts) => isPlain(facts, field, word))),
          ]),
        ),
      },
    ]),
  );
}

/** A field that does not hold the phrase is not searched at all. */
const isPlain = ({ absent, plainWords }: PhraseFacts, field: string, word: string): boolean =>
  absent.has(field) || plainWords.get(field)?.includes(word) === true;
