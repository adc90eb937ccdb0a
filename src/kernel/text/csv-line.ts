// One line of separated values after RFC 4180. Malformed quoting is reported, so that a reader may reject or accept it.

export interface CsvMarks {
  readonly separator: string;
  readonly quote: string;
}

interface CsvLine {
  readonly values: readonly string[];
  /** Whether each value was quoted. */
  readonly quoted: readonly boolean[];
  /** False if a quote stands inside of an unquoted value, is not closed, or is followed by more than a separator. */
  readonly isWellFormed: boolean;
}

/** An unclosed quote extends to the end. At most `maxValues + 1` values are parsed. */
export function parseCsvLine(
  text: string,
  { separator, quote }: CsvMarks,
  maxValues = Number.POSITIVE_INFINITY,
): CsvLine {
  const values: string[] = [];
  const quoted: boolean[] = [];
  let isWellFormed = true;
  for (let at = 0; ; at += separator.length) {
    const isQuoted = text.startsWith(quote, at);
    const inside = isQuoted ? parseQuoted(text, at, quote) : { value: '', end: at, isClosed: true };
    const end = indexOr(text, separator, inside.end);
    const rest = text.slice(inside.end, end);
    isWellFormed &&= inside.isClosed && (isQuoted ? rest === '' : !rest.includes(quote));
    values.push(inside.value + rest);
    quoted.push(isQuoted);
    at = end;
    if (at >= text.length || values.length > maxValues) return { values, quoted, isWellFormed: isWellFormed };
  }
}

function parseQuoted(text: string, begin: number, quote: string) {
  const from = begin + quote.length;
  const pair = quote + quote;
  let close = text.indexOf(quote, from);
  while (close !== -1 && text.startsWith(pair, close)) close = text.indexOf(quote, close + pair.length);
  const isClosed = close !== -1;
  const inside = text.slice(from, isClosed ? close : text.length);
  const end = isClosed ? close + quote.length : text.length;
  return { value: inside.includes(quote) ? unescapeQuotes(inside, quote) : inside, end, isClosed };
}

/** Each pair of quotes as one quote. A regular expression is much faster for hundreds of thousands of pairs. */
const unescapeQuotes = (text: string, quote: string): string =>
  text.replace(new RegExp(RegExp.escape(quote + quote), 'g'), quote.replaceAll('$', '$$$$'));

function indexOr(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found === -1 ? text.length : found;
}
