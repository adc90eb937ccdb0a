// The index by which a rare keyword is found without reading every entry. PostgreSQL maintains a trigram index itself.
// For SQLite it is an FTS5 table in the scanner's own file, filled in batches behind the head, because maintaining a
// trigram index with every insert costs more than the insert; the short unindexed tail is always read.

import type { Clock } from '#kernel/clock.ts';
import type { Connection } from '#store/connection.ts';
import type { Store } from '#store/store.ts';
import { type Condition, isTextOnly, type Needle } from './filter.ts';
import type { ChainHead } from './trail.ts';

const FILL_PERIOD = Temporal.Duration.from({ seconds: 1 });
const ENTRIES_PER_BATCH = 500;
/** With more candidates a full scan is faster. */
const MAX_CANDIDATES = 5000;
const MAX_TRIGRAMS = 40;

export interface TextIndex {
  /** A condition that holds for every entry whose text contains all needles; undefined when the index does not help. */
  narrow(needles: readonly Needle[]): Promise<Condition | undefined>;
  /** Indexes up to the head, one batch at a time, so that searches run in between. */
  fill(): Promise<void>;
  /** Entries not indexed yet. */
  lag(): number;
  close(): Promise<void>;
}

export function openTextIndex(store: Store, clock: Clock, head: () => ChainHead): TextIndex {
  if (store.dialect === 'sqlite') return new SqliteTextIndex(store.scanner, clock, head);
  return { narrow: async () => undefined, fill: async () => undefined, lag: () => 0, close: async () => undefined };
}

class SqliteTextIndex implements TextIndex {
  readonly #scanner: Connection;
  readonly #head: () => ChainHead;
  readonly #filling: Disposable;
  /** The newest indexed entry; known once the index was opened, with its first use. */
  #indexed: number | undefined;
  #opening: Promise<number> | undefined;
  #batch: Promise<void> | undefined;
  #isClosed = false;

  constructor(scanner: Connection, clock: Clock, head: () => ChainHead) {
    this.#scanner = scanner;
    this.#head = head;
    this.#filling = clock.every(FILL_PERIOD, () => {
      // The scanner thread is not started for a few entries.
      if (this.#indexed !== undefined || head().id >= ENTRIES_PER_BATCH) void this.fill();
    });
  }

  lag(): number {
    return this.#head().id - (this.#indexed ?? 0);
  }

  fill(): Promise<void> {
    this.#batch ??= this.#fillBatches().finally(() => {
      this.#batch = undefined;
    });
    return this.#batch;
  }

  async narrow(needles: readonly Needle[]): Promise<Condition | undefined> {
    const trigrams = needles.filter(isTextOnly).flatMap(({ text }) => trigramsOf(text));
    if (trigrams.length === 0) return undefined;
    const indexed = await this.#open();
    const match = [...new Set(trigrams)].slice(0, MAX_TRIGRAMS).map(quoted).join(' AND ');
    const sql = 'select rowid as id from audit_fts where audit_fts match ? limit ?';
    const rows = await this.#scanner.all(sql, [match, MAX_CANDIDATES + 1]);
    if (rows.length > MAX_CANDIDATES) return undefined;
    return {
      sql: 'e.id in (select value from json_each(?) union all select id from audit_texts where id > ?)',
      values: [JSON.stringify(rows.map(({ id }) => id)), indexed],
    };
  }

  async close(): Promise<void> {
    this.#filling[Symbol.dispose]();
    this.#isClosed = true;
    await this.#batch;
  }

  async #fillBatches(): Promise<void> {
    let indexed = await this.#open();
    while (indexed < this.#head().id && !this.#isClosed) {
      const to = Math.min(indexed + ENTRIES_PER_BATCH, this.#head().id);
      await this.#indexEntries(indexed, to);
      indexed = to;
      this.#indexed = to;
    }
  }

  async #indexEntries(after: number, to: number): Promise<void> {
    const texts = `select id, text from audit_texts where id > ${after} and id <= ${to}`;
    const reached = `update audit_indexed set id = ${to}, hash = (select hash from audit_entries where id = ${to})`;
    // Not `immediate`: that would also lock the attached metadata database and stop its writer. One script: a search in
    // between would see the trail as of its start, without entries acknowledged since.
    try {
      await this.#scanner.exec(`begin; insert into audit_fts (rowid, text) ${texts}; ${reached}; commit`);
    } catch (error) {
      await this.#scanner.exec('rollback');
      throw error;
    }
  }

  async #open(): Promise<number> {
    this.#opening ??= this.#prepare();
    const found = await this.#opening;
    this.#indexed ??= found;
    return this.#indexed;
  }

  async #prepare(): Promise<number> {
    await this.#scanner.exec('create table if not exists audit_indexed (id integer not null, hash text)');
    const [state] = await this.#scanner.all(
      'select i.id, i.hash is e.hash as is_ours from audit_indexed i left join audit_entries e on e.id = i.id',
    );
    // An index of another or a restored database is useless.
    const isUsable = state !== undefined && (Number(state.id) === 0 || state.is_ours === 1);
    if (!isUsable) await this.#recreate();
    return isUsable ? Number(state.id) : 0;
  }

  async #recreate(): Promise<void> {
    await this.#scanner.exec('drop table if exists audit_fts');
    await this.#scanner.exec(
      `create virtual table audit_fts using fts5 (text, content = '', tokenize = 'trigram', detail = 'none')`,
    );
    await this.#scanner.exec('delete from audit_indexed');
    await this.#scanner.all('insert into audit_indexed (id, hash) values (0, null)');
  }
}

/** The index has no positions, so a longer text is found by all its trigrams and then compared. */
function trigramsOf(text: string): string[] {
  const points = [...text];
  return points.slice(2).map((_, index) => points.slice(index, index + 3).join(''));
}

const quoted = (trigram: string) => `"${trigram.replaceAll('"', '""')}"`;
