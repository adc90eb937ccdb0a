// One column of the board: the tickets of a state, newest first, page by page.

import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Aged } from '#console/components/aged.tsx';
import { Button } from '#console/components/button.tsx';
import { Icon } from '#console/components/icon.tsx';
import { Failed, Loading } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import styles from './board.module.css';
import { MoveMenu } from './move-menu.tsx';
import { AssigneeNames, TicketMarks } from './ticket-badges.tsx';
import { type Move, movesOf } from './ticket-moves.ts';
import { type Column, filtersOf, type Ticket, type TicketsSearch } from './tickets-search.ts';
import { useTicketList } from './use-tickets.ts';

const PAGE_ROWS = 30;

interface CardActions {
  /** The GUID of the reader. */
  readonly user: string;
  /** The ticket that a key has moved: it has the focus where it comes. */
  readonly movedKey: string | undefined;
  onDrag(ticket: Ticket | undefined): void;
  onOpen(guid: string): void;
  onStep(ticket: Ticket, by: 1 | -1): void;
  onMove(ticket: Ticket, move: Move): void;
}

interface BoardColumnProps extends CardActions {
  readonly column: Column;
  readonly search: TicketsSearch;
  readonly at: number;
  /** While a ticket is dragged: whether it may come here. */
  readonly target: boolean | undefined;
  onDrop(): void;
}

export function BoardColumn({ column, search, at, target, onDrop, ...actions }: BoardColumnProps) {
  const { tickets: labels } = useLabels();
  const { locale } = useLanguage();
  const list = useTicketList(filtersOf({ ...search, statuses: [column] }, at), PAGE_ROWS);
  const { tickets, total } = list;
  const left = total - (tickets?.length ?? 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Dragging is one of three ways; keys and menus do the same.
    <div
      className={styles.column}
      data-target={target}
      data-empty={tickets?.length === 0}
      onDragOver={(event) => target !== undefined && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <header className={styles.head} title={labels.columns[column]}>
        <h2>{labels.status[column]}</h2>
        <span className={styles.count}>{numberText(total, locale)}</span>
      </header>
      {tickets ? (
        <Aged answers={[list.answer]}>
          <ul className={styles.cards} aria-label={labels.status[column]}>
            {tickets.map((ticket) => (
              <Card key={ticket.guid} ticket={ticket} isOpen={ticket.guid === search.ticket} {...actions} />
            ))}
            {tickets.length === 0 && <li className={styles.none}>{labels.emptyColumn}</li>}
            {left > 0 && (
              <li>
                <Button kind="quiet" size="small" onClick={list.readMore}>
                  {labels.more(numberText(left, locale))}
                </Button>
              </li>
            )}
          </ul>
        </Aged>
      ) : list.error ? (
        <Failed error={list.error} onRetry={list.refetch} />
      ) : (
        <Loading lines={3} />
      )}
    </div>
  );
}

interface CardProps extends CardActions {
  readonly ticket: Ticket;
  readonly isOpen: boolean;
}

function Card({ ticket, isOpen, user, movedKey, onDrag, onOpen, onStep, onMove }: CardProps) {
  const { locale } = useLanguage();
  const title = useRef<HTMLButtonElement>(null);
  const isMoved = movedKey === ticket.guid;
  useEffect(() => {
    if (isMoved) title.current?.focus();
  }, [isMoved]);

  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!event.shiftKey || (by !== 1 && by !== -1)) return;
    event.preventDefault();
    onStep(ticket, by);
  }

  return (
    <li
      className={styles.card}
      data-open={isOpen}
      data-movable={movesOf(ticket, user).length > 0}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', ticket.title);
        onDrag(ticket);
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <button
        ref={title}
        type="button"
        className={styles.title}
        aria-keyshortcuts="Shift+ArrowRight Shift+ArrowLeft"
        onKeyDown={onKeyDown}
        onClick={() => onOpen(ticket.guid)}
      >
        {ticket.title}
      </button>
      <span className={styles.marks}>
        <TicketMarks ticket={ticket} />
        <MoveMenu ticket={ticket} user={user} onMove={(move) => onMove(ticket, move)} />
      </span>
      <span className={styles.foot}>
        <span className={styles.people}>
          <AssigneeNames ticket={ticket} />
        </span>
        {ticket.count > 0 && (
          <span className={styles.events}>
            <Icon name="events" size={12} />
            {numberText(ticket.count, locale)}
          </span>
        )}
        <Time at={ticket.updated_at} isRelative />
      </span>
    </li>
  );
}
