// Searches and reads the audit trail. Long reads run on the store's scanner, off the main thread.

import { GENESIS } from '#audit/chain/chain.ts';
import { entryOfRow, type SealedEntry } from '#audit/entry.ts';
import type { Row } from '#store/connection.ts';
import type { Store } from '#store/store.ts';
import { countByBlocks } from './block-count.ts';
import {
  type Condition,
  conditionsOf,
  isOneOf,
  isOnlyKeywords,
  isOnlyPeriod,
  type Needle,
  needlesOf,
  periodOf,
  textConditions,
  type Wanted,
  whereOf,
} from './filter.ts';
import { isIndexed, type TextIndex } from './text-index.ts';

const ENTRIES_PER_READ = 1000;
/** Reading an entry takes about as long as reading so many of an index. */
const ENTRY_COST = 5;
/** With more candidates a full scan is faster. */
const MAX_CANDIDATES = 50_000;

interface Page {
  readonly offset: number;
  readonly limit: number;
}

interface Found {
  readonly total: number;
  readonly entries: readonly SealedEntry[];
}

/** The number of wanted entries, and the bounds of their ids where they are known. */
interface Counted {
  readonly total: number;
  readonly oldest: number;
  readonly newest: number;
}

/** A condition over `audit_entries e`, the index that SQLite shall use, and the texts where keywords are compared with them. */
interface Source extends Condition {
  readonly index: string;
  readonly texts: string;
}

/** The entries whose texts contain all needles that the index knows. */
interface Matches {
  readonly total: number;
  /** The needles that are still to be compared. */
  readonly others: readonly Needle[];
  /** Newest first, in steps. */
  ids(): Iterable<readonly number[]>;
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
  async find(wanted: Wanted, page: Page): Promise<Found> {
    const matches = await this.#match(wanted);
    if (matches?.others.length === 0 && isOnlyKeywords(wanted)) return await this.#readMatches(matches, page);
    const source = this.#sourceOf(wanted, matches);
    const counted = isOnlyPeriod(wanted)
      ? await countByBlocks(this.#store, this.#index, periodOf(wanted))
      : await this.#count(source);
    if (page.offset >= counted.total || page.limit === 0) return { total: counted.total, entries: [] };
    const rows = await this.#readPage(source, counted, page);
    return { total: counted.total, entries: rows.map(entryOfRow) };
  }

  /** Oldest first, each with the hash of its predecessor, up to entry `last`. */
  async *walk(wanted: Wanted, last: number): AsyncGenerator<ChainedEntry> {
    const { sql, values, texts } = this.#sourceOf(wanted, await this.#match(wanted));
    const page = `select e.*, p.hash as previous from audit_entries e ${texts}
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

  /** Undefined when the texts must be read. */
  async #match(wanted: Wanted): Promise<Matches | undefined> {
    const [known = [], others = []] = [true, false].map((is) =>
      needlesOf(wanted.keywords).filter((one) => isIndexed(one) === is),
    );
    if (known.length === 0) return undefined;
    const located = await this.#index.find(known, periodOf(wanted));
    if (!located.isExact && located.total > MAX_CANDIDATES) return undefined;
    const candidates = located.isExact ? [] : [...located.ids()].flat();
    const compared = await this.#compareTexts(known, { candidates, after: located.indexed });
    return {
      total: compared.length + (located.isExact ? located.total : 0),
      others,
      *ids() {
        yield compared;
        if (located.isExact) yield* located.ids();
      },
    };
  }

  /** The ids of the candidates and the entries behind `after` that contain all needles, newest first. */
  async #compareTexts(
    needles: readonly Needle[],
    { candidates, after }: { candidates: readonly number[]; after: number },
  ): Promise<number[]> {
    const { dialect, scanner } = this.#store;
    const named = isOneOf('t.id', candidates, dialect);
    const { sql, values } = whereOf(textConditions(needles, dialect));
    const tail = `select t.id from audit_texts t where t.id > ? and ${sql}`;
    const both = `select t.id from audit_texts t where ${named.sql} and ${sql} union all ${tail}`;
    const rows = await scanner.all(
      `${candidates.length === 0 ? tail : both} order by 1 desc`,
      candidates.length === 0 ? [after, ...values] : [...named.values, ...values, after, ...values],
    );
    return rows.map(({ id }) => Number(id));
  }

  async #readMatches(matches: Matches, page: Page): Promise<Found> {
    const ids = pageOf(matches, page);
    if (ids.length === 0) return { total: matches.total, entries: [] };
    const { sql, values } = isOneOf('e.id', ids, this.#store.dialect);
    const paged = `select e.* from audit_entries e where ${sql} order by e.id desc`;
    const rows = await this.#store.scanner.all(paged, values);
    return { total: matches.total, entries: rows.map(entryOfRow) };
  }

  async #count({ sql, values, index, texts }: Source): Promise<Counted> {
    // Without a window the bounds would cost more than the count.
    const bounds = index === '' ? '' : ', min(e.id) as oldest, max(e.id) as newest';
    const counting = `select count(*) as total${bounds} from audit_entries e ${index} ${texts} where ${sql}`;
    const [row] = await this.#store.scanner.all(counting, values);
    return { total: Number(row?.total ?? 0), oldest: Number(row?.oldest ?? 0), newest: Number(row?.newest ?? 0) };
  }

  async #readPage({ sql, values, index, texts }: Source, counted: Counted, { offset, limit }: Page): Promise<Row[]> {
    const { total, oldest, newest } = counted;
    // A window full of wanted entries is read from its newest entry; few wanted ones are found by the index and sorted.
    const read = ((offset + limit) * (newest - oldest + 1)) / total;
    const isFull = newest > 0 && read < total / ENTRY_COST;
    const notIndexed = this.#store.dialect === 'sqlite' ? 'not indexed' : '';
    const page = isFull
      ? `audit_entries e ${notIndexed} ${texts} where e.id between ${oldest} and ${newest} and ${sql}`
      : `audit_entries e ${index} ${texts} where ${sql}`;
    const paged = `select e.* from ${page} order by e.id desc limit ? offset ?`;
    return await this.#store.scanner.all(paged, [...values, limit, offset]);
  }

  #sourceOf(wanted: Wanted, matches: Matches | undefined): Source {
    const { dialect } = this.#store;
    const isNarrowed = matches !== undefined && matches.total <= MAX_CANDIDATES;
    const ids = isNarrowed ? [isOneOf('e.id', [...matches.ids()].flat(), dialect)] : [];
    const needles = isNarrowed ? matches.others : needlesOf(wanted.keywords);
    return {
      ...whereOf([...ids, ...conditionsOf(wanted, dialect), ...textConditions(needles, dialect)]),
      index: dialect === 'sqlite' ? indexFor(wanted, isNarrowed) : '',
      // Texts are joined only where they are compared: counting without them reads an index alone.
      texts: needles.length === 0 ? '' : TEXTS,
    };
  }
}

/** Without statistics SQLite prefers any other index to ids or a range of time, and reads ten times as much. */
function indexFor({ from, to }: Wanted, isNarrowed: boolean): string {
  if (isNarrowed) return 'not indexed';
  return from === undefined && to === undefined ? '' : 'indexed by audit_entries_by_time';
}

const TEXTS = 'join audit_texts t on t.id = e.id';

function pageOf(matches: Matches, { offset, limit }: Page): number[] {
  const page: number[] = [];
  let skipped = 0;
  if (limit <= 0) return page;
  for (const ids of matches.ids()) {
    const from = Math.min(ids.length, offset - skipped);
    skipped += from;
    // No spread of a whole block: a function takes so many arguments only.
    for (const id of ids.slice(from, from + limit - page.length)) page.push(id);
    if (page.length >= limit) break;
  }
  return page;
}
