// Tickets: the board, the list, and one ticket beside them.

import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '#console/address/use-address.ts';
import { Button } from '#console/components/button.tsx';
import { PageFrame } from '#console/components/page-frame.tsx';
import { RecordColumns } from '#console/components/record-panel.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { now } from '#console/time/moments.ts';
import { numberText } from '#console/time/numbers.ts';
import { Board } from './board.tsx';
import { TicketDetail } from './ticket-detail.tsx';
import { TicketDialog } from './ticket-dialog.tsx';
import { TicketFilters } from './ticket-filters.tsx';
import { TicketList } from './ticket-list.tsx';
import styles from './tickets.module.css';
import { filtersOf, type TicketsSearch, VIEWS } from './tickets-search.ts';
import { useNewTickets, useTicketList, useTicketRefresh } from './use-tickets.ts';

const route = getRouteApi('/tickets');

export function Tickets() {
  const { pages } = useLabels();
  const { search, change } = useAddress<TicketsSearch>(route);
  const [at, setAt] = useState(now);
  const [isCreating, setCreating] = useState(false);
  const readAgain = useTicketRefresh();
  useNewTickets();
  const open = (ticket: string | undefined) => change({ ticket, part: undefined });
  const refresh = () => {
    setAt(now());
    void readAgain();
  };
  useKeys({ create: () => setCreating(true), refresh, close: () => open(undefined) });
  return (
    <PageFrame
      title={pages.tickets}
      fills
      controls={
        <Controls
          view={search.view ?? 'board'}
          onView={(next) => change({ view: next === 'board' ? undefined : next })}
          onRefresh={refresh}
          onCreate={() => setCreating(true)}
        />
      }
    >
      <TicketFilters search={search} onChange={change} />
      <RecordColumns
        list={<Shown search={search} at={at} onOpen={open} />}
        record={
          search.ticket !== undefined && (
            <TicketDetail
              key={search.ticket}
              guid={search.ticket}
              part={search.part}
              onPart={(part) => change({ part })}
              onClose={() => open(undefined)}
            />
          )
        }
      />
      {isCreating && (
        <TicketDialog
          onClose={() => setCreating(false)}
          onDone={(guid) => {
            setCreating(false);
            void readAgain();
            open(guid);
          }}
        />
      )}
    </PageFrame>
  );
}

function useKeys({ create, refresh, close }: { create(): void; refresh(): void; close(): void }): void {
  const { tickets: labels, common } = useLabels();
  useShortcut('n', labels.keys.create, create, 'page');
  useShortcut('r', common.refresh, refresh, 'page');
  useShortcut('escape', common.close, close, 'page');
}

interface ControlsProps {
  readonly view: (typeof VIEWS)[number];
  onView(view: (typeof VIEWS)[number]): void;
  onRefresh(): void;
  onCreate(): void;
}

function Controls({ view, onView, onRefresh, onCreate }: ControlsProps) {
  const { tickets: labels, common } = useLabels();
  return (
    <>
      <fieldset className={styles.views}>
        <legend className="visually-hidden">{labels.view}</legend>
        {VIEWS.map((value) => (
          <Button
            key={value}
            icon={value === 'board' ? 'columns' : 'list'}
            aria-pressed={value === view}
            onClick={() => onView(value)}
          >
            {labels.views[value]}
          </Button>
        ))}
      </fieldset>
      <Button icon="refresh" onClick={onRefresh}>
        {common.refresh}
      </Button>
      <Button kind="primary" icon="plus" onClick={onCreate}>
        {labels.create}
      </Button>
    </>
  );
}

interface ListProps {
  readonly search: TicketsSearch;
  readonly at: number;
  onOpen(guid: string | undefined): void;
}

const Shown = (props: ListProps) => (props.search.view === 'list' ? <List {...props} /> : <Board {...props} />);

const PAGE_ROWS = 200;

function List({ search, at, onOpen }: ListProps) {
  const { tickets: labels } = useLabels();
  const { locale } = useLanguage();
  const list = useTicketList(filtersOf(search, at), PAGE_ROWS);
  const step = (by: number) => {
    const index = list.tickets?.findIndex(({ guid }) => guid === search.ticket) ?? -1;
    const next = list.tickets?.[Math.max(0, index + by)];
    if (next) onOpen(next.guid);
  };
  useShortcut('j', labels.keys.next, () => step(1), 'page');
  useShortcut('k', labels.keys.previous, () => step(-1), 'page');
  return (
    <div className={styles.list}>
      <p className={styles.note} aria-live="polite">
        {labels.total(numberText(list.total, locale))}
      </p>
      <TicketList list={list} search={search} onOpen={onOpen} />
    </div>
  );
}
