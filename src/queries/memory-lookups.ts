// Lookups that queries have built in memory (memlookup): each belongs to an account and ends with the service.

import { Exhausted } from '#engines/engine.ts';
import type { BuiltLookup, LookupBuild, LookupData, RunLookups } from '#engines/plan-run.ts';
import type { Clock } from '#kernel/clock.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { MapValue } from '#query/model/values.ts';
import type { LookupName } from '#query/nodes/shared/lookup-rows.ts';
import { RunFailure } from '#query/values/failures.ts';

/** Rows of one lookup; lookups and characters of one account. */
export const MAX_ROWS = 100_000;
export const MAX_LOOKUPS = 100;
export const MAX_SIZE = 64 * 1024 * 1024;

interface MemoryLookup extends BuiltLookup {
  readonly rows: readonly MapValue[];
  readonly size: number;
  readonly created: Temporal.Instant;
}

/** Lookups of one account at one moment. */
export type OwnLookups = ReadonlyMap<string, MemoryLookup>;

interface FoundLookups {
  readonly seen: (account: string) => OwnLookups;
  readonly stored: (guid: string) => LookupData | undefined;
}

const NONE: OwnLookups = new Map();

export class MemoryLookups {
  readonly #clock: Clock;
  /** By the GUID of the owner. Maps are replaced as a whole, so that a run keeps the lookups that it started with. */
  readonly #owners = new Map<string, OwnLookups>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(owner: string): OwnLookups {
    return this.#owners.get(owner) ?? NONE;
  }

  /** Rows of `memlookup` alone. */
  listed(owner: string): MapValue[] {
    return [...this.of(owner).values()].map(
      ({ name, key, rows, created }) =>
        new Map<string, bigint | string | Temporal.Instant>([
          ['name', name],
          ['key', key],
          ['rows', BigInt(rows.length)],
          ['created', created],
        ]),
    );
  }

  /**
   * Lookups for a run over plans that name them. `seen` holds the lookups of each account at the time of the check, `stored`
   * gives the stored ones by GUID.
   */
  forRun(caller: string, { seen, stored }: FoundLookups, named: readonly LookupName[]): RunLookups {
    const inMemory = ({ lookup, account = caller }: LookupName) => seen(account).get(lookup);
    return {
      isSecret: named.some((name) => name.stored === undefined && inMemory(name)?.isSecret),
      of: (name) => (name.stored === undefined ? inMemory(name) : stored(name.stored)),
      build: (lookup) => this.#build(lookup.account ?? caller, lookup),
      drop: ({ lookup, account = caller }) => this.#drop(account, lookup),
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
      commit: () => this.#keep(owner, { ...lookup, rows, size, created: this.#clock.now() }),
    };
  }

  #keep(owner: string, lookup: MemoryLookup): void {
    const others = new Map(this.of(owner));
    others.delete(lookup.name);
    if (others.size >= MAX_LOOKUPS) throw new RunFailure(93011, MAX_LOOKUPS);
    const size = [...others.values()].reduce((total, other) => total + other.size, lookup.size);
    if (size > MAX_SIZE) throw new Exhausted('the lookups of an account in memory are too large', { isMovable: false });
    this.#owners.set(owner, others.set(lookup.name, lookup));
  }

  #drop(owner: string, name: string): void {
    const left = new Map(this.of(owner));
    left.delete(name);
    this.#owners.set(owner, left);
  }
}

/** Lookups as the check of a query sees them. */
export const knownLookups = (own: OwnLookups): ReadonlyMap<string, KnownLookup> =>
  new Map([...own].map(([name, { key, columns }]) => [name, { name, key, columns }]));
