// Where the records of each table are. The rows of the metadata store are read once; a move tells what it changes.

import type { Location } from '#logs/log-store.ts';
import type { Store } from '#store/store.ts';
import { allLocations, otherThan, type TableLocation } from './move-catalog.ts';

const EMBEDDED: TableLocation = { writesTo: 'embedded', isSplit: false };

export class Locations {
  readonly #store: Store;
  readonly #known = new Map<number, TableLocation>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** As it is now; `load` comes first. */
  now(tableId: number): TableLocation {
    return this.#known.get(tableId) ?? EMBEDDED;
  }

  async load(tableIds: readonly number[]): Promise<void> {
    if (tableIds.every((id) => this.#known.has(id))) return;
    const found = await allLocations(this.#store);
    // A move may have told more meanwhile.
    for (const id of tableIds) if (!this.#known.has(id)) this.#known.set(id, found.get(id) ?? EMBEDDED);
  }

  set(tableId: number, location: TableLocation): void {
    this.#known.set(tableId, location);
  }
}

/** That hold records of a table; the one that takes new ones first. */
export const heldIn = ({ writesTo, isSplit }: TableLocation): readonly Location[] =>
  isSplit ? [writesTo, otherThan(writesTo)] : [writesTo];
