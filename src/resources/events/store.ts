// The SQL of events. `member` restricts the result to events visible to a MEMBER; undefined sees all.

import { idsContaining } from '#detection/sealed-search.ts';
import { openEvent } from '#detection/sealing.ts';
import type { EventRow } from '#store/event-schema.ts';
import { grantedObjects } from '#store/grants.ts';
import type { Db } from '#store/kysely.ts';
import { containsKeyword, type Page, type Paging } from '#store/lists.ts';
import type { Sealing } from '#vault/sealing.ts';

interface EventFilter extends Paging {
  readonly member: string | undefined;
  readonly keywords: string | undefined;
  /** Epoch milliseconds, both included. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly rule_guids: readonly string[] | undefined;
  readonly rule_types: readonly EventRow['rule_type'][] | undefined;
  readonly priorities: readonly string[] | undefined;
  readonly ticket_guid: string | undefined;
}

export async function listEvents(db: Db, wanted: EventFilter, sealing: Sealing | undefined): Promise<Page<EventRow>> {
  const ids = await sealedIds(db, wanted, sealing);
  const matching = matchingOf(db, wanted).where((eb) => {
    const inClear = containsKeyword('events', wanted.keywords)(eb);
    return ids.length === 0 ? inClear : eb.or([inClear, eb('events.id', 'in', ids)]);
  });
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.selectAll('events').orderBy('events.id', 'desc').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.execute() };
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
  let matching = visible(db, member).selectAll('events');
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
  let matching = visible(db, wanted.member);
  if (wanted.from !== undefined) matching = matching.where('last_time', '>=', wanted.from);
  if (wanted.to !== undefined) matching = matching.where('last_time', '<=', wanted.to);
  if (wanted.rule_guids) matching = matching.where('rule_guid', 'in', [...wanted.rule_guids]);
  if (wanted.rule_types) matching = matching.where('rule_type', 'in', [...wanted.rule_types]);
  if (wanted.priorities) matching = matching.where('priority', 'in', [...wanted.priorities]);
  if (wanted.ticket_guid !== undefined) matching = matching.where('ticket_guid', '=', wanted.ticket_guid);
  return matching;
}

export const findEvent = (db: Db, guid: string, member: string | undefined): Promise<EventRow | undefined> =>
  visible(db, member).selectAll('events').where('events.guid', '=', guid).executeTakeFirst();

/** A MEMBER sees events of rules that name it or one of its alarm groups, and events of visible tickets. */
function visible(db: Db, member: string | undefined) {
  const events = db.selectFrom('events');
  if (member === undefined) return events;
  const groups = db.selectFrom('alarm_members').select('group_guid').where('user_guid', '=', member);
  const tickets = db
    .selectFrom('tickets')
    .select('guid')
    .where('repo_guid', 'in', grantedObjects(db, 'ticket-repos', member));
  return events.where((eb) => {
    const naming = eb
      .selectFrom('rule_references')
      .select('rule_references.guid')
      .whereRef('rule_references.kind', '=', 'events.rule_type')
      .whereRef('rule_references.guid', '=', 'events.rule_guid')
      .where((reference) =>
        reference.or([
          reference.and([reference('thing', '=', 'user'), reference('object', '=', member)]),
          reference.and([reference('thing', '=', 'alarm group'), reference('object', 'in', groups)]),
        ]),
      );
    return eb.or([eb.exists(naming), eb('events.ticket_guid', 'in', tickets)]);
  });
}
