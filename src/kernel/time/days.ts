// Calendar days of a time zone. The day of every record is needed, so the bounds of a day are computed once and then
// compared.

export interface Day {
  /** yyyy-MM-dd */
  readonly name: string;
  /** Epoch milliseconds of the first moment of the day, and of the first moment after it. */
  readonly begins: number;
  readonly ends: number;
}

export class Days {
  readonly #zone: string;
  readonly #known = new Map<string, Day>();
  #recent: Day | undefined;

  constructor(zone: string) {
    this.#zone = zone;
  }

  of(epochMilliseconds: number): Day {
    const recent = this.#recent;
    if (recent && epochMilliseconds >= recent.begins && epochMilliseconds < recent.ends) return recent;
    const instant = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);
    this.#recent = this.named(instant.toZonedDateTimeISO(this.#zone).toPlainDate().toString());
    return this.#recent;
  }

  /** `name` must be an existing day. */
  named(name: string): Day {
    const known = this.#known.get(name);
    if (known) return known;
    const date = Temporal.PlainDate.from(name);
    const day = { name, begins: this.#firstMoment(date), ends: this.#firstMoment(date.add({ days: 1 })) };
    this.#known.set(name, day);
    return day;
  }

  /** A day may begin at 01:00 where clocks change at midnight. */
  #firstMoment(date: Temporal.PlainDate): number {
    return date.toZonedDateTime(this.#zone).epochMilliseconds;
  }
}
