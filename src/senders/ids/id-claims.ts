// The ids that the items of a request are stored under once: claimed before its records are stored, and settled after.

import { countYielding, SliceTimer } from '#runtime/event-loop.ts';
import type { Decoded } from '#senders/decoded.ts';
import type { Fates } from '#senders/fates.ts';
import type { Sender } from '#senders/sender.ts';
import type { TableLines } from '#senders/tables/table-lines.ts';
import type { IdClaim, KnownIds } from './known-ids.ts';
import { ShardedMap } from './recent-ids.ts';

interface TableClaim {
  readonly tableId: number;
  readonly claim: IdClaim;
  /** Of each id its item. */
  readonly items: readonly number[];
  readonly ids: readonly string[];
}

export class IdClaims implements AsyncDisposable {
  readonly #claims: TableClaim[] = [];
  readonly #fates: Fates;
  readonly #stored = new Set<number>();
  readonly #timer = new SliceTimer();

  constructor(fates: Fates) {
    this.#fates = fates;
  }

  /** Items whose id is known, or comes twice, are not stored. */
  async claim<Facts>(
    sender: Sender<Facts>,
    { facts }: Decoded<Facts>,
    { lines, knownIds, gone }: { lines: readonly TableLines[]; knownIds: KnownIds; gone: AbortSignal },
  ): Promise<void> {
    if (!sender.onceIdOf) return;
    // In one order for all requests, so that no two of them wait for each other.
    for (const { table, groups } of lines.toSorted((a, b) => a.table.id - b.table.id)) {
      const items: number[] = [];
      const ids: string[] = [];
      for (const group of groups) {
        await this.#inSlices(group.items.length, (at) => {
          const item = group.items[at] ?? 0;
          const id = sender.onceIdOf?.(facts, item) ?? '';
          if (id === '') return;
          items.push(item);
          ids.push(id);
        });
      }
      if (ids.length === 0) continue;
      const claim = await knownIds.claim(table.id, ids, gone);
      this.#claims.push({ tableId: table.id, claim, items, ids });
      await this.#inSlices(items.length, (at) => {
        if (claim.ids[at] !== 'free') this.#fates.reject(items[at] ?? 0, 'duplicate');
      });
    }
  }

  #inSlices(count: number, work: (at: number) => void): Promise<void> {
    return countYielding(count, work, this.#timer);
  }

  /** Says that the records of a table are durable. */
  stored(tableId: number): void {
    this.#stored.add(tableId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { tableId, claim, items, ids } of this.#claims) {
      const isStored = (at: number) => this.#stored.has(tableId) && this.#fates.isKept(items[at] ?? 0);
      if (claim.ids.includes('repeated')) await this.#decideRepeated({ claim, items, ids }, isStored);
      await claim.settle(isStored);
    }
  }

  /** An id that comes twice is a duplicate only where its first record was stored. */
  async #decideRepeated(
    { claim, items, ids }: Omit<TableClaim, 'tableId'>,
    isStored: (at: number) => boolean,
  ): Promise<void> {
    const repeated = new ShardedMap<'stored' | 'not-stored'>();
    await this.#inSlices(ids.length, (at) => {
      if (claim.ids[at] === 'repeated') repeated.set(ids[at] ?? '', 'not-stored');
    });
    await this.#inSlices(ids.length, (at) => {
      const id = ids[at] ?? '';
      if (claim.ids[at] === 'free' && repeated.get(id) && isStored(at)) repeated.set(id, 'stored');
    });
    await this.#inSlices(ids.length, (at) => {
      const isLost = claim.ids[at] === 'repeated' && repeated.get(ids[at] ?? '') === 'not-stored';
      if (isLost) this.#fates.reject(items[at] ?? 0, 'not-kept');
    });
  }
}
