// Raises the matches of a rule: extends open events, inserts new events with their tickets and alarms, and adds addresses to the
// group of the rule. Part of the unit that records the cause, so that no match is raised twice or lost.

import { raiseAlarms } from '#detection/alarms/raise-alarms.ts';
import type { GroupChange } from '#detection/stream/groups/group-cache.ts';
import { raiseTickets } from '#detection/tickets/raise-tickets.ts';
import { newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/text/search-text.ts';
import { forEachYielding } from '#runtime/event-loop.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import { insertEach, updateEach } from '#store/rows/many.ts';
import type { NewEvent } from '#store/schema/event-schema.ts';
import { countedRecords, keepCounted, uncounted } from './counted-records.ts';
import {
  fillTemplate,
  type KeyedMatches,
  type MatchCluster,
  type MatchSpan,
  type MergeOptions,
  mergeMatches,
  mergeOptionsOf,
} from './matches.ts';
import { raiseAddresses } from './raise-addresses.ts';
import type { RaiseInput, RuleVersion } from './raise-input.ts';
import { comparableKey, sealEvent } from './sealing.ts';

/** Counts, and removed objects that the rule refers to. */
export interface RaiseResult {
  readonly rule: RuleVersion;
  readonly matches: number;
  readonly events: number;
  readonly tickets: number;
  readonly alarms: number;
  readonly missing: readonly string[];
  /** Added addresses. */
  readonly addresses: GroupChange | undefined;
}

export async function raiseEvents(db: Db, input: RaiseInput): Promise<RaiseResult> {
  const { rule, matches } = input;
  const events: NewEvent[] = [];
  const { clusters, joined } = await mergeEvents(db, input);
  await forEachYielding(clusters, (cluster) => events.push(eventOf(cluster, input)));
  const tickets = await raiseTickets(db, input, events);
  await insertEach(db, 'events', await sealedEvents(events, clusters, input));
  const raised = events.map(({ guid }, at) => ({ eventGuid: guid, records: clusters[at]?.records ?? [] }));
  await keepCounted(db, input, [...joined, ...raised]);
  const alarms = await raiseAlarms(db, input, events);
  const addresses = await raiseAddresses(db, input);
  return {
    rule,
    matches: [...matches.values()].reduce((sum, some) => sum + some.length, 0),
    events: events.length,
    tickets: tickets.raised,
    alarms,
    missing: [tickets.missing, addresses.missing].filter((thing) => thing !== undefined),
    addresses: addresses.change,
  };
}

/** The events of the clusters as stored. */
async function sealedEvents(events: NewEvent[], clusters: readonly MatchCluster[], { sealing }: RaiseInput) {
  if (!sealing) return events;
  const sealed: NewEvent[] = [];
  await forEachYielding(events.entries(), ([at, event]) =>
    sealed.push(sealEvent(event, clusters[at]?.key ?? '', sealing)),
  );
  return sealed;
}

/** Clusters of new events, in the order of time, and the records that have joined stored events. */
interface MergedEvents {
  readonly clusters: readonly MatchCluster[];
  readonly joined: readonly { readonly eventGuid: string; readonly records: readonly number[] }[];
}

/** Extends open events. */
async function mergeEvents(db: Db, { rule, matches, now, sealing }: RaiseInput): Promise<MergedEvents> {
  const merging = mergeOptionsOf(rule.content);
  const comparable = (key: string) => comparableKey(key, rule, sealing);
  const stored = await eventsNear(
    db,
    rule,
    { keys: [...matches.keys()].map(comparable), ...rangeOf(matches) },
    merging,
  );
  const counted = await countedRecords(
    db,
    [...stored.values()].flatMap((events) => events.map(({ guid }) => guid)),
  );
  const growth: Record<string, number>[] = [];
  const joined: MergedEvents['joined'][number][] = [];
  const fresh: MatchCluster[] = [];
  await forEachYielding(matches, ([key, some]) => {
    const near = stored.get(comparable(key)) ?? [];
    const known = new Set(near.flatMap(({ guid }) => counted.get(guid) ?? []));
    // Without an interval every match is an event of its own.
    const wanted = merging.intervalMs === 0 ? some : uncounted(some, known);
    const outcome = mergeMatches(key, wanted, near, merging);
    for (const cluster of outcome.fresh) fresh.push(cluster);
    for (const { id, guid, last, count, records } of outcome.joined) {
      growth.push({ id, last_time: last, count, updated_at: now });
      joined.push({ eventGuid: guid, records });
    }
  });
  await updateEach(db, 'events', 'id', growth);
  return { clusters: fresh.sort((one, other) => one.first - other.first), joined };
}

interface StoredEvent extends MatchSpan {
  readonly id: number;
  readonly guid: string;
}

/** The first and the last time of matches. */
function rangeOf(matches: KeyedMatches): { readonly earliest: number; readonly latest: number } {
  const some = [...matches.values()];
  return {
    earliest: some.reduce((least, [first]) => Math.min(least, first?.time ?? least), Number.POSITIVE_INFINITY),
    latest: some.reduce((most, all) => Math.max(most, all.at(-1)?.time ?? most), Number.NEGATIVE_INFINITY),
  };
}

/**
 * The events of each key that matches of this range may join, the newest last; none without a suppress interval. A sender
 * whose clock is wrong alternates with others: the newest event of a key alone would not fit half of the matches.
 */
async function eventsNear(
  db: Db,
  { kind, guid }: RuleVersion,
  { keys, earliest, latest }: { readonly keys: readonly string[]; readonly earliest: number; readonly latest: number },
  { intervalMs, isRenewed }: MergeOptions,
): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  if (intervalMs === 0) return new Map();
  const rows = await inChunks(keys, (chunk) =>
    db
      .selectFrom('events')
      .select(['id', 'guid', 'suppress_key', 'first_time as first', 'last_time as last', 'count'])
      .where('rule_guid', '=', guid)
      .where('rule_type', '=', kind)
      .where('suppress_key', 'in', [...chunk])
      .where('first_time', '<', latest + intervalMs)
      .where(isRenewed ? 'last_time' : 'first_time', '>', earliest - intervalMs)
      .orderBy('id')
      .execute(),
  );
  const events = rows.map((row) => ({ ...row, records: [] }));
  return Map.groupBy(events, ({ suppress_key }) => suppress_key);
}

function eventOf(
  { key, fields, first, last, count }: MatchCluster,
  { rule, queryId, now, sealing }: RaiseInput,
): NewEvent {
  const textOf = (field: string) => (typeof rule.content[field] === 'string' ? rule.content[field] : null);
  const msg = fillTemplate(String(rule.content.msg), fields);
  return {
    guid: newGuid(),
    rule_type: rule.kind,
    rule_guid: rule.guid,
    rule_name: rule.name,
    rule_version: rule.version,
    priority: String(rule.content.priority),
    category_guid: textOf('category_guid'),
    category_name: textOf('category_name'),
    msg,
    suppress_key: comparableKey(key, rule, sealing),
    count,
    fields: JSON.stringify(fields),
    first_time: first,
    last_time: last,
    query_id: queryId,
    ticket_guid: null,
    sealed: null,
    search: searchText([rule.name, msg, key]),
    created_at: now,
    updated_at: now,
  };
}
