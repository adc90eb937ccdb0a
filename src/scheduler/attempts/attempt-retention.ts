// Retention of finished attempts. Like any query they stay available, but schedules produce many, so the oldest are removed early.

import type { LiveQueries } from '#queries/live-queries.ts';
import type { LiveQuery } from '#queries/live-query.ts';

/** Each is an open file. */
const MAX_ATTEMPTS_WITH_ROWS = 200;
const MAX_STATUSES = 10_000;

export class AttemptRetention {
  readonly #queries: LiveQueries;
  /** The oldest first. */
  readonly #withRows = new Set<LiveQuery>();
  readonly #ended = new Set<LiveQuery>();

  constructor(queries: LiveQueries) {
    this.#queries = queries;
  }

  add(query: LiveQuery): void {
    this.#withRows.add(query);
    this.#ended.add(query);
    void oldestBeyond(this.#withRows, MAX_ATTEMPTS_WITH_ROWS)?.dropRows();
    const oldest = oldestBeyond(this.#ended, MAX_STATUSES);
    if (oldest) void this.#queries.remove(oldest);
  }
}

function oldestBeyond(queries: Set<LiveQuery>, most: number): LiveQuery | undefined {
  if (queries.size <= most) return undefined;
  const [oldest] = queries;
  if (oldest) queries.delete(oldest);
  return oldest;
}
