// The moves of a ticket that the reader may make, as a menu.

import { Button } from '#console/components/button.tsx';
import { Menu, MenuItems } from '#console/components/overlays/menu.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { type Move, movesOf } from './ticket-moves.ts';
import type { Ticket } from './tickets-search.ts';

interface MoveMenuProps {
  readonly ticket: Ticket;
  /** The GUID of the reader. */
  readonly user: string;
  onMove(move: Move): void;
}

export function MoveMenu({ ticket, user, onMove }: MoveMenuProps) {
  const { tickets: labels } = useLabels();
  const moves = movesOf(ticket, user);
  if (moves.length === 0) return undefined;
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small" aria-label={labels.moveTo(ticket.title)}>
          {labels.move}
        </Button>
      }
    >
      <MenuItems items={moves.map((move) => ({ label: labels.moves[move], onSelect: () => onMove(move) }))} />
    </Menu>
  );
}
