// The ids of documents that were created lately, by table, so that a sender that repeats a request stores none of them twice.
// An id is claimed before its record is stored and known once the record is durable; a second claim waits for the first.
// Kept in memory: after a start nothing is known. Each table has a bound of its own, so that none makes another one forget.

import { hash } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.ts';
import { SliceTimer } from '#runtime/event-loop.ts';
import { Slots } from '#runtime/slots.ts';
import { RecentIds, ShardedMap } from './recent-ids.ts';

export interface KnownIdsOptions {
  /** The setting `senders-window`. */
  readonly windowMs: number;
  /** The setting `senders-ids`. */
  readonly maxIds: number;
}

/** Longer ids are known by their digest: the memory of a table follows the number of its ids. */
const MAX_ID_LETTERS = 64;
/** Beside the characters of an id. */
const ID_BYTES = 64;
/** Ids between two looks at the time. */
const SLICE_IDS = 100;
/** Ids of other tables that are forgotten at once. */
const MAX_FORGOTTEN = 4000;

/** What is true of each id of a claim: free to be stored, known already, or given twice in the same claim. */
export type ClaimedId = 'free' | 'known' | 'repeated';

export interface IdClaim {
  readonly ids: readonly ClaimedId[];
  /** Ends the claim: ids whose records were stored are known from now on. */
  settle(isStored: (at: number) => boolean): Promise<void>;
}

export class KnownIds {
  readonly #clock: Clock;
  readonly #options: KnownIdsOptions;
  readonly #tables = new Map<number, TableIds>();
  #bytes = 0;

  constructor(clock: Clock, options: KnownIdsOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** The memory that known ids take, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Waits for other claims of these ids. Rejects with the reason of `gone`. Claims of several tables: in the order of their ids. */
  async claim(tableId: number, ids: readonly string[], gone: AbortSignal): Promise<IdClaim> {
    const table = this.#tableOf(tableId);
    const ended = Promise.withResolvers<void>();
    const outcome: ClaimedId[] = [];
    const timer = new SliceTimer();
    const keys: string[] = [];
    try {
      // One claim at a time: what it waits for is claimed whole, so that no two claims wait for each other.
      using _ = await table.claiming.acquire({ signal: gone });
      for (const [at, id] of ids.entries()) {
        const key = keyOf(id);
        keys.push(key);
        outcome.push(
          this.#claimOne(table, key, ended.promise) ?? (await this.#claimLater(table, key, { ended, gone })),
        );
        if (at % SLICE_IDS === SLICE_IDS - 1) await timer.yieldIfDue();
      }
    } catch (error) {
      await this.#settle(table, keys, { outcome, isStored: () => false });
      ended.resolve();
      throw error;
    }
    return {
      ids: outcome,
      settle: async (isStored) => {
        await this.#settle(table, keys, { outcome, isStored });
        ended.resolve();
      },
    };
  }

  #tableOf(tableId: number): TableIds {
    const table = this.#tables.get(tableId) ?? {
      claiming: new Slots({ total: 1 }),
      claimed: new ShardedMap(),
      known: new RecentIds(),
    };
    this.#tables.set(tableId, table);
    return table;
  }

  /** Undefined while another claim has the id. */
  #claimOne({ claimed, known }: TableIds, id: string, ended: Promise<void>): ClaimedId | undefined {
    const other = claimed.get(id);
    if (other) return other === ended ? 'repeated' : undefined;
    const time = known.timeOf(id);
    if (time !== undefined && !this.#isPast(time, this.#clock.now().epochMilliseconds)) return 'known';
    claimed.set(id, ended);
    return 'free';
  }

  async #claimLater(
    table: TableIds,
    id: string,
    { ended, gone }: { ended: PromiseWithResolvers<void>; gone: AbortSignal },
  ): Promise<ClaimedId> {
    for (let other = table.claimed.get(id); other; other = table.claimed.get(id)) await orGone(other, gone);
    return this.#claimOne(table, id, ended.promise) ?? 'repeated';
  }

  async #settle(
    table: TableIds,
    ids: readonly string[],
    { outcome, isStored }: { outcome: readonly ClaimedId[]; isStored(at: number): boolean },
  ): Promise<void> {
    const now = this.#clock.now().epochMilliseconds;
    const timer = new SliceTimer();
    for (const [at, claimed] of outcome.entries()) {
      const id = ids[at] ?? '';
      if (claimed === 'free') {
        table.claimed.delete(id);
        if (isStored(at)) this.#learn(table, id, now);
      }
      if (at % SLICE_IDS === SLICE_IDS - 1) await timer.yieldIfDue();
    }
    // Also of tables that nothing comes for any more.
    for (const { known } of this.#tables.values())
      this.#forget(known, MAX_FORGOTTEN, (time) => this.#isPast(time, now));
  }

  #learn({ known }: TableIds, id: string, now: number): void {
    if (known.add(id, now)) this.#bytes += bytesOf(id);
    // Two for one, so that the ids of a busy time are forgotten without a pause.
    const isFull = () => known.size > this.#options.maxIds;
    this.#forget(known, 2, (time) => isFull() || this.#isPast(time, now));
  }

  /** The oldest ids, `most` of them at most. */
  #forget(known: RecentIds, most: number, isForgotten: (time: number) => boolean): void {
    for (let count = 0; count < most; count += 1) {
      const time = known.oldestTime;
      if (time === undefined || !isForgotten(time)) return;
      this.#bytes -= bytesOf(known.removeOldest() ?? '');
    }
  }

  #isPast(time: number, now: number): boolean {
    return time <= now - this.#options.windowMs;
  }
}

interface TableIds {
  readonly claiming: Slots;
  /** With the end of their claim. */
  readonly claimed: ShardedMap<Promise<void>>;
  readonly known: RecentIds;
}

const keyOf = (id: string): string => (id.length <= MAX_ID_LETTERS ? id : hash('sha256', id, 'base64'));

const bytesOf = (id: string): number => ID_BYTES + 2 * id.length;

async function orGone(work: Promise<void>, gone: AbortSignal): Promise<void> {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(gone.reason);
  gone.throwIfAborted();
  gone.addEventListener('abort', leave);
  await Promise.race([work, left.promise]).finally(() => gone.removeEventListener('abort', leave));
}
