// Finds the tables for the names that the records of a request give. All of them are found, and some created, before anything is
// stored.

import { grantee, type VisibleTable, visibleTables } from '#access/rights/table-rights.ts';
import type { Trail } from '#audit/trail.ts';
import { createTable } from '#ingest/pushes/new-table.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { Call } from '#operations/endpoint.ts';
import type { Store } from '#store/store.ts';
import { cleanedName, isTableName, mappedName, type TableMapping } from './table-names.ts';

export interface SenderTablesOptions {
  /** The setting `senders-table`; empty for none. */
  readonly defaultTable: string;
  /** The setting `senders-create`. */
  readonly creates: boolean;
  /** The setting `senders-map`. */
  readonly mappings: readonly TableMapping[];
}

interface SenderTablesDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly engine: LogStore;
  readonly clock: Clock;
}

/** A table that the caller may write to, or the name for which there is none. */
export type FoundTable =
  | { readonly table: VisibleTable }
  | { readonly missing: string }
  | { readonly forbidden: string };

type TablesCall = Pick<Call, 'caller' | 'remoteIp' | 'requestId'>;
type TablesByName = ReadonlyMap<string, VisibleTable>;

export class SenderTables {
  readonly #deps: SenderTablesDeps;
  readonly #options: SenderTablesOptions;

  constructor(deps: SenderTablesDeps, options: SenderTablesOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** `given` is the table that the request itself names, for all of its records. */
  async find(
    names: readonly (string | undefined)[],
    given: string | undefined,
    call: TablesCall,
  ): Promise<ReadonlyMap<string | undefined, FoundTable>> {
    const candidates = given === undefined ? this.#candidates(names) : [given];
    const visible = await this.#visible(candidates, call);
    const created = given === undefined ? await this.#create(names, visible, call) : false;
    const known = created ? await this.#visible(candidates, call) : visible;
    return new Map(names.map((name) => [name, found(given ?? this.#choose(name, known), known)]));
  }

  /** Whether records of this name would find a table now. */
  async exists(name: string, caller: Call['caller']): Promise<boolean> {
    const visible = await this.#visible(this.#candidates([name]), { caller });
    return visible.has(this.#choose(name, visible));
  }

  #candidates(names: readonly (string | undefined)[]): readonly string[] {
    const { mappings, defaultTable } = this.#options;
    const own = names.flatMap((name) =>
      name === undefined ? [] : (mappedName(name, mappings) ?? [name, cleanedName(name)]),
    );
    return [...new Set([...own, defaultTable])];
  }

  async #visible(names: readonly string[], { caller }: Pick<Call, 'caller'>): Promise<TablesByName> {
    const tables = await this.#deps.store.read((db) => visibleTables(db, caller, names));
    return new Map(tables.map((table) => [table.name, table]));
  }

  /** Creates the tables of own names that do not exist, where the operator allows it. */
  async #create(names: readonly (string | undefined)[], visible: TablesByName, call: TablesCall): Promise<boolean> {
    if (!this.#options.creates || grantee(call.caller) !== undefined) return false;
    const own = names.flatMap((name) => (name === undefined ? [] : this.#ownTable(name, visible)));
    const absent = new Set(own.filter((name) => isTableName(name) && !visible.has(name)));
    for (const name of absent) await createTable(name, call, this.#deps);
    return absent.size > 0;
  }

  #choose(name: string | undefined, visible: TablesByName): string {
    const own = name === undefined ? undefined : this.#ownTable(name, visible);
    if (own !== undefined && visible.has(own)) return own;
    // Without a default table, the complaint names the table that the sender means.
    return this.#options.defaultTable || (own ?? '');
  }

  #ownTable(name: string, visible: TablesByName): string {
    return mappedName(name, this.#options.mappings) ?? (visible.has(name) ? name : cleanedName(name));
  }
}

function found(name: string, visible: TablesByName): FoundTable {
  const table = visible.get(name);
  if (!table) return { missing: name };
  return table.right === 'write' ? { table } : { forbidden: name };
}
