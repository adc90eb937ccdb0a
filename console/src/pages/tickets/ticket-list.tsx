// Tickets as a list.

import { Aged } from '#console/components/aged.tsx';
import { type Column, DataTable, TIME_WIDTH } from '#console/components/data-table.tsx';
import { EmptyState, Failed, Loading } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import { AssigneeNames, TicketMarks, TicketStatusBadge } from './ticket-badges.tsx';
import styles from './tickets.module.css';
import type { Ticket, TicketsSearch } from './tickets-search.ts';
import type { useTicketList } from './use-tickets.ts';

interface TicketListProps {
  readonly list: ReturnType<typeof useTicketList>;
  readonly search: TicketsSearch;
  onOpen(guid: string | undefined): void;
}

export function TicketList({ list: { tickets, answer, error, readMore, refetch }, search, onOpen }: TicketListProps) {
  const { tickets: labels, pages, common } = useLabels();
  const { locale } = useLanguage();
  if (!tickets) return error ? <Failed error={error} onRetry={refetch} /> : <Loading lines={8} />;
  const columns: readonly Column<Ticket>[] = [
    { id: 'id', header: '#', width: '4rem', cell: ({ id }) => numberText(id, locale) },
    { id: 'title', header: labels.title, width: 'minmax(14rem, 1fr)', cell: ({ title }) => title },
    {
      id: 'status',
      header: common.status,
      width: '8rem',
      cell: ({ status }) => <TicketStatusBadge status={status} />,
    },
    {
      id: 'marks',
      header: labels.priority,
      width: 'minmax(7rem, 12rem)',
      cell: (ticket) => (
        <span className={styles.badges}>
          <TicketMarks ticket={ticket} />
        </span>
      ),
    },
    {
      id: 'assignees',
      header: labels.assignees,
      width: 'minmax(7rem, 11rem)',
      cell: (ticket) => <AssigneeNames ticket={ticket} />,
    },
    {
      id: 'count',
      header: labels.count,
      width: '5rem',
      align: 'end',
      cell: ({ count }) => numberText(count, locale),
    },
    { id: 'created', header: labels.created, width: TIME_WIDTH, cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  return (
    <Aged answers={[answer]}>
      <DataTable
        label={pages.tickets}
        rows={tickets}
        rowKey={({ guid }) => guid}
        columns={columns}
        openKey={search.ticket}
        onOpen={({ guid }) => onOpen(guid === search.ticket ? undefined : guid)}
        onEnd={readMore}
        empty={<EmptyState icon="tickets" title={labels.emptyTitle} text={labels.emptyText} />}
      />
    </Aged>
  );
}
