// The names that a record has so far, found by their bytes. Those of members that records share stay taken from record to
// record. Names that collide are kept apart as texts, so that no choice of names makes a search long.

const SLOTS = 1024;
const MAX_PROBES = 16;

/** What records share, then what some of them share beyond that, then the record itself. */
export const LEVELS = 3;

export class RecordNames {
  /** Of the key in each slot its place, and the level that took it. */
  readonly #froms = new Int32Array(SLOTS);
  readonly #ends = new Int32Array(SLOTS);
  readonly #owners = new Int32Array(SLOTS);
  /** By level: its present number, which is new each time that it begins. */
  readonly #numbers = new Int32Array(LEVELS);
  readonly #collided = Array.from({ length: LEVELS }, () => new Set<string>());
  #last = 0;
  #level = 0;

  constructor() {
    // No level has the number of slots that were never taken.
    this.begin(0);
  }

  /** Forgets the names of this level and of those above it. */
  begin(level: number): void {
    this.#level = level;
    for (let above = level; above < LEVELS; above += 1) {
      this.#last += 1;
      this.#numbers[above] = this.#last;
      const collided = this.#collided[above];
      if (collided && collided.size > 0) collided.clear();
    }
  }

  /** Takes the name whose key stands from `from` to `end`; false where the record has it already. */
  take(bytes: Buffer, from: number, end: number): boolean {
    let hash = 0;
    for (let at = from; at < end; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const slot = (hash + probe) & (SLOTS - 1);
      if (!this.#isTaken(slot)) {
        this.#owners[slot] = this.#numbers[this.#level] ?? 0;
        this.#froms[slot] = from;
        this.#ends[slot] = end;
        return true;
      }
      if (this.#isKeyOf(slot, bytes, from, end)) return false;
    }
    return this.#takeCollided(bytes.toString('utf8', from, end));
  }

  #isKeyOf(slot: number, bytes: Buffer, from: number, end: number): boolean {
    const other = this.#froms[slot] ?? 0;
    if ((this.#ends[slot] ?? 0) - other !== end - from) return false;
    for (let at = from; at < end; at += 1) if (bytes[other + at - from] !== bytes[at]) return false;
    return true;
  }

  #isTaken(slot: number): boolean {
    const owner = this.#owners[slot];
    const numbers = this.#numbers;
    return owner === numbers[2] || owner === numbers[1] || owner === numbers[0];
  }

  #takeCollided(key: string): boolean {
    if (this.#collided.some((names) => names.has(key))) return false;
    this.#collided[this.#level]?.add(key);
    return true;
  }
}
