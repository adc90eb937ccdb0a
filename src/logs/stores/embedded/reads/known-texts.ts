// What the filter of a row group tells of the phrases of fulltext: the fields that cannot hold them, and words that stand in a
// field without capital letters.

import { OVERFLOW_NUMBER } from '#logs/stores/embedded/storage/records.ts';
import {
  type GroupFilter,
  isPlainIn,
  mayHold,
  type Sought,
  soughtText,
} from '#logs/stores/embedded/text-index/group-filter.ts';
import type { Term } from '#query/functions/text-tests.ts';
import { factsKey, type PhraseFacts, phraseKey, type TextFacts } from '#query/plan-nodes/shared/text-facts.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import { mayBeIn, type SearchedField, type StoredTexts, searchedFields } from './text-holders.ts';

export type TellFacts = (group: GroupFilter) => TextFacts;

export const NO_FACTS: TextFacts = new Map();

/** Phrases times fields: telling of more takes longer than it saves. */
const MAX_ASKED = 1000;

/** Different facts about the rows of a table; of further row groups nothing is told. */
const MAX_DIFFERENT = 64;

/** The same object for the same facts. Undefined where nothing is sought. */
export function factsOf(phrases: readonly Term[], stored: StoredTexts): TellFacts | undefined {
  const fields = searchedFields(stored);
  if (phrases.length === 0 || phrases.length * fields.length > MAX_ASKED) return undefined;
  const sought = phrases.map((phrase) => soughtPhrase(phrase, fields));
  const told = new BoundedMap<string, TextFacts>({ max: MAX_DIFFERENT, evicts: 'refuse' });
  return (group) => {
    if (!group.fuse) return NO_FACTS;
    const facts = new Map(sought.map((one) => [one.key, phraseFacts(group, one)]));
    const key = factsKey(facts);
    told.getOrSet(key, () => facts);
    return told.get(key) ?? NO_FACTS;
  };
}

interface SoughtPhrase {
  readonly key: string;
  readonly text: Sought;
  /** Those of which filters know all values that may hold it. */
  readonly fields: readonly SearchedField[];
  readonly wholeWords: readonly { readonly word: string; readonly sought: Sought }[];
}

const WHOLE = { openStart: false, openEnd: false };

function soughtPhrase(phrase: Term, fields: readonly SearchedField[]): SoughtPhrase {
  const { words, openStart, openEnd } = phrase;
  const whole = words.slice(openStart ? 1 : 0, openEnd ? -1 : undefined);
  return {
    key: phraseKey(phrase),
    text: soughtText(words.join(' '), phrase),
    fields: fields.filter((field) => !mayBeIn(field, phrase)),
    wholeWords: [...new Set(whole)].map((word) => ({ word, sought: soughtText(word, WHOLE) })),
  };
}

function phraseFacts(group: GroupFilter, { text, fields, wholeWords }: SoughtPhrase): PhraseFacts {
  const absent = new Set<string>();
  const plainWords = new Map<string, readonly string[]>();
  for (const { name, numbers, isText } of fields) {
    const [number] = numbers;
    if (!numbers.some((one) => mayHold(group, one, text))) absent.add(name);
    else if (isText && number !== undefined) {
      const plain = wholeWords.filter(({ sought }) => isPlainIn(group, number, sought));
      plainWords.set(
        name,
        plain.map(({ word }) => word),
      );
    }
  }
  return { absent, isNotInOverflow: !mayHold(group, OVERFLOW_NUMBER, text), plainWords };
}
