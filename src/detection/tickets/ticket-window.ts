// A sliding window over the events of one key without ticket: events within the interval may form a ticket. Events are added in
// the order of time, so events behind the window are never visited again.

import type { NewEvent } from '#store/schema/event-schema.ts';

type Timed = Pick<NewEvent, 'first_time'>;

export class TicketWindow<E extends Timed> {
  /** Events before `#from` are behind the window. */
  readonly #events: E[];
  #from = 0;

  /** `events` in the order of time. */
  constructor(events: readonly E[] = []) {
    this.#events = [...events];
  }

  /**
   * Adds an event, in the order of time. Returns it with all events within the interval once they reach the threshold, and
   * removes them from the window.
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
    // A late event may have later ones behind it.
    this.#events.splice(this.#firstFrom(time + 1), 0, event);
    return [];
  }

  /** Index of the first event at or after `time`. */
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
