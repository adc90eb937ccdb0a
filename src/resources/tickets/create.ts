// POST /tickets

import type { Caller } from '#access/caller.ts';
import { duplicatedGuid, eventHasTicket, notFound, tooManyItems } from '#contract/errors.ts';
import { seenEvents, updateEvents } from '#detection/events/visible-events.ts';
import { MAX_TITLE, TICKET_FORMATS } from '#detection/tickets/ticket-values.ts';
import { newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/text/search-text.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { requireHolders } from '#objects/grants.ts';
import { created } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { flag, guid, guids, int, meaning, oneOf, orElse, required, text } from '#operations/params/params.ts';
import { newGuidParam } from '#operations/shared-fields.ts';
import type { Db } from '#store/kysely.ts';
import { isTaken } from '#store/rows/lists.ts';
import { exists } from '#store/rows/resolve.ts';
import type { TicketTaskRow } from '#store/schema/event-schema.ts';
import { memberGuidOf, requireWriter } from './rights.ts';
import { insertTicket } from './store.ts';

const MAX_EVENTS = 1000;

const eventGuids = meaning(guids, { maxItems: MAX_EVENTS }, (items, name) => {
  if (items.length > MAX_EVENTS) throw tooManyItems(name, MAX_EVENTS);
  return items;
});

export const create = endpoint({
  title: 'Create ticket',
  notes:
    'A MEMBER needs a grant on the repository that is not read-only; a read-only grant allows reading and the ' +
    'operations of assignees and approvers. Assignees and approvers are users that the caller may see: for a ' +
    'MEMBER itself. Events are such that the caller may see, and have no ticket yet.',
  method: 'POST',
  path: '/api/core/tickets',
  access: 'MEMBER',
  audit: 'tickets.create',
  params: {
    guid: newGuidParam,
    repo_guid: required(guid, 'GUID of the ticket repository.'),
    title: required(text(MAX_TITLE), 'Title of the ticket.'),
    priority: required(int(1n, 3n), 'Priority: 3 is high, 2 medium, 1 low.'),
    format: orElse(oneOf(TICKET_FORMATS), 'PLAIN', 'Format of the content.'),
    content: described(text(100_000), 'Text of the ticket.'),
    attack: orElse(flag, false, 'Whether the ticket is about an attack.'),
    incident: orElse(flag, false, 'Whether the ticket is an incident.'),
    assignees: described(guids, 'GUIDs of the users that work on the ticket.'),
    approvers: described(guids, 'GUIDs of the users that approve the work.'),
    event_guids: described(
      eventGuids,
      'GUIDs of the events that the ticket joins; they become `seen` where they are `new`.',
    ),
  },
  answer: created,

  async run(input, { db, caller, clock }: Call & { clock: Clock }) {
    const { repo_guid, title, priority, format, content = null, assignees = [], approvers = [] } = input;
    const events = [...new Set(input.event_guids)];
    const made = input.guid ?? newGuid();
    if (await isTaken(db, 'tickets', { guid: made })) throw duplicatedGuid(made);
    if (!(await exists(db, 'ticket repository', repo_guid))) throw notFound('ticket repository', repo_guid);
    await requireWriter(db, repo_guid, caller);
    await requireHolders(db, { kind: 'user', guids: [...assignees, ...approvers], caller });
    const fresh = await requireEvents(db, events, caller);
    const now = clock.now().epochMilliseconds;
    const ticket = {
      guid: made,
      repo_guid,
      title,
      priority,
      status: assignees.length === 0 ? ('NEW' as const) : ('ASSIGNED' as const),
      format,
      content,
      count: events.length,
      attack: input.attack ? 1 : 0,
      incident: input.incident ? 1 : 0,
      rule_type: null,
      rule_guid: null,
      suppress_key: null,
      event_time: null,
      search: searchText([title, content]),
      created_at: now,
      updated_at: now,
      closed_at: null,
    };
    await insertTicket(db, ticket, [...tasks(made, 'ASSIGNEE', assignees), ...tasks(made, 'APPROVER', approvers)]);
    await updateEvents(db, events, { ticket_guid: made }, now);
    const seen = { status: 'seen', status_reason: null, status_user: caller.login, status_time: now } as const;
    await updateEvents(db, fresh, seen, now);
    return { guid: made };
  },
});

/** Those of them that are new. */
async function requireEvents(db: Db, guids: readonly string[], caller: Caller): Promise<string[]> {
  const seen = await seenEvents(db, guids, memberGuidOf(caller));
  const absent = guids.find((guid) => !seen.has(guid));
  if (absent !== undefined) throw notFound('event', absent);
  const taken = guids.find((guid) => (seen.get(guid)?.ticket_guid ?? null) !== null);
  if (taken !== undefined) throw eventHasTicket(taken);
  return guids.filter((guid) => seen.get(guid)?.status === 'new');
}

const tasks = (ticket_guid: string, task_type: TicketTaskRow['task_type'], users: readonly string[]) =>
  [...new Set(users)].map(
    (user_guid, ordinal): TicketTaskRow => ({ ticket_guid, task_type, ordinal, user_guid, task_status: 'ASSIGNED' }),
  );
