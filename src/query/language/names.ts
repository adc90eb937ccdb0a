// The spelling of names (2.5): IDENT, WORD, and words that begin with a digit inside of expressions.

/** Reserved words at a position: a field with such a name is written field("…") there (2.5). */
export type Keywords = readonly string[];

/** A colon at its end belongs to the text behind it. A dot stays, so that the error names the whole word. */
export const IDENT = /[\p{L}_@](?:[\p{L}\p{Nd}\p{M}_@.:]*[\p{L}\p{Nd}\p{M}_@.])?/uy;
export const DIGIT_WORD = /\p{Nd}(?:[\p{L}\p{Nd}\p{M}_@.:]*[\p{L}\p{Nd}\p{M}_@])?/uy;
/** Where no expression can stand. */
export const NAME_WORD = /[\p{L}\p{Nd}_@](?:[\p{L}\p{Nd}\p{M}_@.:]*[\p{L}\p{Nd}\p{M}_@.])?/uy;
export const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const WHOLE_IDENT = new RegExp(`^(?:${IDENT.source})$`, 'u');
const WHOLE_NAME = new RegExp(`^(?:${NAME_WORD.source})$`, 'u');
const WHOLE_NUMBER = new RegExp(`^(?:${NUMBER.source})$`);

/** Units of durations and of functions, those of functions in the plural too. */
const LENGTH_OF_TIME = /^\d+(?:[smhdwy]|(?:mon|year|week|day|hour|min|sec|msec)s?)$/;

/** A word of an expression that begins with a digit. */
export function kindOfDigitWord(word: string): 'number' | 'name' | 'duration' | 'unreadable' {
  if (WHOLE_NUMBER.test(word) || !/[\p{L}_]/u.test(word)) return 'number';
  if (LENGTH_OF_TIME.test(word)) return 'duration';
  return word.startsWith('0x') ? 'unreadable' : 'name';
}

/** Most names are ASCII, and are known without the tables of Unicode. */
const PLAIN_IDENT = /^[A-Za-z_@][A-Za-z0-9_@]*$/;

/** True for a name that needs no quotes where no expression can stand. */
export const isName = (name: string): boolean =>
  PLAIN_IDENT.test(name) || (WHOLE_NAME.test(name) && !name.endsWith('.'));

/** True for a name that needs no quotes in an expression. */
export function isOperandName(name: string): boolean {
  if (PLAIN_IDENT.test(name)) return true;
  if (WHOLE_IDENT.test(name)) return !name.endsWith('.');
  return isName(name) && kindOfDigitWord(name) === 'name';
}

type Quote = (text: string) => string;

/** The text of a name left of `=`. */
export const targetText = (name: string, keywords: Keywords, quote: Quote): string =>
  isName(name) && !keywords.includes(name) ? name : `field(${quote(name)})`;

/** The text of a name in an expression. */
export const operandText = (name: string, keywords: Keywords, quote: Quote): string =>
  isOperandName(name) && !keywords.includes(name) ? name : `field(${quote(name)})`;

/** True if the word has a letter or digit, so that it may be meant as a name. */
export const isNameLike = (word: string): boolean => /[\p{L}\p{Nd}]/u.test(word);
