// The closed sets of tickets.

export const TICKET_STATUSES = [
  'NEW',
  'ASSIGNED',
  'IN_PROGRESS',
  'SUBMITTED',
  'REJECTED',
  'APPROVED',
  'CLOSED',
] as const;

export const TICKET_FORMATS = ['JSON', 'MARKDOWN', 'PLAIN'] as const;

/** Statuses that an assignee sets. */
export const ASSIGNEE_STATUSES = ['ASSIGNED', 'IN_PROGRESS', 'CLOSED'] as const;
/** Statuses that an approver sets. */
export const APPROVER_STATUSES = ['APPROVED', 'REJECTED'] as const;

/** Ticket priorities of the priorities of rules. */
export const PRIORITY_NUMBERS: Readonly<Record<string, number>> = { HIGH: 3, MEDIUM: 2, LOW: 1 };

/** In code points. */
export const MAX_TITLE = 255;
