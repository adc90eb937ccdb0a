// Lookups that queries have built in memory (memlookup): each belongs to an account.

import type { Clock } from '#kernel/time/clock.ts';
import { Exhausted } from '#logs/log-store.ts';
import type { BuiltLookup, LookupBuild, LookupData, RunLookups } from '#logs/run.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { MapValue } from '#query/model/values.ts';
import type { LookupName } from '#query/plan-nodes/shared/lookup-rows.ts';
import { RunFailure } from '#query/values/failures.ts';
import { type LookupMemory, MAX_SIZE, type MemoryLookup, type OwnLookups } from './lookup-memory.ts';

/** Rows of one lookup. */
export const MAX_ROWS = 100_000;

export interface MemoryData extends LookupData {
  readonly isSecret: boolean;
}

/** What a run reads: as it was when the run began. */
interface FoundLookups {
  readonly inMemory: (name: LookupName) => MemoryData | undefined;
  readonly stored: (guid: string) => LookupData | undefined;
}

export class MemoryLookups {
  readonly #clock: Clock;
  readonly #memory: LookupMemory;

  constructor(clock: Clock, memory: LookupMemory) {
    this.#clock = clock;
    this.#memory = memory;
  }

  of(owner: string): Promise<OwnLookups> {
    return this.#memory.of(owner);
  }

  /** Undefined where it has gone since. */
  async data(lookup: MemoryLookup): Promise<MemoryData | undefined> {
    const rows = await this.#memory.rows(lookup);
    return rows && { columns: lookup.columns, isSecret: lookup.isSecret, rows };
  }

  /** Rows of `memlookup` alone. */
  async listed(owner: string): Promise<MapValue[]> {
    return [...(await this.of(owner)).values()].map(
      ({ name, key, count, created }) =>
        new Map<string, bigint | string | Temporal.Instant>([
          ['name', name],
          ['key', key],
          ['rows', BigInt(count)],
          ['created', created],
        ]),
    );
  }

  /** Lookups for a run over plans that name them. */
  forRun(caller: string, { inMemory, stored }: FoundLookups, named: readonly LookupName[]): RunLookups {
    return {
      isSecret: named.some((name) => name.stored === undefined && inMemory(name)?.isSecret),
      of: (name) => (name.stored === undefined ? inMemory(name) : stored(name.stored)),
      build: (lookup) => this.#build(lookup.account ?? caller, lookup),
      drop: ({ lookup, account = caller }) => this.#memory.drop(account, lookup),
    };
  }

  #build(owner: string, lookup: BuiltLookup): LookupBuild {
    const rows: MapValue[] = [];
    let size = 0;
    return {
      add(more, characters) {
        size += characters;
        if (rows.length + more.length > MAX_ROWS) throw new RunFailure(93011, MAX_ROWS);
        if (size > MAX_SIZE) throw new Exhausted('a lookup in memory is too large', { isMovable: false });
        rows.push(...more);
      },
      commit: () => this.#memory.keep(owner, { ...lookup, count: rows.length, size, created: this.#clock.now() }, rows),
    };
  }
}

/** Lookups as the check of a query sees them. */
export const knownLookups = (own: OwnLookups): ReadonlyMap<string, KnownLookup> =>
  new Map([...own].map(([name, { key, columns }]) => [name, { name, key, columns }]));
