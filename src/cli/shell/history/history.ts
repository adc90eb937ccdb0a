// The history of statements, for the arrow keys and for search. The oldest statement comes first.

export const MAX_ENTRIES = 1000;
/** Longer statements are pasted from a file, and are not kept. */
const MAX_ENTRY_CHARACTERS = 20_000;

export class History {
  readonly #entries: string[];
  /** The index of the shown entry; the number of entries for the text being typed. */
  #at: number;
  /** The text typed before going back in the history. */
  #draft = '';

  constructor(entries: readonly string[] = []) {
    this.#entries = entries.slice(-MAX_ENTRIES);
    this.#at = this.#entries.length;
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Whether the statement is kept. Moves to the end of the history in any case. */
  add(text: string): boolean {
    const isKept = text.trim() !== '' && text.length <= MAX_ENTRY_CHARACTERS && text !== this.#entries.at(-1);
    if (isKept) this.#entries.push(text);
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift();
    this.#at = this.#entries.length;
    this.#draft = '';
    return isKept;
  }

  /** The entry before the one that is shown; `typed` is kept to come back to. */
  older(typed: string): string | undefined {
    if (this.#at === 0) return undefined;
    if (this.#at === this.#entries.length) this.#draft = typed;
    this.#at -= 1;
    return this.#entries[this.#at];
  }

  newer(): string | undefined {
    if (this.#at >= this.#entries.length) return undefined;
    this.#at += 1;
    return this.#entries[this.#at] ?? this.#draft;
  }

  /** The newest entry that holds the text, before the one of this number; capital letters count where some are given. */
  find(text: string, before = this.#entries.length): number | undefined {
    const hasCapitals = text !== text.toLowerCase();
    const holds = (entry: string) => (hasCapitals ? entry : entry.toLowerCase()).includes(text);
    const found = this.#entries.slice(0, before).findLastIndex(holds);
    return found === -1 ? undefined : found;
  }
}
