// The record of a ticket, with its assignees and approvers.

import { toStamp } from '#contract/times.ts';
import { openTicket } from '#detection/events/sealing.ts';
import {
  APPROVER_STATUSES,
  ASSIGNEE_STATUSES,
  TICKET_FORMATS,
  TICKET_STATUSES,
} from '#detection/tickets/ticket-values.ts';
import {
  arrayOf,
  boolean,
  choice,
  guidText,
  int32,
  int64,
  optional,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import type { Db } from '#store/kysely.ts';
import { type ResolvedReferences, resolveReferences } from '#store/rows/resolve.ts';
import type { TicketCommentRow, TicketRow, TicketTaskRow } from '#store/schema/event-schema.ts';
import type { Sealing } from '#vault/sealed/sealing.ts';
import { tasksOf } from './store.ts';

export const ticketRecord = record('Ticket', {
  id: int32('Number of the ticket.'),
  guid: guidText('GUID of the ticket.'),
  repo_guid: guidText('GUID of the ticket repository.'),
  repo_name: orNull(string)('Name of the ticket repository; null where it has been removed.', 'Operations'),
  title: string('Title of the ticket.', 'Failed logins from 10.0.0.7'),
  priority: int32('Priority: 3 is high, 2 medium, 1 low.', 3),
  status: choice(TICKET_STATUSES)('Status of the ticket.'),
  format: choice(TICKET_FORMATS)('Format of the content.'),
  content: optional(string('Text of the ticket; absent where there is none.', 'Account kim is locked.')),
  count: int64('Number of events that the ticket joins.', 4),
  attack: boolean('Whether the ticket is about an attack.'),
  incident: boolean('Whether the ticket is an incident.'),
  rule_guid: orNull(guidText)('GUID of the rule that raised the ticket; null for one that was created by hand.'),
  assignees: arrayOf(
    record({
      user_guid: guidText('GUID of the user.'),
      user_name: orNull(string)('Name of the user; null where the user has been removed.', 'Kim'),
      task_type: choice(['ASSIGNEE', 'APPROVER'])('Task of the user.'),
      task_status: choice([...ASSIGNEE_STATUSES, ...APPROVER_STATUSES])('Status of the task.'),
    }),
  )('Users that work on the ticket or approve it.'),
  created_at: stamp('Time when the ticket was created.'),
  updated_at: stamp('Time of the last change of the ticket.'),
  closed_at: orNull(stamp)('Time when the ticket was closed; null while it is open.'),
});

export const commentRecord = record('TicketComment', {
  guid: guidText('GUID of the comment.'),
  user_guid: guidText('GUID of the author.'),
  user_name: orNull(string)('Name of the author; null where the user has been removed.', 'Kim'),
  content: string('Text of the comment.', 'The account is unlocked.'),
  created: stamp('Time when the comment was written.'),
});

interface Reading {
  readonly zone: string;
  /** Decrypts sealed tickets. */
  readonly sealing: Sealing | undefined;
}

/** In the order of the rows. */
export async function ticketRecords(
  db: Db,
  rows: readonly TicketRow[],
  { zone, sealing }: Reading,
): Promise<TypeOf<typeof ticketRecord>[]> {
  const tasks = await tasksOf(
    db,
    rows.map(({ guid }) => guid),
  );
  const names = await resolveReferences(db, [
    ...rows.map(({ repo_guid }) => ({ thing: 'ticket repository' as const, key: repo_guid })),
    ...tasks.map(({ user_guid }) => ({ thing: 'user' as const, key: user_guid })),
  ]);
  const byTicket = Map.groupBy(tasks, ({ ticket_guid }) => ticket_guid);
  return rows.map((row) => toRecord(openTicket(row, sealing), { tasks: byTicket.get(row.guid) ?? [], names, zone }));
}

interface Beside {
  readonly tasks: readonly TicketTaskRow[];
  readonly names: ResolvedReferences;
  readonly zone: string;
}

function toRecord(row: TicketRow, { tasks, names, zone }: Beside): TypeOf<typeof ticketRecord> {
  return {
    id: row.id,
    guid: row.guid,
    repo_guid: row.repo_guid,
    repo_name: names.nameOf({ thing: 'ticket repository', key: row.repo_guid }) ?? null,
    title: row.title,
    priority: row.priority,
    status: row.status,
    format: row.format,
    ...(row.content === null ? {} : { content: row.content }),
    count: row.count,
    attack: row.attack === 1,
    incident: row.incident === 1,
    rule_guid: row.rule_guid,
    assignees: tasks.map(({ user_guid, task_type, task_status }) => ({
      user_guid,
      user_name: names.nameOf({ thing: 'user', key: user_guid }) ?? null,
      task_type,
      task_status,
    })),
    created_at: stampOf(row.created_at, zone),
    updated_at: stampOf(row.updated_at, zone),
    closed_at: row.closed_at === null ? null : stampOf(row.closed_at, zone),
  };
}

export async function commentRecords(
  db: Db,
  rows: readonly TicketCommentRow[],
  zone: string,
): Promise<TypeOf<typeof commentRecord>[]> {
  const writers = rows.map(({ user_guid }) => ({ thing: 'user' as const, key: user_guid }));
  const names = await resolveReferences(db, writers);
  return rows.map(({ guid, user_guid, content, created_at }) => ({
    guid,
    user_guid,
    user_name: names.nameOf({ thing: 'user', key: user_guid }) ?? null,
    content,
    created: stampOf(created_at, zone),
  }));
}

const stampOf = (time: number, zone: string): string => toStamp(Temporal.Instant.fromEpochMilliseconds(time), zone);
