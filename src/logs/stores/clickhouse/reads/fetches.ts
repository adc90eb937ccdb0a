// What a run has fetched of a table, and what of it serves a later statement.

import type { NamelessFile } from '#files/nameless.ts';
import type { TimeRange } from '#logs/log-store.ts';
import { paramText } from '#logs/stores/clickhouse/server/params.ts';
import type { Condition } from '#logs/stores/clickhouse/storage/visibility.ts';
import type { StoredReads } from '#query/plan-nodes/shared/compile-context.ts';

/** Which rows of a table, and what of them. */
export interface Wanted {
  readonly range: TimeRange;
  /** The order and number of the first rows; empty: all of the range. */
  readonly first: string;
  /** Whether these are the first ones of keys. */
  readonly isOfEach?: boolean;
  readonly reads: StoredReads;
  /** Rows for which it does not hold are left out. */
  readonly filter: Condition | undefined;
  /** What is fetched in place of it where the server has no room for choosing: all of its rows are among them. */
  readonly instead?: Pick<Wanted, 'first' | 'filter' | 'isOfEach'>;
}

export interface Fetched extends Wanted {
  readonly files: Promise<readonly NamelessFile[]>;
}

/** Whether all that is wanted was fetched; rows outside of the wanted range may be there, too. */
export function serves(fetched: Fetched, { range, first, reads, filter }: Wanted): boolean {
  const isOfRange = fetched.first === '' ? covers(fetched.range, range) : isSame(fetched.range, range);
  const hasRows = isOfRange && (fetched.first === '' || fetched.first === first) && hasRowsOf(fetched, filter);
  return hasRows && hasColumns(fetched.reads, reads);
}

const hasRowsOf = ({ filter: left }: Fetched, filter: Condition | undefined): boolean =>
  !left || (left.text === filter?.text && sameParams(left.params, filter.params));

const sameParams = (one: Condition['params'], other: Condition['params']): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => name in other && paramText(value) === paramText(other[name] ?? ''));

const hasColumns = (one: StoredReads, other: StoredReads): boolean =>
  (one.hasRest || !other.hasRest) && other.columns.isSubsetOf(one.columns);

const EARLIEST = Number.NEGATIVE_INFINITY;
const LATEST = Number.POSITIVE_INFINITY;

export const isSame = (one: TimeRange, other: TimeRange): boolean => one.from === other.from && one.to === other.to;

export const covers = ({ from = EARLIEST, to = LATEST }: TimeRange, other: TimeRange): boolean =>
  from <= (other.from ?? EARLIEST) && to >= (other.to ?? LATEST);

/** The pieces of a range that were fetched whole, each once; undefined where some of it was not. */
export function piecesOf(wanted: TimeRange, fetched: readonly Fetched[]) {
  const whole = fetched
    .filter(({ first, filter }) => first === '' && !filter)
    .sort((one, other) => (one.range.from ?? EARLIEST) - (other.range.from ?? EARLIEST));
  const pieces: { readonly of: Fetched; readonly range: TimeRange }[] = [];
  const end = wanted.to ?? LATEST;
  let next = wanted.from ?? EARLIEST;
  for (const of of whole) {
    const from = of.range.from ?? EARLIEST;
    const to = of.range.to ?? LATEST;
    if (from > next || to <= next || next >= end) continue;
    const until = Math.min(to, end);
    pieces.push({
      of,
      range: { ...(next === EARLIEST ? {} : { from: next }), ...(until === LATEST ? {} : { to: until }) },
    });
    next = until;
  }
  return next >= end ? pieces : undefined;
}
