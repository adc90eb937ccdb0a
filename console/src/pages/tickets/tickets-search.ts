// The state of the page in its address, and the parameters of the operation that it means.

import type { AnswerFor, RequestFor } from '#client/call.ts';
import { addressOf, choice, choices, text } from '#console/address/address.ts';
import { present } from '#console/client/present.ts';
import { toStamp } from '#console/time/moments.ts';
import { LENGTHS, resolveRange } from '#console/time/ranges.ts';

export type Ticket = AnswerFor<'GET /api/core/tickets'>['tickets'][number];
export type TicketStatus = Ticket['status'];

export const STATUSES = ['NEW', 'ASSIGNED', 'IN_PROGRESS', 'SUBMITTED', 'REJECTED', 'CLOSED'] as const;
export type Column = (typeof STATUSES)[number];

/** A ticket that all have approved is closed at once: it has no column of its own. */
export const columnOf = (status: TicketStatus): Column => (status === 'APPROVED' ? 'CLOSED' : status);
export const statusesOf = (column: Column): readonly TicketStatus[] =>
  column === 'CLOSED' ? ['CLOSED', 'APPROVED'] : [column];

/** Priorities of tickets are numbers, those of the console names. */
export const PRIORITIES = ['HIGH', 'MEDIUM', 'LOW'] as const;
export type PriorityName = (typeof PRIORITIES)[number];
export const PRIORITY_NUMBERS = { HIGH: 3, MEDIUM: 2, LOW: 1 } as const;
export const priorityOf = (number: number): PriorityName =>
  PRIORITIES.find((name) => PRIORITY_NUMBERS[name] === number) ?? 'LOW';

export const ORDERS = ['newest', 'oldest', 'changed', 'closed'] as const;
export const VIEWS = ['board', 'list'] as const;
export const PARTS = ['comments', 'events', 'history'] as const;

export const readTicketsSearch = addressOf({
  view: choice(VIEWS),
  keywords: text,
  statuses: choices(STATUSES),
  priorities: choices(PRIORITIES),
  /** The GUID of a user. */
  assignee: text,
  approver: text,
  /** A length of time before now. */
  within: choice(LENGTHS),
  order: choice(ORDERS),
  /** The GUID of the ticket whose detail is shown. */
  ticket: text,
  part: choice(PARTS),
});
export type TicketsSearch = ReturnType<typeof readTicketsSearch>;

const SORTS = {
  newest: {},
  oldest: { sort_type: 'ASC' },
  changed: { sort_column: 'updated_at' },
  closed: { sort_column: 'closed_at' },
} as const;

/** The filters of the operation; `at` is the end of a length of time. */
export function filtersOf(search: TicketsSearch, at: number): RequestFor<'GET /api/core/tickets'> {
  const { keywords, statuses, priorities, assignee, approver, within, order = 'newest' } = search;
  return {
    ...SORTS[order],
    ...present({
      keywords,
      statuses: statuses?.flatMap(statusesOf),
      priorities: priorities?.map((name) => `${PRIORITY_NUMBERS[name]}` as const),
      assignees: assignee === undefined ? undefined : [assignee],
      approvers: approver === undefined ? undefined : [approver],
      from: within === undefined ? undefined : toStamp(resolveRange({ from: `now-${within}`, to: 'now' }, at).from),
    }),
  };
}
