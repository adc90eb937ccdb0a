// Scheduled queries that do not run as planned, with the reason; the others as a count.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import { createLimiter } from '#console/client/limiter.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { Panel } from '#console/components/page-frame.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import type { Tone } from '#console/components/tone.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import type { Schedule } from '#console/pages/schedules/schedules-search.ts';
import { MAX_LISTED } from '#console/pages/schedules/use-schedules.ts';
import { now, toStamp } from '#console/time/moments.ts';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import styles from './home.module.css';
import { REFRESH_MS } from './refresh.ts';
import { type AffectedSchedule, healthOf, type Issue, leftOutOf, type ScheduleHealth } from './schedule-health.ts';

const TONES: Readonly<Record<Issue, Tone>> = {
  broken: 'high',
  failed: 'high',
  'left-out': 'medium',
  'never-due': 'medium',
};

export function Schedules() {
  const { home: labels } = useLabels();
  const answer = useAnswer('GET /api/core/scheduled-queries', { limit: MAX_LISTED }, { every: REFRESH_MS });
  const schedules = answer.data?.scheduled_queries ?? [];
  const enabled = schedules.filter((one) => one.enabled);
  const leftOut = useLeftOut(enabled);
  return (
    <Panel title={labels.schedules} controls={<Link to="/schedules">{labels.open}</Link>}>
      <Answered answer={answer}>
        {({ total_count }) =>
          total_count === 0 ? (
            <EmptyState icon="schedules" title={labels.noSchedules} />
          ) : (
            <Answered answer={leftOut}>
              {(slots) => (
                <Health
                  health={healthOf(schedules, slots)}
                  unchecked={Math.max(0, enabled.length - MAX_CHECKED) + total_count - schedules.length}
                />
              )}
            </Answered>
          )
        }
      </Answered>
    </Panel>
  );
}

/** A schedule has a request of its own for its slots. */
const MAX_CHECKED = 100;
const MAX_CONCURRENT = 2;
const SLOTS_EVERY_MS = 300_000;
const DAY_MS = 86_400_000;
const MAX_SLOTS = 100;

/** Slots of the last day that did not run, by the GUID of the schedule. */
function useLeftOut(schedules: readonly Schedule[]) {
  const guids = schedules.slice(0, MAX_CHECKED).map(({ guid }) => guid);
  return useQuery({
    queryKey: ['slots left out', guids],
    queryFn: async ({ signal, client, queryKey }) => {
      const isRefresh = client.getQueryData(queryKey) !== undefined;
      const limited = createLimiter(MAX_CONCURRENT);
      const wanted = { from: toStamp(now() - DAY_MS), outcome: ['missed', 'skipped'] as const, limit: MAX_SLOTS };
      const counts = guids.map((guid) =>
        limited(async () => {
          const request = { guid, ...wanted };
          const options = { signal, isRefresh };
          const answer = await callWith(options, 'GET /api/core/scheduled-queries/:guid/slots', request);
          return [guid, leftOutOf(answer.total_count, answer.slots)] as const;
        }),
      );
      return new Map(await Promise.all(counts));
    },
    refetchInterval: SLOTS_EVERY_MS,
  });
}

function Health({ health, unchecked }: { readonly health: ScheduleHealth; readonly unchecked: number }) {
  const { home: labels } = useLabels();
  const { locale } = useLanguage();
  const { affected, planned, disabled } = health;
  return (
    <>
      {affected.length > 0 && (
        <ul className={styles.facts}>
          {affected.map((one) => (
            <AffectedLine key={one.schedule.guid} {...one} />
          ))}
        </ul>
      )}
      {planned > 0 && (
        <p>
          <StatusBadge tone="good">{labels.checks.ok}</StatusBadge>{' '}
          {labels.schedulesPlanned(planned, numberText(planned, locale))}
        </p>
      )}
      {disabled > 0 && <p className={styles.note}>{labels.schedulesDisabled(numberText(disabled, locale))}</p>}
      {unchecked > 0 && <p className={styles.note}>{labels.schedulesUnchecked(numberText(unchecked, locale))}</p>}
    </>
  );
}

function AffectedLine({ schedule, issue, leftOut }: AffectedSchedule) {
  const { home: labels, schedules } = useLabels();
  const { locale } = useLanguage();
  const { guid, name, enabled, query_error, last_failure_time, last_failure_reason } = schedule;
  return (
    <li>
      <StatusBadge tone={TONES[issue]}>{labels.issues[issue]}</StatusBadge>
      <Link className={styles.name} to="/schedules" search={{ schedule: guid }}>
        {name}
      </Link>
      {!enabled && <span className={styles.note}>{schedules.states.disabled}</span>}
      {issue === 'broken' && <span className={styles.note}>{query_error}</span>}
      {issue === 'failed' && last_failure_time !== null && <Time at={last_failure_time} isRelative />}
      {issue === 'failed' && <span className={styles.note}>{last_failure_reason}</span>}
      {leftOut > 0 && <span className={styles.note}>{labels.slotsLeftOut(leftOut, numberText(leftOut, locale))}</span>}
    </li>
  );
}
