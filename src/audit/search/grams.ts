// Grams of the text index: every one, two or three consecutive letters (UTF-16 units) of a text, as one number. A keyword of
// up to three letters is itself a gram, so the index alone decides; a longer one is in no text that lacks one of its grams.

const UNIT = 0x1_0000;
const LETTERS = 3;
/** Further grams of a keyword exclude hardly any text, and each is read from every block. */
const MAX_KEYS = 4;
/** Noncharacters separate the fields of a text (`searchText`), and no keyword contains one; NUL is in no stored text. */
const isBetweenFields = (unit: number): boolean => unit === 0xfdd0 || unit === 0;

export interface SoughtGrams {
  readonly keys: readonly number[];
  /** True when every text with all of these grams contains the keyword. */
  readonly isExact: boolean;
}

/** Undefined for a keyword that the index cannot find. */
export function soughtGrams(keyword: string): SoughtGrams | undefined {
  const units = Array.from({ length: keyword.length }, (_, at) => keyword.charCodeAt(at));
  if (units.length === 0 || units.some(isBetweenFields) || !keyword.isWellFormed()) return undefined;
  if (units.length <= LETTERS) return { keys: [keyOf(units)], isExact: true };
  const last = units.length - LETTERS;
  const count = Math.min(MAX_KEYS, Math.ceil(units.length / LETTERS));
  const keys = Array.from({ length: count }, (_, at) => {
    const from = Math.round((at * last) / (count - 1));
    return keyOf(units.slice(from, from + LETTERS));
  });
  return { keys: [...new Set(keys)], isExact: false };
}

const keyOf = (units: readonly number[]): number => units.reduce((key, unit) => key * UNIT + unit, 0);

/** Calls `add` for every gram of the text, once for each of its places. */
export function forEachGram(text: string, add: (key: number) => void): void {
  let before = 0;
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isBetweenFields(unit)) {
      before = 0;
      last = 0;
      continue;
    }
    add(unit);
    if (last !== 0) add(last * UNIT + unit);
    if (before !== 0) add((before * UNIT + last) * UNIT + unit);
    before = last;
    last = unit;
  }
}
