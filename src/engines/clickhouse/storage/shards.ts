// The servers that hold the records of all tables, each a part of them. What concerns a table is done on all of them; an insert
// goes to one.

import type { ClickhouseClient, StatementOptions } from '#engines/clickhouse/server/client.ts';

export class Shards {
  readonly all: readonly ClickhouseClient[];
  #turn = 0;

  constructor(all: readonly ClickhouseClient[]) {
    if (all.length === 0) throw new Error('a log store has at least one shard');
    this.all = all;
  }

  /** For errors that concern any of them. */
  get name(): string {
    return this.all.map(({ name }) => name).join(', ');
  }

  /** The shard of the next insert. */
  next(): ClickhouseClient {
    this.#turn = (this.#turn + 1) % this.all.length;
    // There is one at every place below the length.
    return this.all[this.#turn] as ClickhouseClient;
  }

  /** Rejects with the first failure, once all have ended: nothing goes on behind the caller. */
  async each<T>(work: (client: ClickhouseClient) => Promise<T>): Promise<T[]> {
    const settled = await Promise.allSettled(this.all.map(work));
    return settled.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  /** The rows of all shards, one after the other. */
  async rows(statement: string, options?: StatementOptions) {
    return (await this.each((client) => client.rows(statement, options))).flat();
  }

  async close(): Promise<void> {
    await this.each((client) => client.close());
  }
}
