// Runs that read a table, and removals of its days: ClickHouse has no snapshot over statements, so days are hidden from new runs
// at once and removed when the earlier runs have ended.

/** A run that takes longer does not keep the disk from getting its space back: it ends with an error when it reads again. */
const MAX_WAIT = Temporal.Duration.from({ hours: 1 });

interface Reader extends Reading {
  readonly hides: number;
  readonly since: Temporal.Instant;
  isWhole: boolean;
}

/** A run while it reads a table. */
export interface Reading extends Disposable {
  /** Whether all that the run may see is still there. */
  readonly isWhole: boolean;
}

export class Readers {
  readonly #reading = new Set<Reader>();
  #hides = 0;

  /** To be called before the run learns which days are hidden. */
  begin(now: Temporal.Instant): Reading {
    const reader: Reader = {
      hides: this.#hides,
      since: now,
      isWhole: true,
      [Symbol.dispose]: () => void this.#reading.delete(reader),
    };
    this.#reading.add(reader);
    return reader;
  }

  /** Grows with every call of `hide`. */
  get hides(): number {
    return this.#hides;
  }

  /** Runs that begin from now on know of hidden days. */
  hide(): void {
    this.#hides += 1;
  }

  /** Whether runs read that may not know of all hidden days. */
  hasEarlier(now: Temporal.Instant): boolean {
    const oldest = now.subtract(MAX_WAIT);
    return this.#reading
      .values()
      .some(({ hides, since }) => hides < this.#hides && Temporal.Instant.compare(since, oldest) > 0);
  }

  /** To be called before hidden days are removed. */
  beginRemoval(): void {
    for (const reader of this.#reading) if (reader.hides < this.#hides) reader.isWhole = false;
  }
}
