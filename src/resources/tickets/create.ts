// POST /tickets

import { duplicatedGuid, notFound } from '#contract/errors.ts';
import { MAX_TITLE, TICKET_FORMATS } from '#detection/ticket-values.ts';
import { described } from '#http/described.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { flag, guid, guids, int, oneOf, orElse, required, text } from '#http/params.ts';
import { created } from '#http/shapes.ts';
import { newGuidParam } from '#http/shared-fields.ts';
import type { Clock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/search-text.ts';
import { requireHolders } from '#objects/grants.ts';
import type { TicketTaskRow } from '#store/event-schema.ts';
import { isTaken } from '#store/lists.ts';
import { exists } from '#store/resolve.ts';
import { requireWriter } from './rights.ts';
import { insertTicket } from './store.ts';

export const create = endpoint({
  title: 'Create ticket',
  notes:
    'A MEMBER needs a grant on the repository that is not read-only; a read-only grant allows reading and the ' +
    'operations of assignees and approvers. Assignees and approvers are users that the caller may see: for a ' +
    'MEMBER itself.',
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
  },
  answer: created,

  async run(input, { db, caller, clock }: Call & { clock: Clock }) {
    const { repo_guid, title, priority, format, content = null, assignees = [], approvers = [] } = input;
    const made = input.guid ?? newGuid();
    if (await isTaken(db, 'tickets', { guid: made })) throw duplicatedGuid(made);
    if (!(await exists(db, 'ticket repository', repo_guid))) throw notFound('ticket repository', repo_guid);
    await requireWriter(db, repo_guid, caller);
    await requireHolders(db, { kind: 'user', guids: [...assignees, ...approvers], caller });
    const now = clock.now().epochMilliseconds;
    const ticket = {
      guid: made,
      repo_guid,
      title,
      priority,
      status: assignees.length === 0 ? ('NEW' as const) : ('ASSIGNED' as const),
      format,
      content,
      count: 0,
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
    return { guid: made };
  },
});

const tasks = (ticket_guid: string, task_type: TicketTaskRow['task_type'], users: readonly string[]) =>
  [...new Set(users)].map(
    (user_guid, ordinal): TicketTaskRow => ({ ticket_guid, task_type, ordinal, user_guid, task_status: 'ASSIGNED' }),
  );
