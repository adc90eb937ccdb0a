// A bounded cache of what was compiled from the patterns of queries.

const MAX_ENTRIES = 1000;

export class CompiledPatterns<T> {
  readonly #entries = new Map<string, T>();

  get(key: string, compile: () => T): T {
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear();
    const made = compile();
    this.#entries.set(key, made);
    return made;
  }
}
