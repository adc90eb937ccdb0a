// How long queries that have ended are kept: their status, and the rows of those that have a cursor.

import type { Clock } from '#kernel/time/clock.ts';
import type { LiveQuery } from '#queries/live-query.ts';

export interface QueryRetention {
  /** How long a status is kept after the end. */
  readonly status: Temporal.Duration;
  /** How long rows are kept after the last fetch, or after the end. */
  readonly rows: Temporal.Duration;
}

type Timed = Pick<LiveQuery, 'times'>;

export class Retained {
  readonly #clock: Clock;
  readonly #retention: QueryRetention;

  constructor({ clock, retention }: { readonly clock: Clock; readonly retention: QueryRetention }) {
    this.#clock = clock;
    this.#retention = retention;
  }

  isStatusKept({ times }: Timed): boolean {
    return !times.finished || this.#isWithin(this.#retention.status, times.finished);
  }

  areRowsKept({ times: { finished, fetched } }: Timed): boolean {
    if (!finished) return true;
    return [finished, fetched].some((at) => at && this.#isWithin(this.#retention.rows, at));
  }

  #isWithin(length: Temporal.Duration, since: Temporal.Instant): boolean {
    return Temporal.Instant.compare(since.add(length), this.#clock.now()) > 0;
  }
}
