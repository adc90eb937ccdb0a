// Events of one key that have no ticket yet, in the order of time: those near enough to one another may come to be a ticket
// together. They are asked about in the order of time, so what has fallen behind is never looked at again.

import type { NewEvent } from '#store/event-schema.ts';

type Timed = Pick<NewEvent, 'first_time'>;

export class TicketWindow<E extends Timed> {
  /** Those before `#from` have fallen behind. */
  readonly #events: E[];
  #from = 0;

  /** `events` in the order of time. */
  constructor(events: readonly E[] = []) {
    this.#events = [...events];
  }

  /**
   * Adds an event that is not before any that was added. Gives it and all that are less than the interval away from it, once
   * they are so many: from then on they do not wait any longer.
   */
  add(event: E, { threshold, intervalMs }: { threshold: number; intervalMs: number }): E[] {
    const { first_time: time } = event;
    while ((this.#events[this.#from]?.first_time ?? time + 1) <= time - intervalMs) this.#from += 1;
    const end = this.#firstFrom(time + intervalMs);
    if (end - this.#from + 1 >= threshold) {
      const together = [...this.#events.slice(this.#from, end), event];
      this.#from = end;
      return together;
    }
    // What arrived late may have others behind it.
    this.#events.splice(this.#firstFrom(time + 1), 0, event);
    return [];
  }

  /** The place of the first that is not before `time`. */
  #firstFrom(time: number): number {
    let low = this.#from;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.first_time ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
