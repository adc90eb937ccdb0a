// Tables that commands of earlier phases will have written to when a later phase begins (7.0). A text is planned whole before
// its first phase runs, so the fields that these tables will have are not known yet.

export class EarlierWrites {
  readonly #tables = new Set<string>();
  /** Of phases that are being planned, the enclosing ones first. */
  readonly #open: string[] = [];

  add(table: string): void {
    this.#open.push(table);
  }

  /** Begins a phase; to be handed to `endPhase`. */
  beginPhase(): number {
    return this.#open.length;
  }

  /** What an ended phase has written is there already, as it is. */
  endPhase(begin: number, isEnded: boolean): void {
    const written = this.#open.splice(begin);
    if (!isEnded) for (const table of written) this.#tables.add(table);
  }

  has(table: string): boolean {
    return this.#tables.has(table);
  }
}
