// The SQL of events. `member` restricts the result to events visible to a MEMBER; undefined sees all.

import type { Expression, ExpressionBuilder } from 'kysely';
import { idsContaining } from '#detection/events/sealed-search.ts';
import { openEvent } from '#detection/events/sealing.ts';
import { visibleEvents } from '#detection/events/visible-events.ts';
import { PRIORITIES } from '#detection/rules/rule-kinds.ts';
import type { Db } from '#store/kysely.ts';
import { containsKeyword, type Page, type Paging } from '#store/rows/lists.ts';
import type { EventRow } from '#store/schema/event-schema.ts';
import type { Schema } from '#store/schema/schema.ts';
import type { Sealing } from '#vault/sealed/sealing.ts';

export const SORT_COLUMNS = ['id', 'last_time', 'first_time', 'priority', 'count', 'rule_name', 'status'] as const;

interface EventOrder {
  readonly sort_type: 'ASC' | 'DESC';
  readonly sort_column: (typeof SORT_COLUMNS)[number];
}

/** Conditions on events; absent ones let every event through. */
export interface EventFilter {
  readonly member: string | undefined;
  readonly keywords: string | undefined;
  /** Epoch milliseconds, both included. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly rule_guids: readonly string[] | undefined;
  readonly rule_types: readonly EventRow['rule_type'][] | undefined;
  readonly priorities: readonly string[] | undefined;
  readonly ticket_guid: string | undefined;
  readonly statuses: readonly EventRow['status'][] | undefined;
  /** Events with greater ids alone. */
  readonly after?: number;
}

export async function listEvents(
  db: Db,
  wanted: EventFilter & Paging & EventOrder,
  sealing: Sealing | undefined,
): Promise<Page<EventRow>> {
  const matching = await filteredEvents(db, wanted, sealing);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const direction = wanted.sort_type === 'ASC' ? 'asc' : 'desc';
  const page = matching
    .selectAll('events')
    .orderBy((eb) => sortedBy(eb, wanted.sort_column), direction)
    .orderBy('events.id', direction)
    .limit(wanted.limit)
    .offset(wanted.offset);
  return { total, rows: await page.execute() };
}

/** Priorities by their rank, texts without regard to case. */
function sortedBy(eb: ExpressionBuilder<Schema, 'events'>, column: EventOrder['sort_column']): Expression<unknown> {
  if (column === 'rule_name' || column === 'status') return eb.fn('lower', [`events.${column}`]);
  if (column !== 'priority') return eb.ref(`events.${column}`);
  const [, medium, high] = PRIORITIES;
  return eb
    .case()
    .when('events.priority', '=', high)
    .then(eb.lit(2))
    .when('events.priority', '=', medium)
    .then(eb.lit(1))
    .else(eb.lit(0))
    .end();
}

/** Events with ids beyond `after`, oldest first. */
export async function eventsAfter(
  db: Db,
  wanted: EventFilter & { readonly after: number; readonly limit: number },
  sealing: Sealing | undefined,
): Promise<EventRow[]> {
  const matching = await filteredEvents(db, wanted, sealing);
  return await matching.selectAll('events').orderBy('events.id').limit(wanted.limit).execute();
}

/** The id of the `count`th newest of them; undefined where there are fewer. */
export async function newestAfter(
  db: Db,
  wanted: EventFilter & { readonly after: number },
  { count, sealing }: { readonly count: number; readonly sealing: Sealing | undefined },
): Promise<number | undefined> {
  const matching = await filteredEvents(db, wanted, sealing);
  const found = matching
    .select('events.id')
    .orderBy('events.id', 'desc')
    .limit(1)
    .offset(count - 1);
  return (await found.executeTakeFirst())?.id;
}

export async function newestEventId(db: Db): Promise<number> {
  const { id } = await db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return Number(id ?? 0);
}

/** All filters applied; sealed events are searched for the keywords here. */
export async function filteredEvents(db: Db, wanted: EventFilter, sealing: Sealing | undefined) {
  const ids = await sealedIds(db, wanted, sealing);
  return matchingOf(db, wanted).where((eb) => {
    const inClear = containsKeyword('events', wanted.keywords)(eb);
    return ids.length === 0 ? inClear : eb.or([inClear, eb('events.id', 'in', ids)]);
  });
}

/** Ids of sealed events that contain the keywords. */
async function sealedIds(db: Db, wanted: EventFilter, sealing: Sealing | undefined): Promise<readonly number[]> {
  if (wanted.keywords === undefined || !sealing) return [];
  const sealed = matchingOf(db, wanted)
    .select(['events.id', 'events.guid', 'events.rule_name', 'events.msg', 'events.suppress_key', 'events.sealed'])
    .where('events.sealed', 'is not', null)
    .orderBy('events.id', 'desc');
  return await idsContaining(wanted.keywords, {
    page: (before, limit) =>
      (before === undefined ? sealed : sealed.where('events.id', '<', before)).limit(limit).execute(),
    fieldsOf(row) {
      const { rule_name, msg, suppress_key } = openEvent(row, sealing);
      return [rule_name, msg, suppress_key];
    },
  });
}

/** Which events are read, newest first, a page at a time. */
interface EventPage {
  readonly member: string | undefined;
  /** Epoch milliseconds of the last match: the first included, the second not. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The id of the last event that was read. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** By ids, which stay as they are while an event joins further matches. */
export async function readEvents(db: Db, { member, from, to, before, limit }: EventPage): Promise<EventRow[]> {
  let matching = visibleEvents(db, member).selectAll('events');
  // The sum keeps the database from the index of times: each page would sort all events of the range by their ids.
  if (from !== undefined) matching = matching.where((eb) => eb(eb('last_time', '+', 0), '>=', from));
  if (to !== undefined) matching = matching.where((eb) => eb(eb('last_time', '+', 0), '<', to));
  if (before !== undefined) matching = matching.where('events.id', '<', before);
  return await matching.orderBy('events.id', 'desc').limit(limit).execute();
}

export const hasSealedEvents = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('events').select('id').where('sealed', 'is not', null).limit(1).executeTakeFirst()) !==
  undefined;

/** All filters except keywords. */
function matchingOf(db: Db, wanted: EventFilter) {
  let matching = visibleEvents(db, wanted.member);
  if (wanted.from !== undefined) matching = matching.where('last_time', '>=', wanted.from);
  if (wanted.to !== undefined) matching = matching.where('last_time', '<=', wanted.to);
  if (wanted.rule_guids) matching = matching.where('rule_guid', 'in', [...wanted.rule_guids]);
  if (wanted.rule_types) matching = matching.where('rule_type', 'in', [...wanted.rule_types]);
  if (wanted.priorities) matching = matching.where('priority', 'in', [...wanted.priorities]);
  if (wanted.ticket_guid !== undefined) matching = matching.where('ticket_guid', '=', wanted.ticket_guid);
  if (wanted.statuses) matching = matching.where('events.status', 'in', [...wanted.statuses]);
  if (wanted.after !== undefined) matching = matching.where('events.id', '>', wanted.after);
  return matching;
}

export const findEvent = (db: Db, guid: string, member: string | undefined): Promise<EventRow | undefined> =>
  visibleEvents(db, member).selectAll('events').where('events.guid', '=', guid).executeTakeFirst();
