// In a comment a quote opens a string only if its partner stands on the same line (2.3). Looking for the partner anew
// from every quote would take quadratic time on a line of `\"\"\"…`, so the answers of a whole line are worked out
// together, from its end to its beginning.

export class CommentQuotes {
  readonly #text: string;
  #lineBegin = 0;
  #lineEnd = 0;
  #straight = new Int32Array(0);
  #curly = new Int32Array(0);

  constructor(text: string) {
    this.#text = text;
  }

  /** Position of the quote that closes the one at a position, or -1. */
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

  /** For every position of the line: where a string whose contents begin there ends. */
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
