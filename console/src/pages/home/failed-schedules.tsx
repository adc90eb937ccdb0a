// Scheduled queries whose last run failed.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { Panel } from '#console/components/page-frame.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import styles from './home.module.css';
import { REFRESH_MS } from './refresh.ts';

export function FailedSchedules() {
  const { home: labels } = useLabels();
  const { locale } = useLanguage();
  const answer = useAnswer('GET /api/core/scheduled-queries', {}, { every: REFRESH_MS });
  return (
    <Panel title={labels.schedules} controls={<Link to="/schedules">{labels.open}</Link>}>
      <Answered answer={answer}>
        {({ scheduled_queries, total_count }) => {
          const failed = scheduled_queries.filter(({ enabled, result_state }) => enabled && result_state === 'failed');
          if (total_count === 0) return <EmptyState icon="schedules" title={labels.noSchedules} />;
          if (failed.length === 0) {
            return (
              <p>
                <StatusBadge tone="good">{labels.checks.ok}</StatusBadge>{' '}
                {labels.schedulesFine(numberText(total_count, locale))}
              </p>
            );
          }
          return (
            <ul className={styles.facts}>
              {failed.map(({ guid, name, last_failure_time, last_failure_reason }) => (
                <li key={guid}>
                  <StatusBadge tone="high">{labels.failedAt}</StatusBadge>
                  <Link className={styles.name} to="/schedules" search={{ schedule: guid }}>
                    {name}
                  </Link>
                  {last_failure_time !== null && <Time at={last_failure_time} isRelative />}
                  {last_failure_reason !== null && <span className={styles.note}>{last_failure_reason}</span>}
                </li>
              ))}
            </ul>
          );
        }}
      </Answered>
    </Panel>
  );
}
