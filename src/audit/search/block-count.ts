// Counts the entries of a period by the blocks of the text index: a block that lies inside of the period counts whole, so
// the time of a count does not grow with the trail.

import type { Store } from '#store/store.ts';
import type { Period } from './filter.ts';
import type { Block, TextIndex } from './text-index.ts';

/** Of a clock that went back often; the entries of so many blocks are counted as quickly without them. */
const MAX_PARTIAL_BLOCKS = 20;

interface PeriodCount {
  readonly total: number;
  /** Bounds of the ids of these entries; 0 when there are none. */
  readonly oldest: number;
  readonly newest: number;
}

/** Entries `after` < id ≤ `last` that were created within the period. */
interface Part {
  readonly after: number;
  readonly last: number;
  readonly period: Period;
  /** The index that SQLite shall use. */
  readonly index: string;
}

export async function countByBlocks(store: Store, index: TextIndex, period: Period): Promise<PeriodCount> {
  const blocks = await index.blocks();
  const touched = blocks.filter(({ oldest, newest }) => newest >= period.from && oldest < period.to);
  const isWhole = ({ oldest, newest }: Block) => oldest >= period.from && newest < period.to;
  const partial = touched.filter((block) => !isWhole(block));
  if (partial.length > MAX_PARTIAL_BLOCKS) return await countParts(store, [everything(period)]);
  const whole = touched.filter(isWhole).map(({ after, to, entries }) => {
    return { total: entries, oldest: after + 1, newest: to };
  });
  const tail = { after: blocks.at(-1)?.to ?? 0, last: Number.MAX_SAFE_INTEGER, period, index: 'not indexed' };
  const counted = await countParts(store, [...partial.map((block) => partOf(block, period)), tail]);
  return sumOf([...whole, counted]);
}

const BY_TIME = 'indexed by audit_entries_by_time';

const everything = (period: Period): Part => ({ after: 0, last: Number.MAX_SAFE_INTEGER, period, index: BY_TIME });

/** Bounded by the times of the block, too, so that the index is read for them alone. */
const partOf = ({ after, to, oldest, newest }: Block, period: Period): Part => ({
  after,
  last: to,
  period: { from: Math.max(period.from, oldest), to: Math.min(period.to, newest + 1) },
  index: BY_TIME,
});

async function countParts(store: Store, parts: readonly Part[]): Promise<PeriodCount> {
  const counting = parts.map(({ after, last, period, index }) => {
    return `select count(*) as total, min(e.id) as oldest, max(e.id) as newest
      from audit_entries e ${store.dialect === 'sqlite' ? index : ''} where e.id > ${after} and e.id <= ${last}
      and e.created_at >= ${period.from} and e.created_at < ${period.to}`;
  });
  const rows = await store.scanner.all(counting.join(' union all '));
  return sumOf(
    rows.map((row) => {
      return { total: Number(row.total), oldest: Number(row.oldest ?? 0), newest: Number(row.newest ?? 0) };
    }),
  );
}

function sumOf(counts: readonly PeriodCount[]): PeriodCount {
  const filled = counts.filter(({ total }) => total > 0);
  return {
    total: filled.reduce((sum, { total }) => sum + total, 0),
    oldest: filled.length === 0 ? 0 : Math.min(...filled.map(({ oldest }) => oldest)),
    newest: Math.max(0, ...filled.map(({ newest }) => newest)),
  };
}
