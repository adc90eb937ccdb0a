// Lookups of queries that run in tests: those of the world that they run in, and those that they build and write.

import type { BuiltLookup, LookupBuild, LookupData, RunLookups } from '#logs/run.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { ColumnType, MapValue, Value } from '#query/model/values.ts';
import type { FlushingSink } from '#query/plan-nodes/effect.ts';
import type { LookupFill } from '#query/plan-nodes/outputlookup.ts';
import type { LookupName } from '#query/plan-nodes/shared/lookup-rows.ts';
import { groupKey } from '#query/values/order.ts';
import { columnsOf, EXAMPLE_ZONE, rowOf, type World } from '#test/support/query-examples.ts';
import type { Row } from '#test/support/query-result.ts';
import { sinkOf } from '#test/support/row-sinks.ts';

export class WorldLookups {
  readonly stored: Map<string, KnownLookup>;
  readonly inMemory = new Map<string, KnownLookup>();
  readonly #rows = new Map<string, readonly Row[]>();

  constructor(stored: ReadonlyMap<string, KnownLookup>) {
    this.stored = new Map(stored);
  }

  async load({ lookups = {} }: World): Promise<void> {
    for (const [name, { rows }] of Object.entries(lookups)) {
      await this.keep({ lookup: name, stored: name }, rows.map(rowOf), columnsOf(rows));
    }
  }

  rows(name: LookupName): readonly Row[] {
    return this.#rows.get(lookupKey(name)) ?? [];
  }

  columns({ lookup, stored }: LookupName): ReadonlyMap<string, ColumnType> {
    const known = stored === undefined ? this.inMemory : this.stored;
    return new Map(known.get(lookup)?.columns.map(({ name, type }) => [name, type]));
  }

  async build({ name, key, columns }: KnownLookup, rows: readonly Row[]): Promise<void> {
    await this.keep({ lookup: name }, rows, columns);
    this.inMemory.set(name, { name, key, columns });
  }

  async fill({ lookup, key, columns, append }: LookupFill, rows: readonly Row[]): Promise<void> {
    const name = { lookup, stored: lookup };
    const groupOf = (row: Row) => groupKey(row.get(key) ?? null, EXAMPLE_ZONE);
    const keys = new Set(rows.map(groupOf));
    const kept = append ? this.rows(name).filter((row) => !keys.has(groupOf(row))) : [];
    const all = [...kept, ...rows];
    const types = new Map(columnsOf(all).map((column) => [column.name, column.type]));
    const made = columns.map((column) => ({ name: column.name, type: types.get(column.name) ?? 'any' }));
    await this.keep(name, all, made);
    this.stored.set(lookup, { name: lookup, key, columns: made, guid: lookup, isWritable: true });
  }

  /** Rows of `memlookup` alone. */
  listed(): ReadonlyMap<string, Value>[] {
    return [...this.inMemory.values()].map(
      ({ name, key }) =>
        new Map<string, Value>([
          ['name', name],
          ['key', key],
          ['rows', BigInt(this.rows({ lookup: name }).length)],
        ]),
    );
  }

  /** As the run of an engine knows them. */
  ofRun(): RunLookups {
    return {
      isSecret: false,
      of: (name) => this.#dataOf(name),
      build: (lookup) => this.#buildOf(lookup),
      drop: async ({ lookup }) => void this.inMemory.delete(lookup),
    };
  }

  sink(node: LookupFill): FlushingSink {
    return sinkOf((rows) => this.fill(node, rows));
  }

  protected async keep(name: LookupName, rows: readonly Row[], _columns: readonly KnownColumn[]): Promise<void> {
    this.#rows.set(lookupKey(name), rows);
  }

  #dataOf(name: LookupName): LookupData | undefined {
    const known = (name.stored === undefined ? this.inMemory : this.stored).get(name.lookup);
    return known && { columns: known.columns, rows: this.rows(name).map((row) => new Map(row)) };
  }

  #buildOf(lookup: BuiltLookup): LookupBuild {
    const rows: MapValue[] = [];
    return { add: (some) => void rows.push(...some), commit: () => this.build(lookup, rows) };
  }
}

/** A lookup in memory may have the name of a stored one. */
export const lookupKey = ({ lookup, stored }: LookupName): string =>
  stored === undefined ? `memory ${lookup}` : lookup;
