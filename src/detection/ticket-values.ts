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
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const TICKET_FORMATS = ['JSON', 'MARKDOWN', 'PLAIN'] as const;

/** What an assignee reports of its part. */
export const ASSIGNEE_STATUSES = ['ASSIGNED', 'IN_PROGRESS', 'CLOSED'] as const;
/** What an approver decides. */
export const APPROVER_STATUSES = ['APPROVED', 'REJECTED'] as const;

/** The priorities of rules as tickets have them. */
export const PRIORITY_NUMBERS: Readonly<Record<string, number>> = { HIGH: 3, MEDIUM: 2, LOW: 1 };

/** Code points. */
export const MAX_TITLE = 255;
