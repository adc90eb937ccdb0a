// Moves of tickets, with what the reader is told about them.

import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { ServiceError } from '#console/client/service-error.ts';
import { useAccount } from '#console/client/session.ts';
import { showToast } from '#console/components/overlays/toast.tsx';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { MOVES, type Move, makeMove, moveTo, TARGETS } from './ticket-moves.ts';
import { type Column, columnOf, type Ticket } from './tickets-search.ts';
import { useTicketRefresh } from './use-tickets.ts';

export function useMoves() {
  const labels = useLabels();
  const { tickets: texts } = labels;
  const { guid: user } = useAccount();
  const refresh = useTicketRefresh();

  async function make(move: Move, ticket: Ticket): Promise<void> {
    try {
      await makeMove(move, ticket, user);
      const { ticket: moved } = await call('GET /api/core/tickets/:guid', { guid: ticket.guid });
      const status = texts.status[moved?.status ?? ticket.status];
      const isThere = moved !== null && columnOf(moved.status) === TARGETS[move];
      showToast(isThere ? texts.moved(ticket.title, status) : texts.waits(ticket.title, status));
    } catch (error) {
      showToast(refusalText(error, labels), 'failed');
    }
    // Also after a refusal: the ticket is not as it was shown.
    await refresh();
  }

  /** Resolves to false where the reader has been told why the ticket stays. */
  async function drop(column: Column, ticket: Ticket): Promise<boolean> {
    const found = moveTo(column, ticket, user);
    if (isMove(found)) {
      await make(found, ticket);
      return true;
    }
    if (found !== 'same') showToast(`${texts.cannot}: ${texts.reasons[found]}`, 'failed');
    return false;
  }
  return { user, make, drop };
}

const isMove = (found: string): found is Move => MOVES.some((move) => move === found);

/** What the service says of tickets, in the language of the reader. */
export function refusalText(error: unknown, labels: Labels): string {
  const { refusals } = labels.tickets;
  if (error instanceof ServiceError) {
    if (error.message.startsWith('cannot approve or reject unsubmitted')) return refusals.unsubmitted;
    if (error.message.startsWith('ticket is submitted')) return refusals.submitted;
    if (error.message.startsWith('ticket is closed')) return refusals.closed;
    const known = (['not assigned', 'no-approvers', 'not-completed'] as const).find((text) => text === error.message);
    if (known) return refusals[known];
  }
  const { text, detail } = failureText(error, labels);
  return detail === undefined ? text : `${text} ${detail}`;
}
