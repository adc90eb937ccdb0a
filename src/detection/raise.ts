// Raises events: joins matches to those that are open, and makes new ones of the others. Part of the unit that writes down
// what led to them, so that nothing is raised twice or lost.

import { searchable } from '#kernel/folded.ts';
import { newGuid } from '#kernel/guid.ts';
import type { EventRow, NewEvent } from '#store/event-schema.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { RuleRow } from '#store/rule-schema.ts';
import { type Cluster, isWithin, type Merging, mergingOf } from './matches.ts';
import type { Snapshot } from './snapshot.ts';

/** The rule as it was when it looked. */
export type RaisingRule = Pick<RuleRow, 'kind' | 'guid' | 'name' | 'version'> & { readonly content: Snapshot };

export interface Raising {
  readonly rule: RaisingRule;
  readonly clusters: readonly Cluster[];
  readonly queryId: number | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Raised {
  readonly matches: number;
  /** New ones. */
  readonly events: readonly NewEvent[];
}

type OpenEvent = Pick<EventRow, 'id' | 'suppress_key' | 'first_time' | 'last_time' | 'count'>;

export async function raise(db: Db, raising: Raising): Promise<Raised> {
  const { rule, clusters, now } = raising;
  const merging = mergingOf(rule.content);
  const open = await newestOf(db, rule.guid, [...new Set(clusters.map(({ key }) => key))], merging);
  const joined = new Map<number, OpenEvent>();
  const fresh: Cluster[] = [];
  for (const cluster of clusters) {
    const event = open.get(cluster.key);
    if (event && isWithin(cluster.first, { first: event.first_time, last: event.last_time }, merging)) {
      const grown = grownBy(event, cluster);
      joined.set(event.id, grown);
      open.set(cluster.key, grown);
    } else {
      open.delete(cluster.key);
      fresh.push(cluster);
    }
  }
  for (const { id, first_time, last_time, count } of joined.values()) {
    const growth = { first_time, last_time, count, updated_at: now };
    await db.updateTable('events').set(growth).where('id', '=', id).execute();
  }
  const events = fresh.map((cluster) => eventOf(cluster, raising));
  await insertEvents(db, events);
  return { matches: clusters.reduce((sum, { count }) => sum + count, 0), events };
}

const grownBy = (event: OpenEvent, { first, last, count }: Cluster): OpenEvent => ({
  ...event,
  first_time: Math.min(event.first_time, first),
  last_time: Math.max(event.last_time, last),
  count: event.count + count,
});

/** The newest event of each key; none where nothing is ever joined. */
async function newestOf(db: Db, rule: string, keys: readonly string[], { intervalMs }: Merging) {
  if (intervalMs === 0) return new Map<string, OpenEvent>();
  const rows = await inChunks(keys, (chunk) =>
    db
      .selectFrom('events')
      .select(['id', 'suppress_key', 'first_time', 'last_time', 'count'])
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('events')
          .select((newest) => newest.fn.max('id').as('id'))
          .where('rule_guid', '=', rule)
          .where('suppress_key', 'in', [...chunk])
          .groupBy('suppress_key'),
      )
      .execute(),
  );
  return new Map(rows.map((row) => [row.suppress_key, row]));
}

function eventOf({ key, msg, fields, first, last, count }: Cluster, { rule, queryId, now }: Raising): NewEvent {
  const textOf = (field: string) => (typeof rule.content[field] === 'string' ? rule.content[field] : null);
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
    suppress_key: key,
    count,
    fields: JSON.stringify(fields),
    first_time: first,
    last_time: last,
    query_id: queryId,
    ticket_guid: null,
    search: searchable([rule.name, msg, key]),
    created_at: now,
    updated_at: now,
  };
}

async function insertEvents(db: Db, events: readonly NewEvent[]): Promise<void> {
  await inChunks(events, (chunk) => db.insertInto('events').values(chunk).returning('id').execute());
}
