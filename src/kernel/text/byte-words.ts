// Four bytes of a text at once, as a word of 32 bits. A byte that is looked for borrows from its highest bit when it is made zero and
// lessened by one; a byte before it may borrow too, so a word tells only whether one is there.

const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const BLANKS = 0x20202020;

export function hasBackslash(word: number): boolean {
  const rest = word ^ BACKSLASHES;
  return ((rest - ONES) & ~rest & HIGH_BITS) !== 0;
}

/** Whether none is a quotation mark, a backslash or a control character. */
export function isPlainWord(word: number): boolean {
  const quote = word ^ QUOTES;
  const backslash = word ^ BACKSLASHES;
  const borrows = ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash) | ((word - BLANKS) & ~word);
  return (borrows & HIGH_BITS) === 0;
}
