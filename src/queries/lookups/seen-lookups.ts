// Lookups in memory as one check sees them: each account's are read once, so that a check and its run see the same.

import type { MissingLoader } from '#queries/check/plan-until-known.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { MemoryLookup, OwnLookups } from './lookup-memory.ts';
import { knownLookups, type MemoryLookups } from './memory-lookups.ts';

const NONE: OwnLookups = new Map();

export class SeenLookups implements MissingLoader {
  readonly #memory: MemoryLookups;
  /** By account; undefined where they were asked for and are not read yet. */
  #seen = new Map<string, OwnLookups | undefined>();

  constructor(memory: MemoryLookups) {
    this.#memory = memory;
  }

  forget(): void {
    this.#seen = new Map();
  }

  known(account: string): ReadonlyMap<string, KnownLookup> {
    const own = this.#seen.get(account);
    if (!own) this.#seen.set(account, undefined);
    return knownLookups(own ?? NONE);
  }

  find(account: string, name: string): MemoryLookup | undefined {
    return this.#seen.get(account)?.get(name);
  }

  async loadMissing(): Promise<boolean> {
    const missing = [...this.#seen].flatMap(([account, own]) => (own ? [] : account));
    let isNew = false;
    for (const account of missing) {
      const own = await this.#memory.of(account);
      this.#seen.set(account, own);
      isNew ||= own.size > 0;
    }
    return isNew;
  }
}
