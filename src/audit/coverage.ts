// Which entries are vouched for, while a log is walked: by a line of the witness that names them, or by a signature.

export interface Stretch {
  readonly count: number;
  /** The first of them that stand together. */
  readonly from: number;
  readonly to: number;
}

export class Coverage {
  #vouchedId = 0;
  #firstClaimedId: number | undefined;
  #count = 0;
  #from = 0;
  #to = 0;

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

  claimed(id: number): void {
    this.#firstClaimedId ??= id;
    this.#vouchedId = id;
  }

  signed(id: number): void {
    this.#vouchedId = id;
  }

  notWitnessed(id: number): void {
    this.#count += 1;
    if (this.#count === 1) this.#from = id;
    if (id === this.#from || id === this.#to + 1) this.#to = id;
  }
}
