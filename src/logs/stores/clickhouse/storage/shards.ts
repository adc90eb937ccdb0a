// The servers that hold the records of all tables, each a part of them. What concerns a table is done on all of them; an insert
// goes to one.

import type { MemoryShare } from '#logs/stores/clickhouse/server/account-memory.ts';
import type { ClickhouseClient, StatementOptions } from '#logs/stores/clickhouse/server/client.ts';
import { NoAnswer } from '#logs/stores/clickhouse/server/failures.ts';

/** Takes memory of a server for one statement. */
type TakeMemory = () => Promise<MemoryShare>;

export class Shards {
  readonly #all: ClickhouseClient[];
  readonly #take: TakeMemory | undefined;
  #turn = 0;

  constructor(all: readonly ClickhouseClient[], take?: TakeMemory) {
    if (all.length === 0) throw new Error('a log store has at least one shard');
    this.#all = [...all];
    this.#take = take;
  }

  /** They only become more, each behind those that were there before. */
  get all(): readonly ClickhouseClient[] {
    return this.#all;
  }

  /** From now on it takes its part of what is inserted, and is read. */
  add(client: ClickhouseClient): void {
    this.#all.push(client);
  }

  /** The servers of now, for statements whose memory is limited. */
  bounded(take: TakeMemory): Shards {
    return new Shards(this.all, take);
  }

  /** For errors that concern any of them. */
  get name(): string {
    return this.all.map(({ name }) => name).join(', ');
  }

  /** On one shard after the other of some; one that cannot be reached is passed over, if another one can. */
  async onOne(work: (client: ClickhouseClient) => Promise<void>, among = this.all): Promise<void> {
    this.#turn = (this.#turn + 1) % among.length;
    const inTurn = [...among.slice(this.#turn), ...among.slice(0, this.#turn)];
    for (const [index, client] of inTurn.entries()) {
      try {
        return await work(client);
      } catch (error) {
        const isUnsent = error instanceof NoAnswer && error.isUnsent;
        if (!isUnsent || index === inTurn.length - 1) throw error;
      }
    }
  }

  /** Rejects with the first failure, once all have ended: nothing goes on behind the caller. */
  async each<T>(work: (client: ClickhouseClient) => Promise<T>): Promise<T[]> {
    using share = await this.#take?.();
    const clients = share ? this.all.map((client) => client.within({ max_memory_usage: share.bytes })) : this.all;
    const settled = await Promise.allSettled(clients.map(work));
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
