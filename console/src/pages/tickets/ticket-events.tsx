// The events that a ticket joins, newest first.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { PriorityBadge } from '#console/components/badge.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { EventStatus } from '#console/pages/events/event-status.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import styles from './tickets.module.css';
import type { Ticket } from './tickets-search.ts';

const SHOWN = 50;

export function TicketEvents({ ticket: { guid } }: { readonly ticket: Ticket }) {
  const { tickets: labels } = useLabels();
  const { locale } = useLanguage();
  const answer = useAnswer('GET /api/core/events', { ticket_guid: guid, limit: SHOWN, sort_column: 'last_time' });
  return (
    <Answered answer={answer} lines={3}>
      {({ events, total_count }) =>
        total_count === 0 ? (
          <p className={styles.note}>{labels.noEvents}</p>
        ) : (
          <ul className={styles.events} aria-label={labels.parts.events}>
            {events.map((event) => (
              <li key={event.guid}>
                <Link to="/events" search={{ event: event.guid }}>
                  {event.msg}
                </Link>
                <span className={styles.badges}>
                  <PriorityBadge priority={event.priority} />
                  <EventStatus status={event.status} />
                  <Time at={event.last_time} />
                </span>
              </li>
            ))}
            {total_count > SHOWN && (
              <li className={styles.note}>{labels.moreEvents(numberText(total_count - SHOWN, locale))}</li>
            )}
          </ul>
        )
      }
    </Answered>
  );
}
