// The moves of tickets between states: which of them an account may make, by which operations, and why not the others.
// An assignee reports on the own task, and submits the work once all tasks are done; approvers decide on submitted work.
// The state of the ticket follows from these; nothing sets it directly.

import { call } from '#console/client/call.ts';
import type { Labels } from '#console/labels/en.ts';
import { type Column, columnOf, type Ticket } from './tickets-search.ts';

export const MOVES = ['begin', 'finish', 'submit', 'approve', 'reject'] as const;
export type Move = (typeof MOVES)[number];
export type MoveReason = keyof Labels['tickets']['reasons'];

type MovableTicket = Pick<Ticket, 'guid' | 'status' | 'assignees'>;

/** The column that a move leads to. Where other people have a part in it, the ticket may stay until they have done theirs. */
export const TARGETS: Readonly<Record<Move, Column>> = {
  begin: 'IN_PROGRESS',
  finish: 'CLOSED',
  submit: 'SUBMITTED',
  approve: 'CLOSED',
  reject: 'REJECTED',
};

/** The moves that the account may make, in the order of the work. */
export const movesOf = (ticket: MovableTicket, user: string): readonly Move[] =>
  MOVES.filter((move) => reasonAgainst(move, ticket, user) === undefined);

/** The move to a column, or the reason why there is none. */
export function moveTo(column: Column, ticket: MovableTicket, user: string): Move | MoveReason {
  const current = columnOf(ticket.status);
  if (column === current) return 'same';
  if (current === 'CLOSED') return 'closed';
  if (column === 'NEW' || column === 'ASSIGNED') return 'derived';
  const move = columnMove(column, current);
  const isUnapproved = move === 'finish' && tasksOf(ticket, 'APPROVER').length > 0;
  if (isUnapproved && tasksOf(ticket, 'ASSIGNEE').some(({ user_guid }) => user_guid === user)) return 'needsApproval';
  return reasonAgainst(move, ticket, user) ?? move;
}

const COLUMN_MOVES = { IN_PROGRESS: 'begin', SUBMITTED: 'submit', REJECTED: 'reject' } as const;

function columnMove(column: Exclude<Column, 'NEW' | 'ASSIGNED'>, current: Column): Move {
  if (column === 'CLOSED') return current === 'SUBMITTED' ? 'approve' : 'finish';
  return COLUMN_MOVES[column];
}

function reasonAgainst(move: Move, ticket: MovableTicket, user: string): MoveReason | undefined {
  const current = columnOf(ticket.status);
  if (current === 'CLOSED') return 'closed';
  const assignees = tasksOf(ticket, 'ASSIGNEE');
  const approvers = tasksOf(ticket, 'APPROVER');
  if (move === 'approve' || move === 'reject') {
    if (!approvers.some(({ user_guid }) => user_guid === user)) return 'notApprover';
    return current === 'SUBMITTED' ? undefined : 'notSubmitted';
  }
  if (assignees.length === 0) return 'unassigned';
  const own = assignees.find(({ user_guid }) => user_guid === user);
  if (!own) return 'notAssignee';
  if (current === 'SUBMITTED') return move === 'submit' ? 'same' : 'needsApproval';
  if (move === 'begin') return current === 'IN_PROGRESS' && own.task_status === 'IN_PROGRESS' ? 'same' : undefined;
  if (move === 'finish') {
    if (own.task_status === 'CLOSED') return approvers.length > 0 ? 'needsApproval' : 'notCompleted';
    return undefined;
  }
  if (approvers.length === 0) return 'noApprovers';
  return assignees.every((task) => task === own || task.task_status === 'CLOSED') ? undefined : 'notCompleted';
}

const tasksOf = ({ assignees }: MovableTicket, type: Ticket['assignees'][number]['task_type']) =>
  // Tasks of removed users are not waited for.
  assignees.filter(({ task_type, user_name }) => task_type === type && user_name !== null);

/** Resolves once the service has taken the move. */
export async function makeMove(move: Move, ticket: MovableTicket, user: string): Promise<void> {
  const { guid } = ticket;
  const report = (status: 'IN_PROGRESS' | 'CLOSED') =>
    call('PUT /api/core/tickets/:guid/assignee-status', { guid, status });
  if (move === 'begin') await report('IN_PROGRESS');
  else if (move === 'finish') await report('CLOSED');
  else if (move === 'submit') {
    const own = tasksOf(ticket, 'ASSIGNEE').find(({ user_guid }) => user_guid === user);
    // Work is submitted once it is done: the own part is reported first.
    if (own?.task_status !== 'CLOSED') await report('CLOSED');
    await call('POST /api/core/tickets/:guid/submit', { guid });
  } else {
    const status = move === 'approve' ? 'APPROVED' : 'REJECTED';
    await call('PUT /api/core/tickets/:guid/approver-status', { guid, status });
  }
}
