// Numbers of events by time, priority, status and rule.

import type { ExpressionBuilder } from 'kysely';
import type { Priority } from '#detection/rules/rule-kinds.ts';
import type { Db } from '#store/kysely.ts';
import type { EventRow } from '#store/schema/event-schema.ts';
import type { Schema } from '#store/schema/schema.ts';
import type { filteredEvents } from './store.ts';

type Events = Awaited<ReturnType<typeof filteredEvents>>;

/** `slot` is the time of the last match, in milliseconds, down to a multiple of `length`. */
export async function countByTime(events: Events, length: number) {
  const rows = await events
    .select((eb) => [
      slotAt(eb, length).as('slot'),
      'events.priority',
      'events.status',
      eb.fn.countAll<number>().as('count'),
    ])
    .groupBy((eb) => [slotAt(eb, length), 'events.priority', 'events.status'])
    .execute();
  return rows.map((row) => ({
    slot: Number(row.slot),
    priority: row.priority as Priority, // Written from a rule, whose reader knows the set.
    status: row.status,
    count: Number(row.count),
  }));
}

/** Written as a number, not as a parameter: PostgreSQL must see that both are the same. */
function slotAt(eb: ExpressionBuilder<Schema, 'events'>, length: number) {
  const unit = eb.lit(length);
  // The remainder of a time before 1970 is negative.
  const positive = eb.parens(eb(eb.parens(eb('events.last_time', '%', unit)), '+', unit));
  return eb('events.last_time', '-', eb.parens(eb(positive, '%', unit)));
}

interface RuleCount extends Pick<EventRow, 'rule_guid' | 'rule_name' | 'rule_type'> {
  readonly count: number;
}

/** The rules with the most events, under their newest names. */
export async function countByRule(db: Db, events: Events, top: number): Promise<RuleCount[]> {
  const rules = await events
    .select((eb) => [
      'events.rule_guid',
      'events.rule_type',
      eb.fn.max('events.id').as('newest'),
      eb.fn.countAll<number>().as('count'),
    ])
    .groupBy(['events.rule_guid', 'events.rule_type'])
    .orderBy('count', 'desc')
    .orderBy('newest', 'desc')
    .limit(top)
    .execute();
  if (rules.length === 0) return [];
  const newest = rules.map((rule) => Number(rule.newest));
  const named = await db.selectFrom('events').select(['id', 'rule_name']).where('id', 'in', newest).execute();
  const names = new Map(named.map(({ id, rule_name }) => [id, rule_name]));
  return rules.map(({ rule_guid, rule_type, newest: id, count }) => ({
    rule_guid,
    rule_name: names.get(Number(id)) ?? '',
    rule_type,
    count: Number(count),
  }));
}
