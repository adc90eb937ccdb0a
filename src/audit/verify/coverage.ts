// Entries confirmed during the walk over a log: by a line of the witness that names them, or by a signature.

interface IdRange {
  readonly count: number;
  /** The first of consecutive entries. */
  readonly from: number;
  readonly to: number;
}

/** Entries that nothing older than a renewal of the audit key confirms. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** Id of the entry that records the renewal. */
  readonly renewal: number;
}

export class Coverage {
  #confirmedId = 0;
  #firstClaimedId: number | undefined;
  #count = 0;
  #from = 0;
  #to = 0;
  /** Unconfirmed ranges since the last signature. */
  #unconfirmed: { readonly from: number; to: number }[] = [];
  #gaps: (Gap & { readonly isOfNode: boolean })[] = [];

  /** The newest confirmed entry: the chain confirms all entries before it. */
  get confirmedId(): number {
    return this.#confirmedId;
  }

  get firstClaimedId(): number | undefined {
    return this.#firstClaimedId;
  }

  /** Entries without a witness line from the time of their commit. */
  get unwitnessed(): IdRange {
    return { count: this.#count, from: this.#from, to: this.#to };
  }

  /** Ordered by id. */
  get gaps(): readonly Gap[] {
    return this.#gaps.map(({ from, to, renewal }) => ({ from, to, renewal }));
  }

  noteClaimed(id: number): void {
    this.#firstClaimedId ??= id;
    this.#confirmedId = id;
  }

  noteSigned(id: number): void {
    this.#confirmedId = id;
    this.#unconfirmed = [];
  }

  /** The service disclosed this entry as its newest one, which confirms it like a signature. */
  noteDisclosed(): void {
    this.#unconfirmed = [];
  }

  /** Without a witness line an entry is unconfirmed until it is covered by something older than the next renewal. */
  noteUnconfirmed(id: number): void {
    const last = this.#unconfirmed.at(-1);
    if (last?.to === id - 1) last.to = id;
    else this.#unconfirmed.push({ from: id, to: id });
  }

  /** A later signature was made after the loss, and says nothing about earlier entries: unless it is of a node that lost nothing. */
  noteRenewal(renewal: number, { isOfNode }: { readonly isOfNode: boolean }): void {
    this.#gaps.push(...this.#unconfirmed.map(({ from, to }) => ({ from, to, renewal, isOfNode })));
    this.#unconfirmed = [];
  }

  /** A signature of another node, with a key that it has had since an entry. */
  noteSignedElsewhere(since: number): void {
    this.#gaps = this.#gaps.filter(({ from, isOfNode }) => !isOfNode || from <= since);
  }

  noteUnwitnessed(id: number): void {
    this.#count += 1;
    if (this.#count === 1) this.#from = id;
    if (id === this.#from || id === this.#to + 1) this.#to = id;
  }
}
