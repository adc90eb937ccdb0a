// Events as far as an account sees them: the same for every operation that reads or changes them.

import type { Db } from '#store/kysely.ts';
import { grantedObjects } from '#store/rows/grants.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { EventRow } from '#store/schema/event-schema.ts';

/** A MEMBER sees events of rules that name it or one of its alarm groups, and events of visible tickets. */
export function visibleEvents(db: Db, member: string | undefined) {
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

type SeenEvent = Pick<EventRow, 'guid' | 'status' | 'ticket_guid'>;

/** Those of the events that the member may see, by their guids. */
export async function seenEvents(
  db: Db,
  guids: readonly string[],
  member: string | undefined,
): Promise<ReadonlyMap<string, SeenEvent>> {
  const rows = await inChunks(guids, (chunk) =>
    visibleEvents(db, member)
      .select(['events.guid', 'events.status', 'events.ticket_guid'])
      .where('events.guid', 'in', [...chunk])
      .execute(),
  );
  return new Map(rows.map((row) => [row.guid, row]));
}

type EventChange = Partial<Pick<EventRow, 'status' | 'status_reason' | 'status_user' | 'status_time' | 'ticket_guid'>>;

export async function updateEvents(db: Db, guids: readonly string[], change: EventChange, now: number): Promise<void> {
  await inChunks(guids, async (chunk) => {
    await db
      .updateTable('events')
      .set({ ...change, updated_at: now })
      .where('guid', 'in', [...chunk])
      .execute();
    return [];
  });
}
