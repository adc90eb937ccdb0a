// Counts of records that are known without reading them: the catalog says how many a segment has between which times, and
// memory the same of the fresh ones. Parts that lie in several groups, or in a range only in part, are left to a statement.

import type { Page, RowText } from '#logs/run.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import { isWhollyIn, millisecondsOf, type TimedRows } from '#logs/runs/tables/timed-rows.ts';
import type { StageCounts } from '#query/analysis/push-counts.ts';
import { declarationOf, tableScanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { TimeCounts, TimeGroups } from '#query/plan-nodes/plan-node.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import type { TableScan } from '#query/plan-nodes/table.ts';
import { SliceTimer } from '#runtime/event-loop.ts';

/** A node whose rows are counts of the records of a scan. */
interface CatalogCounts {
  readonly scan: TableScan;
  readonly counts: TimeCounts;
  readonly zone: string;
}

/** The number of rows of each group, by its key. */
type Groups = Map<number, bigint>;

/** The key where all rows are one group. */
const ONE_GROUP = 0;

export interface CatalogSources {
  /** The parts that a scan reads; undefined where nothing is known of them. */
  partsIn(scan: TableScan, groups?: TimeGroups): Promise<readonly TimedRows[] | undefined>;
  /** The rows of the node without these parts; absent where none can be left out. */
  readonly rest?: ((leftOut: ReadonlySet<TimedRows>) => AsyncIterable<readonly RowText[]>) | undefined;
}

interface CatalogRows {
  readonly counts: StageCounts;
  texts(page: Page | undefined): RowText[];
}

/** The rows of a node that needs nothing but counts of records; undefined for others. */
export async function catalogRows(
  node: PlanNode,
  zone: string,
  { partsIn, rest }: CatalogSources,
): Promise<CatalogRows | undefined> {
  const about = catalogCountsOf(node, zone);
  if (!about) return undefined;
  const parts = await partsIn(about.scan, about.counts.groups);
  if (!parts) return undefined;
  const known = await knownGroups(about, parts);
  if (!known) return undefined;
  const { groups, counted } = known;
  if (counted.size < parts.length) {
    if (!rest) return undefined;
    for await (const texts of rest(counted)) addRows(groups, about.counts, texts);
  }
  const input = groups.values().reduce((total, count) => total + count, 0n);
  return {
    counts: { rows: BigInt(groups.size), input },
    texts: (page) => groupTexts(groups, about.counts, page),
  };
}

/** How many rows a scan hands on. */
export async function countScan(scan: Scan, tables: TablesOfRun, session: RunSession): Promise<bigint> {
  const total = await tables.countRows(scan, session);
  const rest = total > scan.offset ? total - scan.offset : 0n;
  return scan.limit !== undefined && scan.limit < rest ? scan.limit : rest;
}

/** Whether the rows of a node are counts of the records of a scan. */
export const isTimeCounted = (node: PlanNode, zone: string): boolean => catalogCountsOf(node, zone) !== undefined;

function catalogCountsOf(node: PlanNode, zone: string): CatalogCounts | undefined {
  const counts = declarationOf(node).timeCounts?.(node, zone);
  const scan = node.input && tableScanOf(node.input);
  if (!counts || !scan || scan.limit !== undefined || scan.offset > 0n) return undefined;
  const time = scan.rows.columns.find(({ name }) => name === '_time');
  return counts.groups && counts.groups.time !== time?.id ? undefined : { scan, counts, zone };
}

/** The groups of the parts that are counted. Undefined where some records may belong to no group. */
async function knownGroups({ scan, counts, zone }: CatalogCounts, parts: readonly TimedRows[]) {
  const range = millisecondsOf(scan.range);
  const timer = new SliceTimer();
  const finder = counts.groups && new GroupFinder(counts.groups, zone);
  const groups: Groups = new Map(counts.groups ? [] : [[ONE_GROUP, 0n]]);
  const counted = new Set<TimedRows>();
  for (const part of parts.toSorted((one, other) => one.minTime - other.minTime)) {
    await timer.yieldIfDue();
    const group = finder ? finder.groupOf(part) : ONE_GROUP;
    if (group === null) return undefined;
    if (group === 'several' || !isWhollyIn(part, range)) continue;
    groups.set(group, (groups.get(group) ?? 0n) + BigInt(part.rows));
    counted.add(part);
  }
  return { groups, counted };
}

/** Adds the rows of a statement over the other parts. */
function addRows(groups: Groups, { cells }: TimeCounts, texts: readonly RowText[]): void {
  const group = cells.indexOf('group');
  const count = cells.indexOf('count');
  for (const text of texts) {
    const row: readonly number[] = JSON.parse(text);
    const key = group === -1 ? ONE_GROUP : Number(row[group]);
    groups.set(key, (groups.get(key) ?? 0n) + BigInt(row[count] ?? 0));
  }
}

/** The rows in the order of their groups, as texts. */
function groupTexts(groups: Groups, { cells }: TimeCounts, page: Page | undefined): RowText[] {
  const rows = [...groups].sort(([one], [other]) => one - other);
  const first = Number(page?.offset ?? 0n);
  const end = page ? first + Number(page.limit) : rows.length;
  return rows
    .slice(first, end)
    .map(([group, count]) => `[${cells.map((cell) => (cell === 'group' ? group : count)).join(',')}]`);
}

/** Groups of parts that come in the order of their first times. */
export class GroupFinder {
  readonly #groups: TimeGroups;
  readonly #zone: string;
  /** Times between which there is one group. */
  #known = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, group: 0 };
  /** The next change of the clock; local time goes forward until then. */
  #change = Number.NEGATIVE_INFINITY;

  constructor(groups: TimeGroups, zone: string) {
    this.#groups = groups;
    this.#zone = zone;
  }

  groupOf({ minTime, maxTime }: TimedRows): number | 'several' | null {
    const { from, to, group } = this.#known;
    if (minTime >= from && maxTime <= to) return group;
    const first = this.#groups.groupOf(minTime);
    if (first === null) return null;
    if (minTime >= this.#change) this.#change = changeAfter(minTime, this.#zone);
    if (maxTime >= this.#change || this.#groups.groupOf(maxTime) !== first) return 'several';
    this.#known =
      first === group && minTime <= to ? { from, to: maxTime, group } : { from: minTime, to: maxTime, group: first };
    return first;
  }
}

function changeAfter(time: number, zone: string): number {
  const at = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  return at.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
}
