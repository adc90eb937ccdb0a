// How a ticket goes from one status to the next. Pure: what has become of the tasks decides.

import type { TicketRow, TicketTaskRow } from '#store/event-schema.ts';

export type Task = Pick<TicketTaskRow, 'task_type' | 'user_guid' | 'task_status'>;
type Status = TicketRow['status'];

export const assigneesOf = (tasks: readonly Task[]) => tasks.filter(({ task_type }) => task_type === 'ASSIGNEE');
export const approversOf = (tasks: readonly Task[]) => tasks.filter(({ task_type }) => task_type === 'APPROVER');

export const isWorkDone = (tasks: readonly Task[]): boolean =>
  assigneesOf(tasks).every(({ task_status }) => task_status === 'CLOSED');

/** Of a ticket whose assignees may still move it. */
const MOVABLE: readonly Status[] = ['NEW', 'ASSIGNED', 'IN_PROGRESS', 'REJECTED'];

export const isMovable = (status: Status): boolean => MOVABLE.includes(status);

/** After an assignee has reported; `tasks` say what. */
export function afterReport(status: Status, reported: Task['task_status'], tasks: readonly Task[]): Status {
  if (!isMovable(status)) return status;
  if (approversOf(tasks).length === 0 && isWorkDone(tasks)) return 'CLOSED';
  return reported === 'IN_PROGRESS' ? 'IN_PROGRESS' : status;
}

/** After an approver has decided; `tasks` say how. Approved by all it is closed at once. */
export function afterDecision(tasks: readonly Task[]): Status {
  const decisions = approversOf(tasks).map(({ task_status }) => task_status);
  if (decisions.includes('REJECTED')) return 'REJECTED';
  return decisions.every((decision) => decision === 'APPROVED') ? 'CLOSED' : 'SUBMITTED';
}
