// Names of tables and fields, from the service with the rights of the key, cached for a short time: Tab is pressed
// repeatedly.

import type { Client } from '#cli/kit/client.ts';
import { ServiceError } from '#cli/kit/failures/failure.ts';
import { checkQuery } from '#cli/kit/failures/findings.ts';
import { type OwnCommand, ownCommands } from '#cli/kit/help/own-commands.ts';
import { type Clock, systemClock, withTimeout } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import type { Names } from './candidates.ts';

const LIFETIME = Temporal.Duration.from({ seconds: 30 });
/** A Tab does not wait longer. */
const TIMEOUT = Temporal.Duration.from({ seconds: 3 });
const MAX_KEPT = 200;
const MAX_TABLES = 10_000;

export class KnownNames implements Names {
  readonly #client: Client;
  readonly #params: string;
  readonly #names: RecentLists<string>;
  readonly #commands: RecentLists<OwnCommand>;

  /** `params` are those of the queries, as JSON. */
  constructor(client: Client, params: string, clock = systemClock) {
    this.#client = client;
    this.#params = params;
    this.#names = new RecentLists(clock);
    this.#commands = new RecentLists(clock);
  }

  tables(): Promise<readonly string[]> {
    return this.#names.of('', async () => {
      const { tables } = await this.#client.call('GET /api/core/tables', { limit: MAX_TABLES });
      return tables.map(({ table_name }) => table_name);
    });
  }

  commands(): Promise<readonly OwnCommand[]> {
    return this.#commands.of('', () => ownCommands(this.#client));
  }

  fields(pipeline: string): Promise<readonly string[]> {
    return this.#names.of(pipeline, () => this.#columnsOf(pipeline));
  }

  /** Tables may have been created or dropped. */
  forget(): void {
    this.#names.clear();
    this.#commands.clear();
  }

  /** The columns after the last command before an error. */
  async #columnsOf(pipeline: string): Promise<readonly string[]> {
    const { mistakes, columns } = await checkQuery(this.#client, { text: pipeline, params: this.#params });
    const [first] = mistakes;
    if (!first) return columns.map(({ name }) => name);
    const before = pipeline.slice(0, first.begin).lastIndexOf('|');
    return before <= 0 ? [] : await this.#columnsOf(pipeline.slice(0, before));
  }
}

interface Recent<T> {
  readonly list: Promise<readonly T[]>;
  readonly until: Temporal.Instant;
}

/** Answers of the service, for a short time. */
class RecentLists<T> {
  readonly #clock: Clock;
  readonly #kept = new BoundedMap<string, Recent<T>>({ max: MAX_KEPT, evicts: 'all' });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  clear(): void {
    this.#kept.clear();
  }

  of(key: string, ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
    const now = this.#clock.now();
    const kept = this.#kept.get(key);
    if (kept && Temporal.Instant.compare(kept.until, now) > 0) return kept.list;
    const list = withTimeout(this.#clock, TIMEOUT, ask(), []).catch((error: unknown) => {
      this.#kept.delete(key);
      // Without an answer Tab offers no names; an error text would disturb the line.
      if (error instanceof UsageError || error instanceof ServiceError) return [];
      throw error;
    });
    this.#kept.set(key, { list, until: now.add(LIFETIME) });
    return list;
  }
}
