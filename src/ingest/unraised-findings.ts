// Findings in records on their way into a table. They are written down before the records are stored, with an offset that is stored
// together with the records, and removed in the unit that raises them. After a crash the offset tells whether the records are there.
//
// An offset says that everything up to it is stored, and appends end in any order: each of those that are under way at the same
// moment has a source of its own, which the next one uses again.

import type { LogStore, SourceOffset, TableSpec } from '#logs/log-store.ts';
import type { Db } from '#store/kysely.ts';
import { insertEach } from '#store/rows/many.ts';
import type { Store } from '#store/store.ts';
import type { Finding, FindingContents } from './intake.ts';

interface UnraisedFindingsDeps {
  readonly engine: LogStore;
  readonly store: Store;
  /** Name of this node. */
  readonly node: string;
  livingNodes(): Promise<readonly string[]>;
}

interface Source {
  readonly name: string;
  /** Of the last append. */
  position: number;
}

/** The sources of a table. */
interface Sources {
  readonly stored: ReadonlyMap<string, number>;
  readonly free: Source[];
  count: number;
}

interface KeptFinding {
  readonly offset: SourceOffset;
  /** Part of the unit that raises it. */
  remove(db: Db): Promise<void>;
  /** Resolves as the append does; rejects as it does, and the finding does not count. */
  whileStored<T>(append: Promise<T>): Promise<T>;
  /** Called when it is raised. */
  raised(): void;
}

/** A finding that an earlier process, or a node that is gone, has not raised. */
interface LeftFinding {
  readonly tableId: number;
  /** False if the records are not stored, or their table is gone. */
  isStored(): Promise<boolean>;
  contents(): Promise<FindingContents>;
  /** False if it was removed before. */
  remove(db: Db): Promise<boolean>;
}

type Key = { readonly tableId: number } & SourceOffset;

export class UnraisedFindings {
  readonly #deps: UnraisedFindingsDeps;
  /** By the id of the table. */
  readonly #sources = new Map<number, Promise<Sources>>();
  /** Names of sources, by table, whose findings an earlier process has left. */
  readonly #left = new Set<string>();

  constructor(deps: UnraisedFindingsDeps) {
    this.#deps = deps;
  }

  /** Resolves when the finding is durable. */
  async keep(table: TableSpec, finding: Finding): Promise<KeptFinding> {
    const sources = await this.#sourcesOf(table);
    const source = sources.free.pop() ?? this.#newSource(table.id, sources);
    source.position += 1;
    const key = { tableId: table.id, source: source.name, position: source.position };
    const release = () => void sources.free.push(source);
    try {
      await this.#deps.store.write((db) => this.#write(db, key, finding));
    } catch (error) {
      release();
      throw error;
    }
    return {
      offset: { source: key.source, position: key.position },
      remove: async (db) => void (await remove(db, key)),
      async whileStored(append) {
        try {
          return await append;
        } catch (error) {
          // Its row says a position that is not stored, and the next finding of the source takes its place.
          release();
          throw error;
        }
      },
      raised: release,
    };
  }

  /** Findings of earlier processes of this node, and of nodes that do not live. */
  async left(): Promise<readonly LeftFinding[]> {
    const { store, node, livingNodes } = this.#deps;
    const keys = await store.read((db) =>
      db
        .selectFrom('unraised_findings')
        .select(['table_id as tableId', 'source', 'position', 'node'])
        .where('part', '=', 0)
        .execute(),
    );
    if (keys.length === 0) return [];
    const others = (await livingNodes()).filter((name) => name !== node);
    const left = keys.filter((key) => !others.includes(key.node));
    for (const { tableId, source } of left) this.#left.add(`${tableId} ${source}`);
    return left.map((key) => ({
      tableId: key.tableId,
      isStored: () => this.#isStored(key),
      contents: () => this.#contents(key),
      remove: (db) => remove(db, key),
    }));
  }

  #sourcesOf(table: TableSpec): Promise<Sources> {
    const known = this.#sources.get(table.id);
    if (known) return known;
    const sources = this.#deps.engine
      .sourceOffsets(table)
      .then((stored): Sources => ({ stored, free: [], count: 0 }))
      .catch((error) => {
        this.#sources.delete(table.id);
        throw error;
      });
    this.#sources.set(table.id, sources);
    return sources;
  }

  /** What could not be raised yet is not overwritten. */
  #newSource(tableId: number, sources: Sources): Source {
    for (;;) {
      const name = `findings/${this.#deps.node}/${sources.count}`;
      sources.count += 1;
      if (!this.#left.has(`${tableId} ${name}`)) return { name, position: sources.stored.get(name) ?? 0 };
    }
  }

  async #write(db: Db, { tableId, source, position }: Key, finding: Finding): Promise<void> {
    const { isSealed, texts } = await finding.contents(db);
    await db.deleteFrom('unraised_findings').where('table_id', '=', tableId).where('source', '=', source).execute();
    const row = { table_id: tableId, source, position, node: this.#deps.node, is_sealed: isSealed ? 1 : 0 };
    await insertEach(
      db,
      'unraised_findings',
      texts.map((content, part) => ({ ...row, part, content })),
    );
  }

  async #isStored({ tableId, source, position }: Key): Promise<boolean> {
    const { store, engine } = this.#deps;
    const table = await store.read((db) =>
      db
        .selectFrom('log_tables')
        .select(['id', 'name', 'layout', 'compression'])
        .where('id', '=', tableId)
        .executeTakeFirst(),
    );
    return table !== undefined && ((await engine.sourceOffsets(table)).get(source) ?? 0) >= position;
  }

  async #contents({ tableId, source }: Key): Promise<FindingContents> {
    const rows = await this.#deps.store.read((db) =>
      db
        .selectFrom('unraised_findings')
        .select(['is_sealed', 'content'])
        .where('table_id', '=', tableId)
        .where('source', '=', source)
        .orderBy('part')
        .execute(),
    );
    return { isSealed: rows.some(({ is_sealed }) => is_sealed === 1), texts: rows.map(({ content }) => content) };
  }
}

/** False if it is not there. */
async function remove(db: Db, { tableId, source, position }: Key): Promise<boolean> {
  const removed = await db
    .deleteFrom('unraised_findings')
    .where('table_id', '=', tableId)
    .where('source', '=', source)
    .where('position', '=', position)
    .returning('part')
    .execute();
  return removed.length > 0;
}
