// One schedule: its state, its slots, the workflow that it belongs to, its query.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { Callout } from '#console/components/callout.tsx';
import { Fact, Facts, RecordPanel } from '#console/components/record-panel.tsx';
import { SlotLedger } from '#console/components/slot-ledger/slot-ledger.tsx';
import { EmptyState, Failed, Loading } from '#console/components/states.tsx';
import { Tabs } from '#console/components/tabs.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { SearchLink } from '#console/pages/search-link.tsx';
import { now, toStamp } from '#console/time/moments.ts';
import { durationText } from '#console/time/numbers.ts';
import { LAST_DAY } from '#console/time/ranges.ts';
import { Time } from '#console/time/time.tsx';
import { ScheduleActions } from './schedule-actions.tsx';
import { ScheduleStateBadge, Trigger } from './schedule-list.tsx';
import styles from './schedules.module.css';
import type { Schedule, SchedulesSearch } from './schedules-search.ts';
import { DETAIL_EVERY_MS, useSchedule } from './use-schedules.ts';
import { WorkflowGraph } from './workflow-graph.tsx';

interface ScheduleDetailProps {
  readonly guid: string;
  readonly search: SchedulesSearch;
  readonly schedules: readonly Schedule[];
  onChange(change: SchedulesSearch): void;
  onEdit(schedule: Schedule): void;
  onClose(): void;
}

export function ScheduleDetail({ guid, search, schedules, onChange, onEdit, onClose }: ScheduleDetailProps) {
  const { schedules: labels } = useLabels();
  const answer = useSchedule(guid);
  const schedule = answer.data?.scheduled_query;
  return (
    <RecordPanel
      title={labels.detail}
      {...(schedule ? { headline: schedule.name } : {})}
      actions={
        schedule && (
          <ScheduleActions
            targets={[schedule]}
            schedules={schedules}
            onEdit={() => onEdit(schedule)}
            onRemoved={onClose}
          />
        )
      }
      onClose={onClose}
    >
      {schedule && (
        <>
          <Summary schedule={schedule} />
          <Tabs
            label={labels.tabsLabel}
            value={search.tab ?? 'slots'}
            tabs={[
              {
                value: 'slots',
                label: labels.tabs.slots,
                content: <Slots guid={guid} search={search} onChange={onChange} />,
              },
              {
                value: 'workflow',
                label: labels.tabs.workflow,
                content: (
                  <WorkflowGraph guid={guid} schedules={schedules} onOpen={(next) => onChange({ schedule: next })} />
                ),
              },
              { value: 'query', label: labels.tabs.query, content: <Query schedule={schedule} /> },
            ]}
            onChange={(tab) => onChange({ tab })}
          />
        </>
      )}
      {answer.data && !schedule && <EmptyState icon="schedules" title={labels.gone} />}
      {!answer.data &&
        (answer.error ? <Failed error={answer.error} onRetry={() => void answer.refetch()} /> : <Loading />)}
    </RecordPanel>
  );
}

function Summary({ schedule }: { readonly schedule: Schedule }) {
  const { schedules: labels } = useLabels();
  const { description, query_error, next_run_time, last_run_time, elapsed_time } = schedule;
  return (
    <>
      <p className={styles.badges}>
        <ScheduleStateBadge schedule={schedule} />
        {description !== null && <span>{description}</span>}
      </p>
      {query_error !== null && (
        <Callout>
          <strong>{labels.cannotRun}</strong> {query_error}
        </Callout>
      )}
      <Facts>
        <Fact name={labels.trigger}>
          <Trigger schedule={schedule} />
        </Fact>
        <Fact name={labels.nextRun}>
          {next_run_time === null ? nextText(schedule, labels) : <Time at={next_run_time} />}
        </Fact>
        <Fact name={labels.lastRun}>
          {last_run_time === null ? labels.never : <Time at={last_run_time} />}
          {elapsed_time !== null && ` · ${durationText(elapsed_time)}`}
        </Fact>
        {schedule.last_failure_time !== null && (
          <Fact name={labels.lastFailure}>
            <Time at={schedule.last_failure_time} /> {schedule.last_failure_reason}
          </Fact>
        )}
      </Facts>
    </>
  );
}

const nextText = ({ enabled, trigger_type }: Schedule, labels: ReturnType<typeof useLabels>['schedules']): string => {
  if (!enabled) return labels.states.disabled;
  return trigger_type === 'workflow' ? labels.whenFollowed : labels.noNextRun;
};

const DAY_MS = 86_400_000;
/** Every minute of a week. */
const MAX_SLOTS = 10_080;

function Slots({ guid, search, onChange }: Pick<ScheduleDetailProps, 'guid' | 'search' | 'onChange'>) {
  const days = search.days ?? 7;
  // To the day, so that a repetition asks for the same.
  const [at] = useState(now);
  const from = toStamp(Math.floor(at / DAY_MS) * DAY_MS - days * DAY_MS);
  const answer = useAnswer(
    'GET /api/core/scheduled-queries/:guid/slots',
    { guid, from, limit: MAX_SLOTS },
    { every: DETAIL_EVERY_MS, keepsPrevious: true },
  );
  return (
    <SlotLedger
      answer={answer}
      days={days}
      hour={search.hour}
      onChange={onChange}
      onCancelBackfill={() => call('POST /api/core/scheduled-queries/:guid/backfill/cancel', { guid })}
    />
  );
}

function Query({ schedule }: { readonly schedule: Schedule }) {
  const { schedules: labels } = useLabels();
  const { query, owner, updated, node_types, output_parameter } = schedule;
  return (
    <div className={styles.query}>
      <pre>{query}</pre>
      <p>
        <SearchLink query={query} range={LAST_DAY}>
          {labels.inSearch}
        </SearchLink>
      </p>
      <Facts>
        {output_parameter && <Fact name={labels.outputParameter}>{labels.outputParameterHint}</Fact>}
        {node_types !== null && (
          <Fact name={labels.nodes}>{node_types.map((type) => labels.nodeTypes[type]).join(', ')}</Fact>
        )}
        <Fact name={labels.owner}>{owner}</Fact>
        <Fact name={labels.changed}>
          <Time at={updated} />
        </Fact>
      </Facts>
    </div>
  );
}
