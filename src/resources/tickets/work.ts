// PUT /tickets/:guid/assignee-status, POST /tickets/:guid/submit and PUT /tickets/:guid/approver-status

import type { Caller } from '#access/caller.ts';
import {
  cannotDecide,
  noApprovers,
  notApproverStatus,
  notAssigned,
  notAssigneeStatus,
  notCompleted,
  ticketClosed,
  ticketSubmitted,
} from '#contract/errors.ts';
import { APPROVER_STATUSES, ASSIGNEE_STATUSES } from '#detection/tickets/ticket-values.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { oneOf, required } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import type { Db } from '#store/kysely.ts';
import { resolveReferences } from '#store/rows/resolve.ts';
import type { TicketRow, TicketTaskRow } from '#store/schema/event-schema.ts';
import { requireVisible } from './rights.ts';
import { resetApprovals, setTask, tasksOf, updateTicket } from './store.ts';
import { afterDecision, afterReport, approversOf, isMovable, isWorkDone } from './workflow.ts';

type Needs = Call & { readonly clock: Clock };

export const reportWork = endpoint({
  title: 'Set ticket assignee status',
  notes:
    'The report of the caller, an assignee. Without approvers a ticket is closed when all its assignees are; ' +
    'IN_PROGRESS comes by that report alone. A report on a closed ticket is stored and changes nothing else; while ' +
    'a ticket is submitted its assignees cannot take back that their work is done. Reports and approvals of removed users are not waited for.',
  method: 'PUT',
  path: '/api/core/tickets/:guid/assignee-status',
  access: 'MEMBER',
  audit: 'tickets.report',
  params: {
    guid: guidOf('ticket'),
    status: required(oneOf(ASSIGNEE_STATUSES, notAssigneeStatus), 'Status of the caller’s task.'),
  },
  answer: nothing,

  async run({ guid, status }, { db, caller, clock }: Needs) {
    const { ticket, task } = await requireTask(db, { guid, type: 'ASSIGNEE', caller });
    if (ticket.status === 'SUBMITTED' && status !== task.task_status) throw ticketSubmitted(guid);
    await setTask(db, { ...task, task_status: status });
    const next = afterReport(ticket.status, status, await countedTasks(db, guid));
    await move(db, ticket, next, clock);
    return {};
  },
});

export const submit = endpoint({
  title: 'Submit ticket',
  notes:
    'Hands the ticket to its approvers; earlier decisions are void, and their `task_status` is ASSIGNED again. ' +
    'Submitting a submitted ticket changes nothing.',
  method: 'POST',
  path: '/api/core/tickets/:guid/submit',
  access: 'MEMBER',
  audit: 'tickets.submit',
  params: { guid: guidOf('ticket') },
  answer: nothing,

  async run({ guid }, { db, caller, clock }: Needs) {
    const { ticket } = await requireTask(db, { guid, type: 'ASSIGNEE', caller });
    const tasks = await countedTasks(db, guid);
    if (approversOf(tasks).length === 0) throw noApprovers();
    if (!isWorkDone(tasks)) throw notCompleted();
    if (ticket.status === 'CLOSED') throw ticketClosed(guid);
    if (!isMovable(ticket.status)) return {};
    await resetApprovals(db, guid);
    await move(db, ticket, 'SUBMITTED', clock);
    return {};
  },
});

export const decide = endpoint({
  title: 'Approve or reject ticket',
  notes: 'One rejection gives it back to its assignees; once all approvers have approved it is closed.',
  method: 'PUT',
  path: '/api/core/tickets/:guid/approver-status',
  access: 'MEMBER',
  audit: 'tickets.decide',
  params: {
    guid: guidOf('ticket'),
    status: required(oneOf(APPROVER_STATUSES, notApproverStatus), 'Status of the caller’s task.'),
  },
  answer: nothing,

  async run({ guid, status }, { db, caller, clock }: Needs) {
    const { ticket, task } = await requireTask(db, { guid, type: 'APPROVER', caller });
    if (ticket.status !== 'SUBMITTED') throw cannotDecide(guid);
    await setTask(db, { ...task, task_status: status });
    await move(db, ticket, afterDecision(await countedTasks(db, guid)), clock);
    return {};
  },
});

/** The task of the caller. */
async function requireTask(
  db: Db,
  { guid, type, caller }: { guid: string; type: TicketTaskRow['task_type']; caller: Caller },
): Promise<{ ticket: TicketRow; task: TicketTaskRow }> {
  const ticket = await requireVisible(db, guid, caller);
  const tasks = await tasksOf(db, [guid]);
  const task = tasks.find(({ task_type, user_guid }) => task_type === type && user_guid === caller.userGuid);
  if (!task) throw notAssigned();
  return { ticket, task };
}

/** Tasks of removed users do not count. */
async function countedTasks(db: Db, guid: string): Promise<TicketTaskRow[]> {
  const tasks = await tasksOf(db, [guid]);
  const referenceTo = ({ user_guid }: TicketTaskRow) => ({ thing: 'user' as const, key: user_guid });
  const users = await resolveReferences(db, tasks.map(referenceTo));
  return tasks.filter((task) => users.nameOf(referenceTo(task)) !== undefined);
}

async function move(db: Db, { guid, status }: TicketRow, next: TicketRow['status'], clock: Clock): Promise<void> {
  const now = clock.now().epochMilliseconds;
  const isClosing = next === 'CLOSED' && status !== 'CLOSED';
  await updateTicket(db, guid, { status: next, ...(isClosing ? { closed_at: now } : {}) }, now);
}
