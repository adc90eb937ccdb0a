// The board: a column for each state. A ticket is moved by dragging it, by Shift and an arrow key, or by its menu.

import { useState } from 'react';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './board.module.css';
import { BoardColumn } from './board-column.tsx';
import { MOVES, moveTo } from './ticket-moves.ts';
import { type Column, STATUSES, type Ticket, type TicketsSearch } from './tickets-search.ts';
import { useMoves } from './use-moves.ts';

export interface BoardProps {
  readonly search: TicketsSearch;
  /** The end of a length of time. */
  readonly at: number;
  onOpen(guid: string): void;
}

export function Board({ search, at, onOpen }: BoardProps) {
  const { pages, tickets: labels } = useLabels();
  const { user, make, drop } = useMoves();
  const [dragged, setDragged] = useState<Ticket>();
  const [movedKey, setMovedKey] = useState<string>();
  const columns = STATUSES.filter((column) => !search.statuses || search.statuses.includes(column));
  const isAllowed = (column: Column, ticket: Ticket) => MOVES.some((move) => move === moveTo(column, ticket, user));

  /** To the next column in a direction that the ticket may go to; where there is none, the reader is told why. */
  function step(ticket: Ticket, from: Column, by: 1 | -1): void {
    const index = STATUSES.indexOf(from);
    const ahead = by === 1 ? STATUSES.slice(index + 1) : STATUSES.slice(0, index).toReversed();
    const [nearest] = ahead;
    const target = ahead.find((column) => isAllowed(column, ticket)) ?? nearest;
    if (target !== undefined) void moveTicket(ticket, target);
  }

  async function moveTicket(ticket: Ticket, column: Column): Promise<void> {
    // The card comes anew in its column: it keeps the focus.
    setMovedKey(ticket.guid);
    await drop(column, ticket);
  }

  return (
    <div className={styles.frame}>
      <p className={styles.hint}>{labels.dragHint}</p>
      <section className={styles.board} aria-label={pages.tickets}>
        {columns.map((column) => (
          <BoardColumn
            key={column}
            column={column}
            search={search}
            at={at}
            user={user}
            movedKey={movedKey}
            target={dragged === undefined ? undefined : isAllowed(column, dragged)}
            onDrag={setDragged}
            onDrop={() => {
              if (dragged) void drop(column, dragged);
              setDragged(undefined);
            }}
            onOpen={onOpen}
            onStep={(ticket, by) => step(ticket, column, by)}
            onMove={(ticket, move) => void make(move, ticket)}
          />
        ))}
      </section>
    </div>
  );
}
