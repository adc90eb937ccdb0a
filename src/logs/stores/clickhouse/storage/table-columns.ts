// The columns of one table: what was learnt of its records, in the catalog that all nodes share, and on the servers. Another node may
// have learnt something meanwhile: the order and the types in the catalog are those of all.

import { type RecordBatch, TableGone, type TableSpec } from '#logs/log-store.ts';
import type { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { ColumnRegistry, type Columns, type LearntColumns } from '#logs/stores/shared/columns.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { type CatalogColumns, readColumns, writeColumns } from './catalog.ts';
import { layOut } from './laid-out-tables.ts';
import { learn } from './rows.ts';
import type { TableDeps } from './table.ts';

type ColumnsDeps = Pick<TableDeps, 'store' | 'shards' | 'registryOf' | 'renewedRegistry'>;

/** Changes happen one after the other: the table sees to it. */
export class TableColumns {
  readonly #deps: ColumnsDeps;
  readonly #spec: TableSpec;
  #registry: ColumnRegistry;
  #version: number;
  /** Changes of the registry that catalog and servers have. */
  #registered: number;
  #matched: Columns = new Map();
  /** Those that have the columns. */
  #servers: readonly ClickhouseClient[] = [];

  private constructor(spec: TableSpec, deps: ColumnsDeps, known: { registry: ColumnRegistry; version: number }) {
    this.#spec = spec;
    this.#deps = deps;
    this.#registry = known.registry;
    this.#registered = known.registry.changes;
    this.#version = known.version;
  }

  /** Servers have the columns when it resolves. */
  static async open(spec: TableSpec, deps: ColumnsDeps, { learnt, version }: CatalogColumns): Promise<TableColumns> {
    const own = new ColumnRegistry(learnt);
    const registry = (await deps.registryOf?.(spec.id, learnt)) ?? own;
    const columns = new TableColumns(spec, deps, { registry, version });
    // Another place of the table may have learnt more.
    if (JSON.stringify(registry.learnt) !== JSON.stringify(own.learnt)) columns.#registered = NOT_REGISTERED;
    await columns.publish();
    return columns;
  }

  get registry(): ColumnRegistry {
    return this.#registry;
  }

  get learnt(): LearntColumns {
    return this.#registry.learnt;
  }

  /** Of the catalog that these columns are from. */
  get version(): number {
    return this.#version;
  }

  /** Those that the servers have: columns that were learnt just now have no records yet, and no server could read them. */
  get matched(): Columns {
    return this.#matched;
  }

  get servers(): readonly ClickhouseClient[] {
    return this.#servers;
  }

  get isOnAll(): boolean {
    return this.#servers.length === this.#deps.shards.all.length;
  }

  /** Gives the names of the columns that the records use. */
  learn(parts: RecordBatch['parts']): Promise<ReadonlySet<string>> {
    return eventLoop.runInSlots(learn(parts, this.#spec.layout, this.#registry));
  }

  /** Learns from records, until catalog and servers have the columns that they use. */
  async registered(parts: RecordBatch['parts']): Promise<ReadonlySet<string>> {
    for (;;) {
      const names = await this.learn(parts);
      if (await this.#register()) return names;
      // Another node was faster: its columns come before ours, and may be of other types.
      await this.adopt();
    }
  }

  /** Whether catalog and servers have all that was learnt. */
  get isPublished(): boolean {
    return this.#registry.changes === this.#registered && this.isOnAll;
  }

  async publish(): Promise<void> {
    while (!(await this.#register())) await this.adopt();
  }

  /** Takes what other nodes have learnt. Gives whether there was anything. */
  async adopt(): Promise<boolean> {
    const found = await readColumns(this.#deps.store, this.#spec.id);
    if (!found) throw new TableGone(this.#spec.name);
    if (found.version === this.#version) return false;
    const { renewedRegistry } = this.#deps;
    const registry = (await renewedRegistry?.(this.#spec.id, found.learnt)) ?? new ColumnRegistry(found.learnt);
    await this.match(new Map(registry.columns));
    this.#registry = registry;
    this.#registered = registry.changes;
    this.#version = found.version;
    return true;
  }

  /** Brings all servers to the columns. */
  async match(columns: Columns = this.#matched): Promise<void> {
    const { shards } = this.#deps;
    const servers = [...shards.all];
    await shards.each((client) => layOut(client, this.#spec, columns));
    this.#matched = columns;
    this.#servers = servers;
  }

  /** Catalog and servers know the columns of records before these are inserted. False where the catalog is another one by now. */
  async #register(): Promise<boolean> {
    const { changes, learnt } = this.#registry;
    // Others may learn meanwhile: no server has a column that the catalog does not know.
    const columns: Columns = new Map(this.#registry.columns);
    if (this.isPublished) return true;
    if (changes !== this.#registered) {
      const version = await writeColumns(this.#deps.store, this.#spec, { learnt, version: this.#version });
      if (version === undefined) return false;
      this.#version = version;
    }
    await this.match(columns);
    this.#registered = changes;
    return true;
  }
}

/** No number of changes. */
const NOT_REGISTERED = -1;
