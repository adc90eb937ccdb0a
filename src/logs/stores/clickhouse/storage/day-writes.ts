// Inserts of this process into a table, by day. A statement over days that nothing is written into meanwhile needs no test of
// arrivals: all that is there has arrived before.

import type { Clock } from '#kernel/time/clock.ts';
import type { Days } from '#kernel/time/days.ts';
import type { TimeRange } from '#logs/log-store.ts';

/** Days that are written more often are not worth the attempt: its statement would have to be repeated. */
const REST = Temporal.Duration.from({ seconds: 10 });
/** Days at rest are forgotten beyond so many. */
const MAX_DAYS = 64;
/** For records that may be of any time. */
const ALL_TIMES = { name: '', begins: Number.NEGATIVE_INFINITY, ends: Number.POSITIVE_INFINITY };

interface WrittenDay {
  readonly begins: number;
  readonly ends: number;
  /** The number of its last insert. */
  last: number;
  underWay: number;
  endedAt: Temporal.Instant;
}

export class DayWrites {
  readonly #days: Days;
  readonly #clock: Clock;
  readonly #written = new Map<string, WrittenDay>();
  #inserts = 0;
  /** The last insert into a day that is forgotten. */
  #forgotten = 0;
  #isOver = false;

  constructor({ days, clock }: { readonly days: Days; readonly clock: Clock }) {
    this.#days = days;
    this.#clock = clock;
  }

  /**
   * To be called before an insert gets its arrival, with nothing awaited between. Without a name for a day that was made elsewhere,
   * maybe in another time zone.
   */
  begin(dayName?: string): Disposable {
    if (this.#written.size > MAX_DAYS) this.#forget();
    const { name, begins, ends } = dayName === undefined ? ALL_TIMES : this.#days.named(dayName);
    const day = this.#written.get(name) ?? { begins, ends, last: 0, underWay: 0, endedAt: this.#clock.now() };
    this.#written.set(name, day);
    this.#inserts += 1;
    day.last = this.#inserts;
    day.underWay += 1;
    return {
      [Symbol.dispose]: () => {
        day.underWay -= 1;
        day.endedAt = this.#clock.now();
      },
    };
  }

  /**
   * Nothing can be said any more: the table is gone, and another one may take its place, or it has records that the catalog does
   * not know.
   */
  end(): void {
    this.#isOver = true;
  }

  /** The number of the last insert. To be taken before a run gets the last arrival that it sees. */
  get mark(): number {
    return this.#inserts;
  }

  /** Whether nothing between these times was written since a mark. */
  isUnwritten(range: TimeRange, mark: number): boolean {
    return !this.#isOver && this.#forgotten <= mark && this.#in(range).every(({ last }) => last <= mark);
  }

  /** Whether nothing between these times is being written, or was a moment ago. */
  isAtRest(range: TimeRange): boolean {
    const isResting = this.#restCheck();
    return this.#in(range).every(isResting);
  }

  #forget(): void {
    const isResting = this.#restCheck();
    for (const [name, day] of this.#written) {
      if (!isResting(day)) continue;
      this.#written.delete(name);
      this.#forgotten = Math.max(this.#forgotten, day.last);
    }
  }

  #restCheck(): (day: WrittenDay) => boolean {
    const since = this.#clock.now().subtract(REST);
    return ({ underWay, endedAt }) => underWay === 0 && Temporal.Instant.compare(endedAt, since) <= 0;
  }

  #in({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TimeRange): readonly WrittenDay[] {
    return [...this.#written.values()].filter(({ begins, ends }) => begins < to && ends > from);
  }
}
