// Finds which of many texts occur in a text, in one pass over it (Aho and Corasick). States times letters is one table, so
// that a step is one look into it; letters that occur in none of the texts share a column.

const OTHER = 0;
/** Of the table, in steps: beyond that texts are cut shorter. */
const MAX_STEPS = 8_000_000;
/** Of a text, in UTF-16 units: its end tells as much as the whole does, nearly always. */
const MAX_UNITS = 24;
const MIN_UNITS = 4;

export class TextAutomaton {
  /** The column of each letter. */
  readonly #columns: Uint16Array;
  readonly #width: number;
  /** By state and column. */
  readonly #next: Int32Array;
  /** What is found in a state; the texts that end here, and those that are ends of them. */
  readonly #found: readonly (readonly number[] | undefined)[];
  /** The number of the scan that a state was told in last: where a letter is looked for, a text may be full of it. */
  readonly #reportedIn: Uint32Array;
  #scan = 0;

  /** Numbers by text, whose whole length may not be looked at: a text may be told that only ends alike. */
  constructor(texts: ReadonlyMap<string, readonly number[]>) {
    const letters = new Set([...texts.keys()].flatMap((text) => text.split('')).map((letter) => letter.charCodeAt(0)));
    this.#columns = new Uint16Array(Math.max(...letters, 0) + 1);
    [...letters].forEach((code, at) => {
      this.#columns[code] = at + 1;
    });
    this.#width = letters.size + 1;
    const { next, found, states } = this.#buildTrie(truncate(texts, this.#width));
    this.#found = found;
    this.#next = next;
    this.#reportedIn = new Uint32Array(states);
    this.#link(states);
  }

  /**
   * Tells the numbers of what occurs, some of them more than once. Of a text that is looked through in pieces the next one
   * goes on in the state that is given back.
   */
  scan(text: string, tell: (numbers: readonly number[]) => void, begin = 0): number {
    const columns = this.#columns;
    const next = this.#next;
    const width = this.#width;
    const found = this.#found;
    const told = this.#reportedIn;
    const scan = this.#nextScan();
    let state = begin;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const column = code < columns.length ? (columns[code] ?? OTHER) : OTHER;
      state = next[state * width + column] ?? 0;
      const numbers = found[state];
      if (numbers === undefined || told[state] === scan) continue;
      told[state] = scan;
      tell(numbers);
    }
    return state;
  }

  #nextScan(): number {
    if (this.#scan === 0xffff_ffff) {
      this.#reportedIn.fill(0);
      this.#scan = 0;
    }
    this.#scan += 1;
    return this.#scan;
  }

  /** A state for each beginning of a text; 0 where there is no way on yet, as nothing leads back to the start. */
  #buildTrie(texts: ReadonlyMap<string, readonly number[]>) {
    const most = [...texts.keys()].reduce((sum, text) => sum + text.length, 1);
    const next = new Int32Array(most * this.#width);
    const found: (readonly number[] | undefined)[] = [undefined];
    for (const [text, numbers] of texts) {
      let state = 0;
      for (let at = 0; at < text.length; at += 1) {
        const place = state * this.#width + (this.#columns[text.charCodeAt(at)] ?? OTHER);
        if (!next[place]) next[place] = found.push(undefined) - 1;
        state = next[place] ?? 0;
      }
      found[state] = numbers;
    }
    return { next, found, states: found.length };
  }

  /** Where there is no way on, the longest end that is a beginning goes on. State by state from the start outwards. */
  #link(states: number): void {
    const next = this.#next;
    const width = this.#width;
    const found = this.#found as (readonly number[] | undefined)[]; // Made just now, and ours until the end of this.
    const ends = new Int32Array(states);
    const queue: number[] = [0];
    for (const state of queue) {
      const end = ends[state] ?? 0;
      const inherited = found[end];
      if (state !== 0 && inherited) found[state] = [...(found[state] ?? []), ...inherited];
      for (let column = 1; column < width; column += 1) {
        const place = state * width + column;
        const to = next[place] ?? 0;
        const further = state === 0 ? 0 : (next[end * width + column] ?? 0);
        if (to === 0) next[place] = further;
        else {
          ends[to] = further;
          queue.push(to);
        }
      }
    }
  }
}

/** No longer than fits, each at its beginning; texts that are then one are found together. */
function truncate(texts: ReadonlyMap<string, readonly number[]>, width: number): Map<string, readonly number[]> {
  let units = MAX_UNITS;
  while (units > MIN_UNITS && texts.size * units * width > MAX_STEPS) units -= MIN_UNITS;
  const shorter = new Map<string, readonly number[]>();
  for (const [text, numbers] of texts) {
    const end = text.slice(-units);
    shorter.set(end, [...(shorter.get(end) ?? []), ...numbers]);
  }
  return shorter;
}
