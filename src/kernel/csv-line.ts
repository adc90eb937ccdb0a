// One line of separated values after RFC 4180. Whether the quoting is sound is told, so that a reader may insist on it or not.

export interface CsvMarks {
  readonly separator: string;
  readonly quote: string;
}

export interface CsvLine {
  readonly values: readonly string[];
  /** Which of the values stood in quotes. */
  readonly quoted: readonly boolean[];
  /** False where a quote stands inside of a plain value, or is not closed, or is followed by more than a separator. */
  readonly isWellFormed: boolean;
}

/** A quote that is not closed runs to the end. What stands behind `most` values is not looked at, but for one more. */
export function csvLine(text: string, { separator, quote }: CsvMarks, most = Number.POSITIVE_INFINITY): CsvLine {
  const values: string[] = [];
  const quoted: boolean[] = [];
  let isSound = true;
  for (let at = 0; ; at += separator.length) {
    const isQuoted = text.startsWith(quote, at);
    const inside = isQuoted ? quotedValue(text, at, quote) : { value: '', end: at, isClosed: true };
    const end = indexOr(text, separator, inside.end);
    const rest = text.slice(inside.end, end);
    isSound &&= inside.isClosed && (isQuoted ? rest === '' : !rest.includes(quote));
    values.push(inside.value + rest);
    quoted.push(isQuoted);
    at = end;
    if (at >= text.length || values.length > most) return { values, quoted, isWellFormed: isSound };
  }
}

function quotedValue(text: string, begin: number, quote: string) {
  const from = begin + quote.length;
  const pair = quote + quote;
  let close = text.indexOf(quote, from);
  while (close !== -1 && text.startsWith(pair, close)) close = text.indexOf(quote, close + pair.length);
  const isClosed = close !== -1;
  const inside = text.slice(from, isClosed ? close : text.length);
  const end = isClosed ? close + quote.length : text.length;
  return { value: inside.includes(quote) ? unpaired(inside, quote) : inside, end, isClosed };
}

/** Each pair of quotes as one. By a pattern, which is much quicker where there are hundreds of thousands. */
const unpaired = (text: string, quote: string): string =>
  text.replace(new RegExp(RegExp.escape(quote + quote), 'g'), quote.replaceAll('$', '$$$$'));

function indexOr(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found === -1 ? text.length : found;
}
