// Searches and reads the audit trail. Long reads run on the store's scanner, off the main thread.

import type { Row } from '#store/connection.ts';
import type { Store } from '#store/store.ts';
import { GENESIS } from './chain.ts';
import { entryOfRow, type SealedEntry } from './entry.ts';
import { type Condition, conditionsOf, needlesOf, type Wanted, whereOf } from './filter.ts';
import type { TextIndex } from './text-index.ts';

const ENTRIES_PER_READ = 1000;
/** Reading an entry takes about as long as reading so many of an index. */
const ENTRY_COST = 5;

interface Found {
  readonly total: number;
  readonly entries: readonly SealedEntry[];
}

export interface ChainedEntry {
  readonly entry: SealedEntry;
  readonly previous: string;
}

export class AuditSearch {
  readonly #store: Store;
  readonly #index: TextIndex;

  constructor(store: Store, index: TextIndex) {
    this.#store = store;
    this.#index = index;
  }

  /** Newest first. */
  async find(wanted: Wanted, { offset, limit }: { offset: number; limit: number }): Promise<Found> {
    const { sql, values, index } = await this.#where(wanted);
    const source = `audit_entries e ${index} ${textsFor(wanted)} where ${sql}`;
    // Without a window the bounds would cost more than the count.
    const bounds = index === '' ? '' : ', min(e.id) as oldest, max(e.id) as newest';
    const [counted] = await this.#store.scanner.all(`select count(*) as total${bounds} from ${source}`, values);
    const total = Number(counted?.total ?? 0);
    if (offset >= total || limit === 0) return { total, entries: [] };
    const [oldest, newest] = [Number(counted?.oldest ?? 0), Number(counted?.newest ?? 0)];
    // A window full of wanted entries is read from its newest entry; few wanted ones are found by the index and sorted.
    const read = ((offset + limit) * (newest - oldest + 1)) / total;
    const isFull = index !== '' && read < total / ENTRY_COST;
    const page = isFull
      ? `audit_entries e not indexed ${textsFor(wanted)} where e.id between ${oldest} and ${newest} and ${sql}`
      : source;
    const rows = await this.#store.scanner.all(`select e.* from ${page} order by e.id desc limit ? offset ?`, [
      ...values,
      limit,
      offset,
    ]);
    return { total, entries: rows.map(entryOfRow) };
  }

  /** Oldest first, each with the hash of its predecessor, up to entry `last`. */
  async *walk(wanted: Wanted, last: number): AsyncGenerator<ChainedEntry> {
    const { sql, values } = await this.#where(wanted);
    const page = `select e.*, p.hash as previous from audit_entries e ${textsFor(wanted)}
      left join audit_entries p on p.id = e.id - 1
      where e.id > ? and e.id <= ? and ${sql} order by e.id limit ?`;
    let after = 0;
    let rows: Row[];
    do {
      rows = await this.#store.scanner.all(page, [after, last, ...values, ENTRIES_PER_READ]);
      for (const row of rows) yield { entry: entryOfRow(row), previous: String(row.previous ?? GENESIS) };
      after = Number(rows.at(-1)?.id ?? last);
    } while (rows.length === ENTRIES_PER_READ);
  }

  async #where(wanted: Wanted): Promise<Condition & { index: string }> {
    const { dialect } = this.#store;
    const narrowed = await this.#index.narrow(needlesOf(wanted.keywords));
    const where = whereOf([...(narrowed ? [narrowed] : []), ...conditionsOf(wanted, dialect)]);
    // Without statistics SQLite prefers any other index to a range of time, and reads ten times as much.
    const isWindow = wanted.from !== undefined || wanted.to !== undefined;
    return { ...where, index: dialect === 'sqlite' && isWindow && !narrowed ? 'indexed by audit_entries_by_time' : '' };
  }
}

/** Texts are joined only for keywords: counting without them reads an index alone. */
const textsFor = ({ keywords }: Wanted) => (keywords.length === 0 ? '' : 'join audit_texts t on t.id = e.id');
