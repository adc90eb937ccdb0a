// Finds which of many texts occur in a text, in one pass (Aho-Corasick). Transitions are one table of states by characters, so
// that a step is one lookup; characters that occur in none of the texts share a column.

const OTHER = 0;
/** Maximum of transitions: texts are truncated beyond it. */
const MAX_STEPS = 8_000_000;
/** UTF-16 units per text: a suffix is nearly always as selective as the whole text. */
const MAX_UNITS = 24;
const MIN_UNITS = 4;

export class TextAutomaton {
  /** Column by character code. */
  readonly #columns: Uint16Array;
  readonly #width: number;
  /** Next state by state and column. */
  readonly #next: Int32Array;
  /** Numbers by state: of the texts that end there and of their suffixes. */
  readonly #found: readonly (readonly number[] | undefined)[];
  /** Last scan in which a state was reported, to report it once per scan. */
  readonly #reportedIn: Uint32Array;
  #scan = 0;

  /** Numbers by text. Long texts are matched by suffix, so false positives are possible. */
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
   * Calls `tell` with the numbers of occurring texts, possibly more than once. The returned state continues the scan of a
   * text in chunks.
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

  /** Builds the trie: a state for each prefix; 0 marks a missing transition. */
  #buildTrie(texts: ReadonlyMap<string, readonly number[]>) {
    const most = [...texts.keys()].reduce((sum, text) => sum + text.length, 1);
    const next = new Int32Array(most * this.#width);
    const found: (readonly number[] | undefined)[] = [undefined];
    for (const [text, numbers] of texts) {
      let state = 0;
      for (let at = 0; at < text.length; at += 1) {
        const index = state * this.#width + (this.#columns[text.charCodeAt(at)] ?? OTHER);
        if (!next[index]) next[index] = found.push(undefined) - 1;
        state = next[index] ?? 0;
      }
      found[state] = numbers;
    }
    return { next, found, states: found.length };
  }

  /** Fills missing transitions with those of the longest suffix that is a prefix, breadth first. */
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
        const index = state * width + column;
        const to = next[index] ?? 0;
        const further = state === 0 ? 0 : (next[end * width + column] ?? 0);
        if (to === 0) next[index] = further;
        else {
          ends[to] = further;
          queue.push(to);
        }
      }
    }
  }
}

/** Truncates texts to suffixes that fit the table; texts with equal suffixes are found together. */
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
