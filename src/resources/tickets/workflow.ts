// The status workflow of tickets. Pure: the status follows from the tasks.

import type { TicketRow, TicketTaskRow } from '#store/schema/event-schema.ts';

type Task = Pick<TicketTaskRow, 'task_type' | 'user_guid' | 'task_status'>;
type Status = TicketRow['status'];

const assigneesOf = (tasks: readonly Task[]) => tasks.filter(({ task_type }) => task_type === 'ASSIGNEE');
export const approversOf = (tasks: readonly Task[]) => tasks.filter(({ task_type }) => task_type === 'APPROVER');

export const isWorkDone = (tasks: readonly Task[]): boolean =>
  assigneesOf(tasks).every(({ task_status }) => task_status === 'CLOSED');

/** Statuses in which assignees may report. */
const MOVABLE: readonly Status[] = ['NEW', 'ASSIGNED', 'IN_PROGRESS', 'REJECTED'];

export const isMovable = (status: Status): boolean => MOVABLE.includes(status);

/** Status after a report of an assignee. */
export function afterReport(status: Status, reported: Task['task_status'], tasks: readonly Task[]): Status {
  if (!isMovable(status)) return status;
  if (approversOf(tasks).length === 0 && isWorkDone(tasks)) return 'CLOSED';
  return reported === 'IN_PROGRESS' ? 'IN_PROGRESS' : status;
}

/** Status after a decision of an approver. A ticket approved by all is closed at once. */
export function afterDecision(tasks: readonly Task[]): Status {
  const decisions = approversOf(tasks).map(({ task_status }) => task_status);
  if (decisions.includes('REJECTED')) return 'REJECTED';
  return decisions.every((decision) => decision === 'APPROVED') ? 'CLOSED' : 'SUBMITTED';
}
