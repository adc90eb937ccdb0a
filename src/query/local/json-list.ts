// The elements of a JSON list that comes in pieces, so that a list of any length takes the memory of one element.

import { MAX_LINE, tooLarge, unreadable } from './file-failures.ts';

const MARKS = /["\\[\]{},]/g;

export class JsonList {
  /** The text of the present element so far. */
  #element = '';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isClosed = false;
  #hasElements = false;

  /** The texts of the elements that end in this piece. Throws where the text is no list. */
  *elements(piece: string): Generator<string> {
    let from = 0;
    for (let at = this.#next(piece, 0); at !== -1; at = this.#next(piece, at + 1)) {
      const isEnd = this.#take(piece.charAt(at));
      if (!isEnd) continue;
      this.#element += piece.slice(from, at);
      from = at + 1;
      if (isEnd === 'element') yield this.#whole();
      else if (isEnd === 'list' && (this.#hasElements || this.#element.trim() !== '')) yield this.#whole();
    }
    this.#element += piece.slice(from);
    if (this.#element.length > MAX_LINE) throw tooLarge(this.#element.length);
    if (this.#isClosed && this.#element.trim() !== '') throw unreadable();
  }

  end(): void {
    if (!this.#isClosed) throw unreadable();
  }

  /** The place of the next character that counts. */
  #next(piece: string, from: number): number {
    if (this.#isClosed) return -1;
    if (this.#isEscaped && from < piece.length) {
      this.#isEscaped = false;
      return this.#next(piece, from + 1);
    }
    if (this.#isInString) return nextInString(piece, from);
    MARKS.lastIndex = from;
    return MARKS.exec(piece)?.index ?? -1;
  }

  #take(mark: string): 'open' | 'element' | 'list' | undefined {
    if (this.#isInString) {
      if (mark === '"') this.#isInString = false;
      else this.#isEscaped = true;
      return undefined;
    }
    if (mark === '"') this.#isInString = true;
    else if (mark === '[' || mark === '{') return this.#opened();
    else if (mark === ']' || mark === '}') return this.#closed(mark);
    return mark === ',' && this.#depth === 1 ? 'element' : undefined;
  }

  #opened(): 'open' | undefined {
    this.#depth += 1;
    return this.#depth === 1 ? 'open' : undefined;
  }

  #closed(mark: ']' | '}'): 'list' | undefined {
    this.#depth -= 1;
    if (this.#depth > 0) return undefined;
    if (mark === '}') throw unreadable();
    this.#isClosed = true;
    return 'list';
  }

  #whole(): string {
    const element = this.#element.trim();
    this.#element = '';
    this.#hasElements = true;
    if (element === '') throw unreadable();
    if (element.length > MAX_LINE) throw tooLarge(element.length);
    return element;
  }
}

function nextInString(piece: string, from: number): number {
  for (let at = from; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at);
    if (code === 0x22 || code === 0x5c) return at;
  }
  return -1;
}
