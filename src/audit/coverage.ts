// Which entries are vouched for, while a log is walked: by a line of the witness that names them, or by a signature.

export interface Stretch {
  readonly count: number;
  /** The first of them that stand together. */
  readonly from: number;
  readonly to: number;
}

/** Entries of which nothing from before a renewal of the audit key says that they are as they were written. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** The entry of the renewal. */
  readonly renewal: number;
}

export class Coverage {
  #vouchedId = 0;
  #firstClaimedId: number | undefined;
  #count = 0;
  #from = 0;
  #to = 0;
  /** Since the last signature. */
  #doubtful: { readonly from: number; to: number }[] = [];
  readonly #gaps: Gap[] = [];

  /** The newest entry up to which all is as it was: the chain vouches for whatever is before it. */
  get vouchedId(): number {
    return this.#vouchedId;
  }

  get firstClaimedId(): number | undefined {
    return this.#firstClaimedId;
  }

  /** Those that no line was written for when they were. */
  get unwitnessed(): Stretch {
    return { count: this.#count, from: this.#from, to: this.#to };
  }

  /** In the order of ids. */
  get gaps(): readonly Gap[] {
    return this.#gaps;
  }

  claimed(id: number): void {
    this.#firstClaimedId ??= id;
    this.#vouchedId = id;
  }

  signed(id: number): void {
    this.#vouchedId = id;
    this.#doubtful = [];
  }

  /** The service told somebody outside that this was its newest entry, which vouches like a signature. */
  told(): void {
    this.#doubtful = [];
  }

  /** No line was written for this entry: it is in doubt until something that is older than the next renewal covers it. */
  doubted(id: number): void {
    const last = this.#doubtful.at(-1);
    if (last?.to === id - 1) last.to = id;
    else this.#doubtful.push({ from: id, to: id });
  }

  /** Whatever is signed from here on was signed after the loss, and says nothing about what had been before it. */
  renewed(renewal: number): void {
    this.#gaps.push(...this.#doubtful.map(({ from, to }) => ({ from, to, renewal })));
    this.#doubtful = [];
  }

  notWitnessed(id: number): void {
    this.#count += 1;
    if (this.#count === 1) this.#from = id;
    if (id === this.#from || id === this.#to + 1) this.#to = id;
  }
}
