// Events: a histogram by priority, filters, the list, the detail of one, and what can be done with many.

import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '#console/address/use-address.ts';
import { Button } from '#console/components/button.tsx';
import { TimeRangePicker } from '#console/components/forms/time-range-picker.tsx';
import { PageFrame, Panel } from '#console/components/page-frame.tsx';
import { RecordColumns } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { absoluteRange } from '#console/time/ranges.ts';
import { EventActions } from './event-actions.tsx';
import { EventDetail } from './event-detail.tsx';
import { EventFilters } from './event-filters.tsx';
import { EventHistogram } from './event-histogram.tsx';
import { EventList } from './event-list.tsx';
import styles from './events.module.css';
import { type EventRecord, type EventsSearch, rangeIn, searchOfSorting, sortingIn } from './events-search.ts';
import { useEvents } from './use-events.ts';

const route = getRouteApi('/events');

export function Events() {
  const { pages, events: labels, common } = useLabels();
  const { search, change: changeSearch } = useAddress<EventsSearch>(route);
  const open = (event: string | undefined) => changeSearch({ event });
  const { histogram, events, total, list, newCount, readMore, refresh } = useEvents(search);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const change = (changed: EventsSearch) => {
    setSelected(new Set());
    changeSearch(changed);
    refresh();
  };
  useEventKeys({ events, openKey: search.event, open, refresh });
  // Actions mean what is selected, else the event that is open.
  const targets = selected.size > 0 ? [...selected] : search.event === undefined ? [] : [search.event];
  return (
    <PageFrame
      title={pages.events}
      fills
      controls={
        <>
          <TimeRangePicker value={rangeIn(search)} onChange={change} />
          <Button icon="refresh" onClick={refresh}>
            {common.refresh}
          </Button>
        </>
      }
    >
      <EventFilters search={search} facts={histogram.data} onChange={change} />
      <Panel>
        <EventHistogram answer={histogram} onZoom={(zoomed) => change(absoluteRange(zoomed))} />
      </Panel>
      <EventActions targets={targets} events={events ?? []} total={total} onDone={() => change({})} />
      <Arrived count={newCount} onShow={refresh} />
      <RecordColumns
        list={
          <Answered answer={list} lines={8}>
            {() => (
              <EventList
                events={events ?? []}
                order={{ sorting: sortingIn(search), onSort: (sorting) => change(searchOfSorting(sorting)) }}
                selection={{ keys: selected, onChange: setSelected }}
                openKey={search.event}
                onOpen={({ guid }) => open(guid === search.event ? undefined : guid)}
                onEnd={readMore}
                empty={<EmptyState icon="events" title={labels.emptyTitle} text={labels.emptyText} />}
              />
            )}
          </Answered>
        }
        record={
          search.event !== undefined && (
            <EventDetail key={search.event} guid={search.event} onClose={() => open(undefined)} onRule={change} />
          )
        }
      />
    </PageFrame>
  );
}

function Arrived({ count, onShow }: { readonly count: number; onShow(): void }) {
  const { events: labels } = useLabels();
  if (count === 0) return undefined;
  return (
    <button type="button" className={styles.arrived} onClick={onShow}>
      {labels.arrived(count)}
    </button>
  );
}

interface EventKeys {
  readonly events: readonly EventRecord[] | undefined;
  readonly openKey: string | undefined;
  open(guid: string | undefined): void;
  refresh(): void;
}

function useEventKeys({ events, openKey, open, refresh }: EventKeys): void {
  const { events: labels, common } = useLabels();
  const step = (by: number) => {
    const index = events?.findIndex(({ guid }) => guid === openKey) ?? -1;
    const next = events?.[Math.max(0, index + by)];
    if (next) open(next.guid);
  };
  useShortcut('j', labels.next, () => step(1), 'page');
  useShortcut('k', labels.previous, () => step(-1), 'page');
  useShortcut('r', common.refresh, refresh, 'page');
  useShortcut('escape', common.close, () => open(undefined), 'page');
}
