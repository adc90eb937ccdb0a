// The newest events of high priority.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { Panel } from '#console/components/page-frame.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { addressesIn, everywhereQuery, rangeAround } from '#console/pages/events/around-event.ts';
import { EventStatus } from '#console/pages/events/event-status.tsx';
import type { EventRecord } from '#console/pages/events/events-search.ts';
import { SearchLink } from '#console/pages/search-link.tsx';
import { Time } from '#console/time/time.tsx';
import styles from './home.module.css';
import { REFRESH_MS } from './refresh.ts';

const SHOWN = 8;

export function HighEvents() {
  const { home: labels } = useLabels();
  const answer = useAnswer(
    'GET /api/core/events',
    { priorities: ['HIGH'], limit: SHOWN, sort_column: 'last_time' },
    { every: REFRESH_MS },
  );
  return (
    <Panel
      title={labels.newestHigh}
      className={styles.wide}
      controls={
        <Link to="/events" search={{ priorities: ['HIGH'] }}>
          {labels.open}
        </Link>
      }
    >
      <Answered answer={answer}>
        {({ events }) =>
          events.length === 0 ? (
            <EmptyState icon="events" title={labels.noHigh} />
          ) : (
            <ul className={styles.events}>
              {events.map((event) => (
                <HighEvent key={event.guid} event={event} />
              ))}
            </ul>
          )
        }
      </Answered>
    </Panel>
  );
}

function HighEvent({ event }: { readonly event: EventRecord }) {
  const [suspect] = addressesIn(event);
  return (
    <li>
      <Time at={event.last_time} isRelative />
      <EventStatus status={event.status} />
      <Link to="/events" search={{ priorities: ['HIGH'], event: event.guid }}>
        {event.msg}
      </Link>
      {suspect && (
        <SearchLink query={everywhereQuery(suspect.value) ?? ''} range={rangeAround(event)}>
          <code>{suspect.value}</code>
        </SearchLink>
      )}
    </li>
  );
}
