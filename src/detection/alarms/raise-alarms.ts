// Alarms of new events: a row for every webhook, in the unit of the event; alarms.ts delivers them. Users of the alarm group see
// the event itself.

import type { RaiseInput } from '#detection/events/raise-input.ts';
import type { Db } from '#store/kysely.ts';
import { insertEach } from '#store/rows/many.ts';
import type { NewEvent } from '#store/schema/event-schema.ts';

/** Returns the number of alarms. */
export async function raiseAlarms(db: Db, { rule, now }: RaiseInput, events: readonly NewEvent[]): Promise<number> {
  const { alarm_group_guid: group } = rule.content;
  if (typeof group !== 'string' || events.length === 0) return 0;
  const webhooks = await webhooksOf(db, group);
  const alarms = events.flatMap(({ guid }) =>
    webhooks.map(({ target }) => ({ event_guid: guid, group_guid: group, target, tries: 0, due_at: now })),
  );
  await insertEach(db, 'alarms', alarms);
  return alarms.length;
}

/** The webhooks of an alarm group, each once. */
export const webhooksOf = (db: Db, group: string): Promise<{ target: string }[]> =>
  db
    .selectFrom('alarm_members')
    .select('target')
    .distinct()
    .where('group_guid', '=', group)
    .where('target', 'is not', null)
    .$narrowType<{ target: string }>()
    .execute();
