// Pairs quotes inside comments: a quote opens a string only if the closing quote is on the same line (2.3). A search
// from every quote would take quadratic time on a line of `\"\"\"…`, so all pairs of a line are computed together, from
// its end to its start.

export class CommentQuotes {
  readonly #text: string;
  #lineBegin = 0;
  #lineEnd = 0;
  #straight = new Int32Array(0);
  #curly = new Int32Array(0);

  constructor(text: string) {
    this.#text = text;
  }

  /** Position of the quote that closes the one at `at`, or -1. */
  partner(at: number, quote: string): number {
    if (at < this.#lineBegin || at >= this.#lineEnd) this.#readLine(at);
    const ends = quote === '"' ? this.#straight : this.#curly;
    return ends[at + 1 - this.#lineBegin] ?? -1;
  }

  #readLine(at: number): void {
    const lineBreak = this.#text.indexOf('\n', at);
    this.#lineBegin = at;
    this.#lineEnd = lineBreak === -1 ? this.#text.length : lineBreak;
    this.#straight = this.#endsFrom('"');
    this.#curly = this.#endsFrom('"“”„＂');
  }

  /** For every position of the line: the end of a string whose contents begin there. */
  #endsFrom(closing: string): Int32Array<ArrayBuffer> {
    const length = this.#lineEnd - this.#lineBegin;
    const ends = new Int32Array(length + 2).fill(-1);
    for (let index = length - 1; index >= 0; index -= 1) {
      const character = this.#text.charAt(this.#lineBegin + index);
      if (character === '\\') ends[index] = ends[index + 2] ?? -1;
      else ends[index] = closing.includes(character) ? this.#lineBegin + index : (ends[index + 1] ?? -1);
    }
    return ends;
  }
}
