// One event: what matched, the rule and its version, and links to what else happened around it.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { PriorityBadge } from '#console/components/badge.tsx';
import { Button } from '#console/components/button.tsx';
import { Fact, Facts, RecordPanel } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { SearchLink } from '#console/pages/search-link.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import { addressesIn, everywhereQuery, fieldsOf, rangeAround } from './around-event.ts';
import { EventStatus } from './event-status.tsx';
import styles from './events.module.css';
import type { EventRecord } from './events-search.ts';
import { RuleVersion } from './rule-version.tsx';

interface EventDetailProps {
  readonly guid: string;
  onClose(): void;
  onRule(filter: { readonly rule: string }): void;
}

export function EventDetail({ guid, onClose, onRule }: EventDetailProps) {
  const { events: labels } = useLabels();
  const answer = useAnswer('GET /api/core/events/:guid', { guid });
  return (
    <RecordPanel title={labels.detail} onClose={onClose}>
      <Answered answer={answer}>
        {({ event }) =>
          event ? <Content event={event} onRule={onRule} /> : <EmptyState icon="events" title={labels.gone} />
        }
      </Answered>
    </RecordPanel>
  );
}

function Content({ event, onRule }: { readonly event: EventRecord } & Pick<EventDetailProps, 'onRule'>) {
  const { events: labels, rules } = useLabels();
  const { locale } = useLanguage();
  return (
    <div className={styles.content}>
      <p className={styles.headline}>{event.msg}</p>
      <p className={styles.badges}>
        <PriorityBadge priority={event.priority} />
        <EventStatus status={event.status} />
        {event.status_user !== null && event.status_time !== null && (
          <span className={styles.note}>
            {event.status_user}, <Time at={event.status_time} isRelative />
          </span>
        )}
      </p>
      {event.status_reason !== null && <blockquote className={styles.reason}>{event.status_reason}</blockquote>}
      <Suspects event={event} />
      <Facts>
        <Fact name={labels.first}>
          <Time at={event.first_time} />
        </Fact>
        <Fact name={labels.last}>
          <Time at={event.last_time} />
        </Fact>
        <Fact name={labels.count}>{numberText(event.count, locale)}</Fact>
        {event.category_name !== null && <Fact name={labels.category}>{event.category_name}</Fact>}
        <Fact name={labels.rule}>
          <Button kind="quiet" size="small" icon="filter" onClick={() => onRule({ rule: event.rule_guid })}>
            {event.rule_name}
          </Button>
        </Fact>
        {event.ticket_guid !== null && (
          <Fact name={labels.ticket}>
            <Link to="/tickets" search={{ ticket: event.ticket_guid }}>
              {labels.openTicket}
            </Link>
          </Fact>
        )}
      </Facts>
      <h3>{labels.version}</h3>
      <p>
        <Link to="/rules" search={{ rule: event.rule_guid, of: event.rule_type, tab: 'versions' }}>
          {rules.openRule}
        </Link>
      </p>
      <RuleVersion event={event} />
      <h3>{labels.fields}</h3>
      <Fields event={event} />
    </div>
  );
}

/** The addresses of the event, each with what it did in every table. */
function Suspects({ event }: { readonly event: EventRecord }) {
  const { events: labels } = useLabels();
  const range = rangeAround(event);
  return addressesIn(event).map(({ field, value }) => (
    <p key={field} className={styles.suspect}>
      <span>{field}</span>
      <code>{value}</code>
      <SearchLink query={everywhereQuery(value) ?? ''} range={range}>
        {labels.everywhere}
      </SearchLink>
    </p>
  ));
}

function Fields({ event }: { readonly event: EventRecord }) {
  const { events: labels } = useLabels();
  const range = rangeAround(event);
  const fields = fieldsOf(event);
  if (fields.length === 0) return <p className={styles.note}>{labels.noFields}</p>;
  return (
    <Facts>
      {fields.map(([name, value]) => {
        // Our own fields are the place of the record, not a trace to follow.
        const query = name.startsWith('_') ? undefined : everywhereQuery(value);
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        return (
          <Fact key={name} name={name}>
            {query === undefined ? (
              <code>{text}</code>
            ) : (
              <SearchLink query={query} range={range} title={labels.everywhere}>
                <code>{text}</code>
              </SearchLink>
            )}
          </Fact>
        );
      })}
    </Facts>
  );
}
