// Home: the last day at a glance. Each panel leads to its page.

import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import { PageFrame, Panel } from '#console/components/page-frame.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { EventHistogram } from '#console/pages/events/event-histogram.tsx';
import { filtersOf } from '#console/pages/events/events-search.ts';
import { now } from '#console/time/moments.ts';
import { absoluteRange, LAST_DAY, resolveRange } from '#console/time/ranges.ts';
import { isAtLeast } from '#contract/values.ts';
import { AuditTrail } from './audit-trail.tsx';
import { Health } from './health.tsx';
import { HighEvents } from './high-events.tsx';
import styles from './home.module.css';
import { REFRESH_MS } from './refresh.ts';
import { Schedules } from './schedules.tsx';
import { Sources } from './sources.tsx';
import { TableGrowth } from './table-growth.tsx';

export function Home() {
  const { pages, home: labels } = useLabels();
  const { role_name } = useAccount();
  return (
    <PageFrame title={pages.home} controls={<span className={styles.note}>{labels.lastDay}</span>}>
      <div className={styles.grid}>
        <EventsOfTheDay />
        <HighEvents />
        <Sources />
        <TableGrowth />
        {isAtLeast(role_name, 'ADMIN') && <Schedules />}
        <Health />
        {isAtLeast(role_name, 'MASTER') && <AuditTrail />}
      </div>
    </PageFrame>
  );
}

/** Bars wide enough to be seen at once. */
const HALF_HOUR_SECONDS = 1800;

function EventsOfTheDay() {
  const { home: labels, events } = useLabels();
  // To the minute, so that a repetition asks for the same until the next one.
  const [at] = useState(() => Math.ceil(now() / 60_000) * 60_000);
  const interval = resolveRange(LAST_DAY, at);
  const answer = useAnswer(
    'GET /api/core/events/histogram',
    { ...filtersOf({}, interval), interval: HALF_HOUR_SECONDS },
    { every: REFRESH_MS },
  );
  const navigate = useNavigate();
  return (
    <Panel title={labels.events} className={styles.wide} controls={<Link to="/events">{labels.allEvents}</Link>}>
      <Answered answer={answer}>
        {({ total_count }) =>
          total_count === 0 ? (
            <EmptyState icon="events" title={events.emptyTitle} text={labels.noEventsText} />
          ) : (
            <EventHistogram
              answer={answer}
              height={140}
              onZoom={(zoomed) => void navigate({ to: '/events', search: absoluteRange(zoomed) })}
            />
          )
        }
      </Answered>
    </Panel>
  );
}
