// SQL of the phrases of fulltext (7.1): which rows hold one in some field, without regard to case.

import { GAP, phrasePattern, type Term } from '#query/functions/text-tests.ts';
import type { Column, Rows } from '#query/model/columns.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { toText } from '#query/sql/conversion.ts';
import type { Sql, SqlType } from '#query/sql/scope.ts';
import { alias } from './sql-text.ts';
import { phraseKey, type TextFacts } from './text-facts.ts';

export class PhraseCompiler {
  readonly #rows: Rows;
  readonly #compiler: PlanCompiler;
  readonly #facts: TextFacts;

  constructor(rows: Rows, compiler: PlanCompiler, facts: TextFacts) {
    this.#rows = rows;
    this.#compiler = compiler;
    this.#facts = facts;
  }

  lowered(value: Sql): string {
    return `lower(${toText(value, this.#compiler.writer()).text})`;
  }

  /** Plain conditions that hold for every row with the phrase. */
  required(phrase: Term): string[] {
    const facts = this.#facts.get(phraseKey(phrase));
    const fields = this.#searched(phrase);
    const isInText = fields.every(({ type }) => type === 'string') && (!this.#rows.overflow || facts?.isNotInOverflow);
    return isInText ? someOf(fields.map((field) => this.#words(field, phrase))) : [];
  }

  /** The columns that may hold a phrase. */
  #searched(phrase: Term): Column[] {
    const facts = this.#facts.get(phraseKey(phrase));
    return this.#rows.columns.filter(
      ({ name, type }) => !name.startsWith('_') && mayHold(type, phrase.words) && !facts?.absent.has(name),
    );
  }

  /** Plain searches for words come before the regular expressions, which stand once for all fields: they are slow to prepare. */
  inSomeField(phrase: Term): string {
    const [first = ''] = phrase.words;
    const word = this.#compiler.bind(first).text;
    const fields = this.#searched(phrase).map((field) => this.#fieldText(field, phrase, word));
    const { overflow } = this.#rows;
    const rest =
      overflow && !this.#facts.get(phraseKey(phrase))?.isNotInOverflow
        ? [this.#overflowTexts(this.#compiler.column(overflow.id), jsonMayHold(alias(overflow.id), word, first))]
        : [];
    const [only] = fields;
    if (!only && rest.length === 0) return 'false';
    const mayHoldIt = [...fields, ...rest].map(({ mayHoldWords }) => mayHoldWords).join(' or ');
    const guarded = (test: string) => `case when ${mayHoldIt} then coalesce(${test}, false) else false end`;
    if (only && fields.length === 1 && rest.length === 0) return guarded(this.#holds(only.text, phrase));
    const texts = fields.map(({ text, mayHoldWords }) => `case when ${mayHoldWords} then ${text} end`);
    const lists = [...(texts.length > 0 ? [`[${texts.join(', ')}]`] : []), ...rest.map(({ text }) => text)];
    const list = lists.length === 1 ? lists[0] : `list_concat(${lists.join(', ')})`;
    const one = this.#compiler.writer().variable();
    return guarded(`len(list_filter(${list}, lambda ${one}: ${this.#holds(one, phrase)})) > 0`);
  }

  /** The text of a field in lower case, and a quick test without which it does not hold the phrase. */
  #fieldText(field: Column, phrase: Term, word: string): FieldText {
    const column = this.#compiler.column(field.id);
    const text = this.lowered(column);
    if (column.type === 'string') return { text, mayHoldWords: `(${this.#words(field, phrase).join(' and ')})` };
    if (!JSON_TYPES.includes(column.type)) return { text, mayHoldWords: `contains(${text}, ${word})` };
    return { text, mayHoldWords: jsonMayHold(column.text, word, phrase.words[0] ?? '') };
  }

  /** Whether a text in lower case holds the phrase. A class of all letters takes RE2 milliseconds to compile, for each place. */
  #holds(text: string, phrase: Term): string {
    const { words, openStart, openEnd } = phrase;
    const compiler = this.#compiler;
    const matches = (gap: string) => `regexp_matches(${text}, ${compiler.bind(phrasePattern(phrase, gap)).text})`;
    if (!words.every(isUsual)) return matches(GAP);
    const spaced = compiler.bind(`${openStart ? '' : ' '}${words.join(' ')}${openEnd ? '' : ' '}`).text;
    return `case when ${matches(ASCII_GAP)} then true when ${matches(WIDE_GAP)} then contains(${wordsSql(text)}, ${spaced}) else false end`;
  }

  /** That the text of a field has the words. To make it lower takes longer than to search it, and is not always needed. */
  #words({ id, name }: Column, phrase: Term): string[] {
    const compiler = this.#compiler;
    const column = compiler.column(id);
    const known = this.#facts.get(phraseKey(phrase))?.plainWords.get(name) ?? [];
    const plain = longest(new Set([...phrase.words.filter(isCaseless), ...known]), MAX_SOUGHT);
    if (plain.length > 0) return plain.map((word) => `contains(${column.text}, ${compiler.bind(word).text})`);
    return longest(phrase.words, 1).map((word) => `contains(${this.lowered(column)}, ${compiler.bind(word).text})`);
  }

  /** Texts of the fields without a column, as a list. Most rows have none. */
  #overflowTexts({ text }: Sql, mayHoldWords: string): FieldText {
    const writer = this.#compiler.writer();
    const entry = writer.variable();
    const value = `lower(${toText({ text: `${entry}[2]::json`, type: 'any', isPlain: true }, writer).text})`;
    const named = `list_filter(list_zip(json_keys(${text}), ${text}->'$.*'), lambda ${entry}: not starts_with(${entry}[1], '_'))`;
    return {
      text: `case when ${mayHoldWords} then list_transform(${named}, lambda ${entry}: ${value}) end`,
      mayHoldWords: `(${text} is not null and ${mayHoldWords})`,
    };
  }
}

interface FieldText {
  readonly text: string;
  readonly mayHoldWords: string;
}

/** Parts of gaps between words: the one is no letter and no digit in any case, the other is all that may be neither. */
const ASCII_GAP = '[\\x00-\\x2f:-@\\[-`{-\\x7f]';
const WIDE_GAP = '[^0-9A-Za-z]';

/** ASCII and Korean words: what belongs to others depends on the version of Unicode. */
const isUsual = (word: string): boolean => /^[\da-z\uac00-\ud7a3]+$/.test(word);

/** Digits and Korean letters: no other character becomes one of them in lower case. */
const isCaseless = (word: string): boolean => /^[\d\uac00-\ud7a3]+$/.test(word);

/** Words that are sought one by one: the longest say most. */
const MAX_SOUGHT = 4;

const longest = (words: Iterable<string>, count: number): string[] =>
  [...words].sort((one, other) => other.length - one.length).slice(0, count);

/** A condition that holds where one of several does, each given as the conditions that it needs; none where one needs none. */
export function someOf(each: readonly (readonly string[])[]): string[] {
  if (each.length === 1) return [...(each[0] ?? [])];
  if (each.some((conditions) => conditions.length === 0)) return [];
  return [each.length === 0 ? 'false' : `(${each.map((conditions) => `(${conditions.join(' and ')})`).join(' or ')})`];
}

const JSON_TYPES: readonly SqlType[] = ['any', 'map', 'list'];

/** Values whose texts have words that their JSON lacks: characters as numbers, and for digits dates and some numbers. */
const OTHERWISE_WRITTEN = { words: String.raw`\\u`, digits: String.raw`\\u|"[$]date"|[0-9][eE]|[0-9]{16}` };

/** False for a value whose text surely lacks the word: much quicker than that text, which the local evaluator may have to write. */
const jsonMayHold = (json: string, word: string, first: string): string =>
  `(contains(lower(${json}::varchar), ${word}) or regexp_matches(${json}::varchar, '${OTHERWISE_WRITTEN[/^[\de]*$/.test(first) ? 'digits' : 'words']}'))`;

/** Characters of the words that values of a type are made of; other types may hold any. */
const WORD_CHARACTERS: Partial<Record<SqlType, RegExp>> = {
  null: /(?!)/,
  bool: /^[aeflrstu]+$/,
  long: /^\d+$/,
  double: /^[\de]+$/,
  date: /^\d+$/,
};

/** Whether some value of a type can hold all the words: what cannot need not be made text of. */
export const mayHold = (type: SqlType, words: readonly string[]): boolean =>
  words.every((word) => WORD_CHARACTERS[type]?.test(word) ?? true);

/** The words of a text with blanks around them. */
export const wordsSql = (text: string): string => `(' ' || regexp_replace(${text}, '${GAP}+', ' ', 'g') || ' ')`;
