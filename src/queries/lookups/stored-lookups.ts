// Loads rows into stored lookups. A version is written to its file first and put into force by one unit of the metadata: a
// crash between the two leaves the version before, and a file that the next start removes.

import type { Clock } from '#kernel/time/clock.ts';
import { Exhausted, type LogStore } from '#logs/log-store.ts';
import type { LookupFile, LookupPage, LookupVersion, LookupWriter } from '#logs/lookup-files.ts';
import type { MapValue } from '#query/model/values.ts';
import { RunFailure } from '#query/values/failures.ts';
import type { Db } from '#store/kysely.ts';
import { ContentGone, type LookupContents, PART_BYTES } from '#store/rows/lookup-contents.ts';
import { findLookup, lookupFiles, putVersion } from '#store/rows/lookups.ts';
import type { LookupRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import { columnNames, fileOf, knownColumns } from './lookup-version.ts';

/** Characters of all values of a lookup. */
export const MAX_CHARACTERS = 256 * 2 ** 20;

interface StoredLookupsDeps {
  readonly store: Store;
  readonly engine: Pick<LogStore, 'lookups'>;
  readonly clock: Clock;
  /** Where other nodes find the files; absent where this service is the only one. */
  readonly contents?: LookupContents | undefined;
  readonly zone: string;
  /** Most rows of a lookup: the setting `lookup-rows`. */
  readonly maxRows: number;
}

export const LOAD_MODES = ['replace', 'merge'] as const;
export type LoadMode = (typeof LOAD_MODES)[number];

export interface Loaded {
  readonly guid: string;
  readonly row_count: number;
  readonly version: number;
}

/** Called in the unit of the metadata that puts a version into force, as the last thing in it. */
export type LoadNote = (db: Db, loaded: Loaded) => Promise<void> | void;

export class StoredLookups {
  readonly maxRows: number;
  readonly #deps: StoredLookupsDeps;
  /** Files of this node by lookup: those of an older version go when a newer one has come from another node. */
  readonly #ownFiles = new Map<string, { readonly file: string; readonly version: number }>();

  constructor(deps: StoredLookupsDeps) {
    this.#deps = deps;
    this.maxRows = deps.maxRows;
  }

  /** Removes files that a crash left, and shows other nodes those that this one wrote while it was alone. */
  async recover(): Promise<void> {
    const { store, engine, contents } = this.#deps;
    const files = await store.read(lookupFiles);
    await engine.lookups.sweep(new Set(files.keys()));
    if (!contents) return;
    for (const [file, guid] of files) {
      if (!(await engine.lookups.has(file))) continue;
      this.#noteFile(guid, { file, version: 0 });
      if (!(await contents.has(file))) await this.#share(file);
    }
    await contents.sweep();
  }

  /** Of a lookup that has been removed. */
  async retire(file: string): Promise<void> {
    await this.#deps.engine.lookups.retire(file);
    await this.#deps.contents?.remove(file);
  }

  /** Rows of a held lookup in the order of its key. */
  async page(held: HeldLookup, wanted: Omit<LookupPage, 'columns'>) {
    const columns = knownColumns(held.row);
    if (!held.file) return { columns, total: 0, texts: [] };
    return { columns, ...(await this.#deps.engine.lookups.page(held.file, { ...wanted, columns })) };
  }

  async begin(layout: { readonly columns: readonly string[]; readonly key: string }): Promise<LookupLoad> {
    const { engine, zone } = this.#deps;
    return new LookupLoad(await engine.lookups.write({ ...layout, zone }), this.maxRows);
  }

  /** Keeps the file of a lookup; undefined where it has no rows or has gone. Reads the row again where a load was faster. */
  async hold(guid: string): Promise<HeldLookup | undefined> {
    let missed: string | undefined;
    for (;;) {
      const row = await this.#deps.store.read((db) => findLookup(db, guid));
      if (!row) return undefined;
      const file = fileOf(row);
      const held = file ? await this.#holdFile(row, file.file) : NOTHING_HELD;
      if (held) return { row, file, [Symbol.dispose]: () => held[Symbol.dispose]() };
      if (missed === file?.file) throw new Error(`the rows of the lookup ${row.name} are on no node that shows them`);
      missed = file?.file;
    }
  }

  /** Writes the file of a new version of a lookup, or of the first one of a new lookup. The caller disposes of it. */
  async prepare(load: LookupLoad, target: LoadTarget): Promise<PreparedLoad | undefined> {
    await using stack = new AsyncDisposableStack();
    const held = target.guid === undefined ? undefined : await this.hold(target.guid);
    if (target.guid !== undefined && !held) return undefined;
    if (held) stack.use(held);
    const before = target.mode === 'merge' ? held?.file : undefined;
    const made = await load.finish(before);
    stack.defer(async () => {
      if (!prepared.isInForce) await this.retire(made.file);
    });
    await this.#share(made.file);
    const kept = stack.move();
    const prepared: PreparedLoad = {
      load,
      target,
      held,
      made,
      isInForce: false,
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    };
    return prepared;
  }

  /** Undefined where the lookup has gone. A merge that another load overtakes is made again. */
  async commit(prepared: PreparedLoad, note: LoadNote = () => undefined): Promise<Loaded | undefined> {
    const outcome = await this.#put(prepared, note);
    if (outcome === 'overtaken') {
      await using again = await this.prepare(prepared.load, prepared.target);
      return again && (await this.commit(again, note));
    }
    if (outcome) {
      prepared.isInForce = true;
      this.#noteFile(outcome.guid, { file: prepared.made.file, version: outcome.version });
      if (prepared.held?.file) await this.retire(prepared.held.file.file);
    }
    return outcome;
  }

  /** Undefined where the file has been removed. One that another node wrote is brought here first. */
  async #holdFile({ guid, version }: LookupRow, file: string): Promise<Disposable | undefined> {
    const { engine, contents } = this.#deps;
    const held = engine.lookups.hold(file);
    if (!held || !contents) return held;
    try {
      if (!(await engine.lookups.has(file))) await engine.lookups.adopt(file, contents.parts(file));
    } catch (error) {
      held[Symbol.dispose]();
      if (error instanceof ContentGone) return undefined;
      throw error;
    }
    const before = this.#noteFile(guid, { file, version });
    if (before !== undefined) await engine.lookups.retire(before);
    return held;
  }

  /** Gives the file of an older version that was noted before. A load may have been faster: its file is the newer one. */
  #noteFile(guid: string, noted: { readonly file: string; readonly version: number }): string | undefined {
    const before = this.#ownFiles.get(guid);
    if (before && before.version >= noted.version) return undefined;
    this.#ownFiles.set(guid, noted);
    return before?.file === noted.file ? undefined : before?.file;
  }

  async #share(file: string): Promise<void> {
    const { engine, contents } = this.#deps;
    await contents?.put(file, engine.lookups.pieces(file, PART_BYTES));
  }

  async #put({ target, held, made }: PreparedLoad, note: LoadNote): Promise<Loaded | 'overtaken' | undefined> {
    const { store, clock } = this.#deps;
    return await store.write(async (db) => {
      const guid = held?.row.guid ?? (await target.insert?.(db));
      const now = guid === undefined ? undefined : await findLookup(db, guid);
      if (!now) return undefined;
      if (target.mode === 'merge' && held && now.file !== held.row.file) return 'overtaken';
      // An update may have dropped columns meanwhile.
      const names = new Set(columnNames(now));
      const columns = made.columns.map(({ name, type }) => ({
        name: name !== null && names.has(name) ? name : null,
        type,
      }));
      const state = { file: made.file, row_count: made.rows, size: made.size, file_columns: JSON.stringify(columns) };
      const version = (await putVersion(db, now.guid, state, clock.now().epochMilliseconds)) ?? 0;
      const loaded = { guid: now.guid, row_count: made.rows, version };
      await note(db, loaded);
      return loaded;
    });
  }
}

/** The lookup that rows are for. */
export interface LoadTarget {
  readonly mode: LoadMode;
  /** Absent for a lookup that `insert` makes in the unit of the load. */
  readonly guid?: string;
  readonly insert?: (db: Db) => Promise<string>;
}

/** A version whose file is durable, and which is not in force yet. */
export interface PreparedLoad extends AsyncDisposable {
  readonly load: LookupLoad;
  readonly target: LoadTarget;
  readonly held: HeldLookup | undefined;
  readonly made: LookupVersion;
  isInForce: boolean;
}

export interface HeldLookup extends Disposable {
  readonly row: LookupRow;
  /** Undefined before the first load. */
  readonly file: LookupFile | undefined;
}

const NOTHING_HELD: Disposable = { [Symbol.dispose]: () => undefined };

/** Rows on their way into a lookup, bounded (6.4). */
export class LookupLoad implements AsyncDisposable {
  readonly #writer: LookupWriter;
  readonly #maxRows: number;

  constructor(writer: LookupWriter, maxRows: number) {
    this.#writer = writer;
    this.#maxRows = maxRows;
  }

  get rows(): number {
    return this.#writer.rows;
  }

  /** Throws where there are too many rows (93011) or characters (93003). */
  async add(rows: readonly MapValue[]): Promise<void> {
    this.#require(this.#writer.rows + rows.length, 0);
    await this.#writer.add(rows);
    this.#require(0, this.#writer.size);
  }

  findRepeatedKey(): Promise<number | undefined> {
    return this.#writer.findRepeatedKey();
  }

  async finish(before: LookupFile | undefined): Promise<LookupVersion> {
    const made = await this.#writer.finish(before);
    this.#require(made.rows, made.size);
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer[Symbol.asyncDispose]();
  }

  #require(rows: number, size: number): void {
    if (rows > this.#maxRows) throw new RunFailure(93011, this.#maxRows);
    if (size > MAX_CHARACTERS) throw new Exhausted('the rows of a lookup are too large', { isMovable: false });
  }
}
