// The list of events, by default those first that have matched last.

import type { ReactNode } from 'react';
import { PriorityBadge } from '#console/components/badge.tsx';
import { type Column, DataTable, type Order, type RowSelection } from '#console/components/data-table.tsx';
import { Icon } from '#console/components/icon.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import { EventStatus } from './event-status.tsx';
import styles from './events.module.css';
import type { EventRecord } from './events-search.ts';

interface EventListProps {
  readonly events: readonly EventRecord[];
  readonly order: Order;
  readonly selection?: RowSelection;
  readonly openKey?: string | undefined;
  onOpen(event: EventRecord): void;
  onEnd?(): void;
  readonly empty: ReactNode;
}

export function EventList({ events, ...rest }: EventListProps) {
  const { events: labels, pages } = useLabels();
  const { locale } = useLanguage();
  const columns: readonly Column<EventRecord>[] = [
    {
      id: 'last_time',
      header: labels.last,
      width: '11.5rem',
      isOrdered: true,
      cell: (event) => <Time at={event.last_time} />,
    },
    {
      id: 'priority',
      header: labels.priority,
      width: '6.5rem',
      isOrdered: true,
      cell: ({ priority }) => <PriorityBadge priority={priority} />,
    },
    {
      id: 'status',
      header: labels.status,
      width: '8.5rem',
      isOrdered: true,
      cell: ({ status }) => <EventStatus status={status} />,
    },
    {
      id: 'rule_name',
      header: labels.rule,
      width: 'minmax(9rem, 16rem)',
      isOrdered: true,
      cell: ({ rule_name }) => rule_name,
    },
    {
      id: 'message',
      header: labels.message,
      width: 'minmax(14rem, 1fr)',
      cell: ({ msg, ticket_guid }) => (
        <span className={styles.message}>
          {ticket_guid !== null && <Icon name="tickets" />}
          {msg}
        </span>
      ),
    },
    {
      id: 'count',
      header: labels.count,
      width: '5.5rem',
      isOrdered: true,
      align: 'end',
      cell: ({ count }) => numberText(count, locale),
    },
  ];
  // Beside an open event there is little room, and the event says both.
  const shown = rest.openKey === undefined ? columns : columns.filter(({ id }) => id !== 'rule_name' && id !== 'count');
  return <DataTable label={pages.events} rows={events} rowKey={({ guid }) => guid} columns={shown} {...rest} />;
}
