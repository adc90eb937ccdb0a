// Where lookups in memory are kept: in the process, or in the database that several services share.

import { newGuid } from '#kernel/guid.ts';
import { Exhausted } from '#logs/log-store.ts';
import type { BuiltLookup } from '#logs/run.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import type { MapValue } from '#query/model/values.ts';
import { taggedJson, taggedValue } from '#query/rows/tagged-json.ts';
import { RunFailure } from '#query/values/failures.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { DATABASE_NOW } from '#store/database-now.ts';
import { connectionOf, type Db } from '#store/kysely.ts';
import { ContentGone, type LookupContents, PART_BYTES } from '#store/rows/lookup-contents.ts';
import type { Store } from '#store/store.ts';

/** Lookups and characters of one account. */
export const MAX_LOOKUPS = 100;
export const MAX_SIZE = 64 * 1024 * 1024;

export interface MemoryLookup extends BuiltLookup {
  readonly count: number;
  readonly size: number;
  readonly created: Temporal.Instant;
}

/** Lookups of one account at one moment. */
export type OwnLookups = ReadonlyMap<string, MemoryLookup>;

export interface LookupMemory {
  of(owner: string): Promise<OwnLookups>;
  /** Undefined where it has been replaced or dropped since. */
  rows(lookup: MemoryLookup): Promise<readonly MapValue[] | undefined>;
  /** Throws where the account has too many. */
  keep(owner: string, lookup: MemoryLookup, rows: readonly MapValue[]): Promise<void>;
  drop(owner: string, name: string): Promise<void>;
}

interface KeptLookup extends MemoryLookup {
  readonly rows: readonly MapValue[];
}

/** They end with the service. */
export class ProcessLookups implements LookupMemory {
  /** By the GUID of the owner. Maps are replaced as a whole, so that a run keeps the lookups that it started with. */
  readonly #owners = new Map<string, ReadonlyMap<string, KeptLookup>>();

  async of(owner: string): Promise<OwnLookups> {
    return this.#owners.get(owner) ?? new Map();
  }

  async rows(lookup: MemoryLookup): Promise<readonly MapValue[]> {
    return (lookup as KeptLookup).rows;
  }

  async keep(owner: string, lookup: MemoryLookup, rows: readonly MapValue[]): Promise<void> {
    const others = new Map(this.#owners.get(owner));
    others.delete(lookup.name);
    requireRoom([...others.values()], lookup);
    this.#owners.set(owner, others.set(lookup.name, { ...lookup, rows }));
  }

  async drop(owner: string, name: string): Promise<void> {
    const left = new Map(this.#owners.get(owner));
    left.delete(name);
    this.#owners.set(owner, left);
  }
}

/** After this time without being read or built, in milliseconds. */
const KEPT_MS = 24 * 3_600_000;
/** Reading writes the time only when it is older. */
const USE_NOTED_MS = 60_000;

interface StoredLookup extends MemoryLookup {
  readonly content: string;
}

interface Shared {
  readonly store: Store;
  readonly contents: LookupContents;
}

/** Every node sees them. What came from an encrypted table is never written in clear: it stays in the process that read it. */
export class SharedLookups implements LookupMemory {
  readonly #deps: Shared;
  readonly #secret = new ProcessLookups();

  constructor(deps: Shared) {
    this.#deps = deps;
  }

  async of(owner: string): Promise<OwnLookups> {
    const rows = await this.#deps.store.read((db) =>
      connectionOf(db).all(`select * from memory_lookups where account = ? and not (${this.#isUnused})`, [owner]),
    );
    const shared = rows.map((row) => storedLookup(row));
    return new Map([...shared.map((lookup) => [lookup.name, lookup] as const), ...(await this.#secret.of(owner))]);
  }

  async rows(lookup: MemoryLookup): Promise<readonly MapValue[] | undefined> {
    if (!isStored(lookup)) return await this.#secret.rows(lookup);
    try {
      const rows = await rowsIn(this.#deps.contents.parts(lookup.content));
      await this.#noteUse(lookup.content);
      return rows;
    } catch (error) {
      if (error instanceof ContentGone) return undefined;
      throw error;
    }
  }

  async keep(owner: string, lookup: MemoryLookup, rows: readonly MapValue[]): Promise<void> {
    if (lookup.isSecret) {
      await this.drop(owner, lookup.name);
      await this.#secret.keep(owner, lookup, rows);
      return;
    }
    const { store, contents } = this.#deps;
    const content = newGuid();
    await contents.put(content, partsOf(rows));
    try {
      await store.write((db) => this.#insert(db, owner, { ...lookup, content }));
    } catch (error) {
      await contents.remove(content);
      throw error;
    }
    await this.#secret.drop(owner, lookup.name);
  }

  async drop(owner: string, name: string): Promise<void> {
    await this.#secret.drop(owner, name);
    await this.#deps.store.write((db) => this.#remove(db, 'account = ? and name = ?', [owner, name]));
  }

  get #isUnused(): string {
    return `used_at < ${DATABASE_NOW[this.#deps.store.dialect]} - ${KEPT_MS}`;
  }

  async #insert(db: Db, owner: string, lookup: StoredLookup): Promise<void> {
    await this.#remove(db, 'account = ? and name = ?', [owner, lookup.name]);
    await this.#remove(db, this.#isUnused);
    const others = await connectionOf(db).all('select * from memory_lookups where account = ?', [owner]);
    requireRoom(
      others.map((row) => storedLookup(row)),
      lookup,
    );
    const { name, key, columns, content, count, size, created } = lookup;
    await connectionOf(db).all(
      `insert into memory_lookups (account, name, key, columns, content, row_count, size, created_at, used_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ${DATABASE_NOW[this.#deps.store.dialect]})`,
      [owner, name, key, JSON.stringify(columns), content, count, size, created.epochMilliseconds],
    );
  }

  async #remove(db: Db, which: string, values: readonly string[] = []): Promise<void> {
    const gone = await connectionOf(db).all(`delete from memory_lookups where ${which} returning content`, values);
    for (const { content } of gone) await this.#deps.contents.removeIn(db, String(content));
  }

  async #noteUse(content: string): Promise<void> {
    const { store } = this.#deps;
    const now = DATABASE_NOW[store.dialect];
    const [old] = await store.read((db) =>
      connectionOf(db).all(`select 1 from memory_lookups where content = ? and used_at < ${now} - ${USE_NOTED_MS}`, [
        content,
      ]),
    );
    if (!old) return;
    await store.write(async (db) => {
      await connectionOf(db).all(`update memory_lookups set used_at = ${now} where content = ?`, [content]);
    });
  }
}

function requireRoom(others: readonly MemoryLookup[], lookup: MemoryLookup): void {
  if (others.length >= MAX_LOOKUPS) throw new RunFailure(93011, MAX_LOOKUPS);
  const size = others.reduce((total, other) => total + other.size, lookup.size);
  if (size > MAX_SIZE) throw new Exhausted('the lookups of an account in memory are too large', { isMovable: false });
}

const isStored = (lookup: MemoryLookup): lookup is StoredLookup => 'content' in lookup;

const storedLookup = (row: Readonly<Record<string, unknown>>): StoredLookup => ({
  name: String(row.name),
  key: String(row.key),
  columns: JSON.parse(String(row.columns)) as readonly KnownColumn[],
  isSecret: false,
  content: String(row.content),
  count: Number(row.row_count),
  size: Number(row.size),
  created: Temporal.Instant.fromEpochMilliseconds(Number(row.created_at)),
});

/** One row per line. A line may be longer than a part. */
async function* partsOf(rows: readonly MapValue[]): AsyncGenerator<Uint8Array> {
  let lines = '';
  for (const row of rows) {
    lines += `${taggedJson(row)}\n`;
    if (lines.length < PART_BYTES / 2) continue;
    yield* pieces(lines);
    lines = '';
    await eventLoop.nextSlot();
  }
  if (lines !== '') yield* pieces(lines);
}

function* pieces(text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += PART_BYTES) yield bytes.subarray(from, from + PART_BYTES);
}

async function rowsIn(parts: AsyncIterable<Uint8Array>): Promise<MapValue[]> {
  const rows: MapValue[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) rows.push(taggedValue(line) as MapValue);
    await eventLoop.nextSlot();
  }
  return rows;
}
