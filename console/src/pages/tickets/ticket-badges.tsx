// The state and the marks of a ticket.

import { PriorityBadge, StatusBadge, type Tone } from '#console/components/badge.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { priorityOf, type Ticket, type TicketStatus } from './tickets-search.ts';

const TONES: Readonly<Record<TicketStatus, Tone>> = {
  NEW: 'accent',
  ASSIGNED: 'neutral',
  IN_PROGRESS: 'low',
  SUBMITTED: 'medium',
  REJECTED: 'high',
  APPROVED: 'good',
  CLOSED: 'good',
};

export const TicketStatusBadge = ({ status }: { readonly status: TicketStatus }) => (
  <StatusBadge tone={TONES[status]}>{useLabels().tickets.status[status]}</StatusBadge>
);

export function TicketMarks({ ticket }: { readonly ticket: Ticket }) {
  const { tickets: labels } = useLabels();
  return (
    <>
      <PriorityBadge priority={priorityOf(ticket.priority)} />
      {ticket.incident && <StatusBadge tone="high">{labels.incidentMark}</StatusBadge>}
      {ticket.attack && <StatusBadge tone="medium">{labels.attackMark}</StatusBadge>}
    </>
  );
}

/** Names of those who work on a ticket. */
export function AssigneeNames({ ticket: { assignees } }: { readonly ticket: Ticket }) {
  const { tickets: labels } = useLabels();
  return assignees
    .filter(({ task_type }) => task_type === 'ASSIGNEE')
    .map(({ user_name }) => user_name ?? labels.removedUser)
    .join(', ');
}
