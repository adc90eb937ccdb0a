// The ids that the items of a request are stored under once: claimed before its records are stored, and settled after.

import { yieldToEventLoop } from '#kernel/event-loop.ts';
import type { Decoded } from './decoded.ts';
import type { IdClaim, KnownIds } from './known-ids.ts';
import type { Sender } from './sender.ts';
import { fateNumber, type TableLines } from './table-lines.ts';

/** Between two turns of other work. */
const SLICE_ITEMS = 10_000;

interface TableClaim {
  readonly tableId: number;
  readonly claim: IdClaim;
  /** Of each id its item. */
  readonly items: readonly number[];
  readonly ids: readonly string[];
}

export class IdClaims implements AsyncDisposable {
  readonly #claims: TableClaim[] = [];
  readonly #fates: Uint8Array;
  readonly #stored = new Set<number>();

  constructor(fates: Uint8Array) {
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
      for (const item of groups.flatMap((group) => [...group.items])) {
        const id = sender.onceIdOf(facts, item);
        if (id !== '') {
          items.push(item);
          ids.push(id);
        }
        if (items.length % SLICE_ITEMS === SLICE_ITEMS - 1) await yieldToEventLoop();
      }
      if (ids.length === 0) continue;
      const claim = await knownIds.claim(table.id, ids, gone);
      this.#claims.push({ tableId: table.id, claim, items, ids });
      for (const [at, item] of items.entries()) if (claim.ids[at] !== 'free') this.#fates[item] = DUPLICATE;
    }
  }

  /** Says that the records of a table are durable. */
  stored(tableId: number): void {
    this.#stored.add(tableId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { tableId, claim, items, ids } of this.#claims) {
      const isStored = (at: number) => this.#stored.has(tableId) && this.#fates[items[at] ?? 0] === 0;
      if (claim.ids.includes('repeated')) this.#decideRepeated({ claim, items, ids }, isStored);
      await claim.settle(isStored);
    }
  }

  /** An id that comes twice is a duplicate only where its first record was stored. */
  #decideRepeated({ claim, items, ids }: Omit<TableClaim, 'tableId'>, isStored: (at: number) => boolean): void {
    const stored = new Set(ids.filter((_, at) => claim.ids[at] === 'free' && isStored(at)));
    for (const [at, id] of ids.entries()) {
      if (claim.ids[at] === 'repeated' && !stored.has(id)) this.#fates[items[at] ?? 0] = NOT_KEPT;
    }
  }
}

const [DUPLICATE, NOT_KEPT] = [fateNumber('duplicate'), fateNumber('not-kept')];
