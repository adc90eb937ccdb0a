// Where the records of each table are. The rows of the metadata store are read once; a move tells what it changes.

import type { Place } from '#logs/log-store.ts';
import type { Store } from '#store/store.ts';
import { allPlaces, otherThan, type TablePlace } from './move-catalog.ts';

const EMBEDDED: TablePlace = { writesTo: 'embedded', isSplit: false };

export class Places {
  readonly #store: Store;
  readonly #known = new Map<number, TablePlace>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** As it is now; `load` comes first. */
  now(tableId: number): TablePlace {
    return this.#known.get(tableId) ?? EMBEDDED;
  }

  async load(tableIds: readonly number[]): Promise<void> {
    if (tableIds.every((id) => this.#known.has(id))) return;
    const found = await allPlaces(this.#store);
    // A move may have told more meanwhile.
    for (const id of tableIds) if (!this.#known.has(id)) this.#known.set(id, found.get(id) ?? EMBEDDED);
  }

  set(tableId: number, place: TablePlace): void {
    this.#known.set(tableId, place);
  }
}

/** That hold records of a table; the one that takes new ones first. */
export const heldIn = ({ writesTo, isSplit }: TablePlace): readonly Place[] =>
  isSplit ? [writesTo, otherThan(writesTo)] : [writesTo];
