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
  readonly isSound: boolean;
}

/** A quote that is not closed runs to the end. */
export function csvLine(text: string, { separator, quote }: CsvMarks): CsvLine {
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
    if (at >= text.length) return { values, quoted, isSound };
  }
}

function quotedValue(text: string, begin: number, quote: string) {
  const pieces: string[] = [];
  for (let from = begin + quote.length; ; ) {
    const found = text.indexOf(quote, from);
    pieces.push(text.slice(from, found === -1 ? undefined : found));
    if (found === -1) return { value: pieces.join(''), end: text.length, isClosed: false };
    from = found + quote.length;
    if (!text.startsWith(quote, from)) return { value: pieces.join(''), end: from, isClosed: true };
    pieces.push(quote);
    from += quote.length;
  }
}

function indexOr(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found === -1 ? text.length : found;
}
