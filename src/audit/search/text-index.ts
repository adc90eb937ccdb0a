// The index by which keywords are found without reading every entry: the grams of whole blocks of entries, with the entries
// that have them. A thread fills it behind the head, because indexing an entry costs more than writing it; entries behind
// the last block are always read. PostgreSQL keeps it beside the entries, SQLite in the search file of its scanner.

import type { ChainHead } from '#audit/chain/stored-chain.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { forEachYielding } from '#runtime/event-loop.ts';
import { Periodic, Rounds } from '#runtime/periodic.ts';
import { WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import type { Row } from '#store/connection.ts';
import type { Store } from '#store/store.ts';
import { isOneOf, isTextOnly, type Needle, type Period } from './filter.ts';
import { soughtGrams } from './grams.ts';
import { intersectPostings } from './postings.ts';

const FILL_PERIOD = Temporal.Duration.from({ seconds: 1 });
/** After a failure, of an unreachable database for example. */
const RETRY_PERIOD_MS = 60_000;
const ENTRIES_PER_BLOCK = 16_384;
/** Of all needles together. */
const MAX_KEYS = 40;

export interface TextIndex {
  /** All needles are those that `isIndexed` accepts. */
  find(needles: readonly Needle[], period: Period): Promise<Located>;
  blocks(): Promise<readonly Block[]>;
  /** Indexes all whole blocks up to the head. */
  fill(): Promise<void>;
  /** Entries of whole blocks that are not indexed yet. */
  lag(): number;
  close(): Promise<void>;
}

/** Entries `after` < id ≤ `to`. */
export interface Block {
  readonly after: number;
  readonly to: number;
  readonly entries: number;
  /** Bounds of `created_at`. */
  readonly oldest: number;
  readonly newest: number;
}

/** The indexed entries that may contain all needles; none of blocks outside of the period. */
export interface Located {
  readonly total: number;
  /** True when every one of them contains all needles. */
  readonly isExact: boolean;
  /** Entries behind this one are not indexed. */
  readonly indexed: number;
  /** Newest first, in steps of a block. */
  ids(): Iterable<readonly number[]>;
}

/** Data for the thread. */
export interface IndexSubject {
  /** A data folder, or a `postgres://` URL. */
  readonly location: string;
  readonly entriesPerBlock: number;
}

interface TextIndexDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly location: string;
  readonly entriesPerBlock?: number;
  head(): ChainHead;
  failed(error: unknown): void;
}

/** True when the index alone tells which entries may contain the needle. */
export const isIndexed = (needle: Needle): boolean => isTextOnly(needle) && soughtGrams(needle.text) !== undefined;

export function openTextIndex(deps: TextIndexDeps): TextIndex {
  return new GramIndex(deps);
}

class GramIndex implements TextIndex {
  readonly #deps: TextIndexDeps;
  readonly #entriesPerBlock: number;
  readonly #filling: Disposable;
  readonly #fills = new Rounds(() => this.#fillBlocks());
  /** The newest indexed entry; known once the index was opened, with its first use. */
  #indexed: number | undefined;
  #opening: Promise<void> | undefined;
  readonly #closing = new AbortController();
  #retryAt = 0;

  constructor(deps: TextIndexDeps) {
    this.#deps = deps;
    this.#entriesPerBlock = deps.entriesPerBlock ?? ENTRIES_PER_BLOCK;
    this.#filling = new Periodic({
      clock: deps.clock,
      period: FILL_PERIOD,
      during: 'join',
      work: () => {
        if (this.lag() === 0 || performance.now() < this.#retryAt) return undefined;
        return this.fill();
      },
      failed: (error) => {
        this.#retryAt = performance.now() + RETRY_PERIOD_MS;
        deps.failed(error);
      },
    });
  }

  lag(): number {
    const behind = this.#deps.head().id - (this.#indexed ?? 0);
    return behind - (behind % this.#entriesPerBlock);
  }

  fill(): Promise<void> {
    return this.#fills.join();
  }

  async find(needles: readonly Needle[], period: Period): Promise<Located> {
    const sought = needles.flatMap(({ text }) => soughtGrams(text) ?? []);
    const all = [...new Set(sought.flatMap((one) => one.keys))];
    const keys = all.slice(0, MAX_KEYS);
    const blocks = await this.#readPostings(keys);
    const hits: Hits[] = [];
    let total = 0;
    await forEachYielding(blocks, ({ block, postings }) => {
      if (postings.length < keys.length || !overlaps(block, period)) return;
      const count = intersectPostings(postings).length;
      if (count > 0) hits.unshift({ after: block.after, postings });
      total += count;
    });
    return {
      total,
      isExact: keys.length === all.length && sought.every((one) => one.isExact),
      indexed: blocks.at(-1)?.block.to ?? 0,
      *ids() {
        for (const { after, postings } of hits)
          yield intersectPostings(postings)
            .map((offset) => after + 1 + offset)
            .reverse();
      },
    };
  }

  async blocks(): Promise<readonly Block[]> {
    await this.#open();
    return (await this.#deps.store.scanner.all('select * from audit_blocks order by after_id')).map(blockOfRow);
  }

  async close(): Promise<void> {
    this.#filling[Symbol.dispose]();
    this.#closing.abort();
    await this.#fills.ended();
  }

  /** One statement, so that blocks and postings are of one moment. */
  async #readPostings(keys: readonly number[]): Promise<{ block: Block; postings: Uint8Array[] }[]> {
    await this.#open();
    const { store } = this.#deps;
    const { sql, values } = isOneOf('g.gram', keys, store.dialect);
    const rows = await store.scanner.all(
      `select b.*, g.postings from audit_blocks b
       left join audit_grams g on g.block = b.after_id and ${sql} order by b.after_id`,
      values,
    );
    const groups = Map.groupBy(rows, ({ after_id }) => after_id);
    return [...groups.values()].flatMap((group) => {
      const [first] = group;
      const postings = group.flatMap((row) => (row.postings instanceof Uint8Array ? [row.postings] : []));
      return first ? [{ block: blockOfRow(first), postings }] : [];
    });
  }

  async #fillBlocks(): Promise<void> {
    await this.#open();
    if (this.lag() > 0 && !this.#closing.signal.aborted) await this.#runThread();
  }

  async #runThread(): Promise<void> {
    const { location } = this.#deps;
    const gone = this.#closing.signal;
    // A block that is being written when the thread is ended is undone by its database.
    await using thread = new WorkerThread<IndexSubject, void, number>({
      file: workerFile('./text-index-thread.ts', import.meta.url),
      hasLowPriority: true,
      keepsProcess: false,
    });
    const onPart = (to: number) => {
      this.#indexed = to;
    };
    try {
      await thread.ask({ location, entriesPerBlock: this.#entriesPerBlock }, { gone, onPart });
    } catch (error) {
      if (!gone.aborted) throw error;
    }
  }

  #open(): Promise<void> {
    this.#opening ??= this.#prepare().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #prepare(): Promise<void> {
    const { store } = this.#deps;
    if (store.dialect === 'sqlite') for (const statement of SEARCH_FILE) await store.scanner.exec(statement);
    // Blocks of another or a restored database are useless. The hash of an entry covers all entries before it.
    for (const statement of STALE_BLOCKS) await store.scanner.exec(statement);
    const [row] = await store.scanner.all('select coalesce(max(to_id), 0) as id from audit_blocks');
    this.#indexed = Number(row?.id);
  }
}

/** The tables that a migration makes on PostgreSQL. */
const SEARCH_FILE = [
  'drop table if exists audit_fts',
  'drop table if exists audit_indexed',
  `create table if not exists audit_blocks (after_id integer primary key, to_id integer not null, entries integer not null,
    oldest integer not null, newest integer not null, hash text not null)`,
  `create table if not exists audit_grams (block integer not null, gram integer not null, postings blob not null,
    primary key (block, gram)) without rowid`,
];

const STALE_BLOCKS = [
  `delete from audit_blocks where after_id >= (select min(b.after_id) from audit_blocks b where not exists
    (select 1 from audit_entries e where e.id = b.to_id and e.hash = b.hash))`,
  `delete from audit_grams where block >= (select coalesce(max(to_id), 0) from audit_blocks)`,
];

interface Hits {
  readonly after: number;
  readonly postings: readonly Uint8Array[];
}

const overlaps = ({ oldest, newest }: Block, { from, to }: Period): boolean => newest >= from && oldest < to;

const blockOfRow = (row: Row): Block => ({
  after: Number(row.after_id),
  to: Number(row.to_id),
  entries: Number(row.entries),
  oldest: Number(row.oldest),
  newest: Number(row.newest),
});
