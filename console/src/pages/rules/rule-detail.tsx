// One rule: what it is, a test or a trial, its versions, its hits and its runs.

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { PriorityBadge } from '#console/components/badge.tsx';
import { Callout } from '#console/components/callout.tsx';
import { TimeRangePicker } from '#console/components/forms/time-range-picker.tsx';
import { Fact, Facts, RecordPanel } from '#console/components/record-panel.tsx';
import { SlotLedger } from '#console/components/slot-ledger/slot-ledger.tsx';
import { EmptyState, Failed, Loading } from '#console/components/states.tsx';
import { type Tab, Tabs } from '#console/components/tabs.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { EventHistogram } from '#console/pages/events/event-histogram.tsx';
import { filtersOf } from '#console/pages/events/events-search.ts';
import { now, toStamp } from '#console/time/moments.ts';
import { absoluteRange, LAST_DAY, rangeOf, resolveRange } from '#console/time/ranges.ts';
import { Time } from '#console/time/time.tsx';
import { RuleActions } from './rule-actions.tsx';
import { RuleState } from './rule-list.tsx';
import { fieldText, ruleFields } from './rule-values.ts';
import styles from './rules.module.css';
import { type ChangeProps, CLOSED, type Rule, type RuleKind, type RuleTab } from './rules-search.ts';
import { StreamTest } from './test/stream-test.tsx';
import { BatchTrial } from './trial/batch-trial.tsx';
import { useMayChange, useRule } from './use-rules.ts';
import { Versions } from './versions/versions.tsx';

interface RuleDetailProps extends ChangeProps {
  readonly kind: RuleKind;
  readonly guid: string;
}

export function RuleDetail({ kind, guid, search, onChange }: RuleDetailProps) {
  const { rules: labels } = useLabels();
  const mayChange = useMayChange();
  const { rule, isGone, error, refetch } = useRule(kind, guid);
  const close = () => onChange(CLOSED);
  return (
    <RecordPanel
      title={labels.detail}
      {...(rule ? { headline: rule.name } : {})}
      actions={
        rule && mayChange && <RuleActions targets={[rule]} onEdit={() => onChange({ edit: true })} onRemoved={close} />
      }
      onClose={close}
    >
      {rule && <Content rule={rule} search={search} onChange={onChange} />}
      {isGone && (
        <>
          <EmptyState icon="rules" title={labels.gone} text={labels.goneText} />
          <Versions kind={kind} guid={guid} rule={undefined} search={search} onChange={onChange} />
        </>
      )}
      {!rule && !isGone && (error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />)}
    </RecordPanel>
  );
}

interface ContentProps extends ChangeProps {
  readonly rule: Rule;
}

function Content(props: ContentProps) {
  const { rule, search, onChange } = props;
  const { rules: labels } = useLabels();
  const { kind, guid, query_error } = rule;
  const tabs: readonly Tab<RuleTab>[] = [
    { value: 'overview', label: labels.tabs.overview, content: <Overview rule={rule} /> },
    {
      value: 'test',
      label: labels.tabs[kind === 'stream' ? 'test' : 'trial'],
      content: rule.kind === 'stream' ? <StreamTest subject={rule} /> : <BatchTrial subject={rule} />,
    },
    {
      value: 'versions',
      label: labels.tabs.versions,
      content: <Versions kind={kind} guid={guid} rule={rule} search={search} onChange={onChange} />,
    },
    { value: 'hits', label: labels.tabs.hits, content: <Hits {...props} /> },
    ...(kind === 'batch' ? [{ value: 'runs' as const, label: labels.tabs.runs, content: <Runs {...props} /> }] : []),
  ];
  return (
    <>
      <p className={styles.badges}>
        <RuleState rule={rule} />
        <PriorityBadge priority={rule.priority} />
        <span className={styles.note}>{labels.kinds[kind]}</span>
        {rule.description !== undefined && <span>{rule.description}</span>}
      </p>
      {query_error !== null && (
        <Callout>
          <strong>{labels.broken}</strong> {query_error}
        </Callout>
      )}
      {kind === 'batch' && <Gaps guid={guid} />}
      <Tabs
        label={labels.tabsLabel}
        value={tabs.find(({ value }) => value === search.tab)?.value ?? 'overview'}
        tabs={tabs}
        onChange={(tab) => onChange({ tab })}
      />
    </>
  );
}

const MAX_GAPS = 5;

/** Time that the rule has not analysed and will not, unless it is backfilled. */
function Gaps({ guid }: { readonly guid: string }) {
  const { rules: labels } = useLabels();
  const { data } = useAnswer('GET /api/core/batch-rules/:guid/gaps', { guid }, { every: RUNS_EVERY_MS });
  const gaps = data?.gaps ?? [];
  if (gaps.length === 0) return undefined;
  return (
    <Callout>
      <strong>{labels.gaps}</strong>
      <ul>
        {gaps.slice(0, MAX_GAPS).map(({ from, to, reason }) => (
          <li key={`${from} ${to} ${reason}`}>
            <Time at={from} /> – <Time at={to} />: {reason}
          </li>
        ))}
      </ul>
      {gaps.length > MAX_GAPS && labels.furtherGaps(gaps.length - MAX_GAPS)}
    </Callout>
  );
}

function Overview({ rule }: { readonly rule: Rule }) {
  const labels = useLabels();
  const { rules } = labels;
  const shown = ruleFields(labels)
    .filter((field) => !['name', 'description', 'priority'].includes(field))
    .map((field) => ({ field, text: fieldText(field, rule, labels) }))
    .filter(({ text }) => text !== '');
  return (
    <Facts>
      {shown.map(({ field, text }) => (
        <Fact key={field} name={rules.fields[field]}>
          {field === 'query' || field === 'commands' || field === 'schedule' ? <code>{text}</code> : text}
        </Fact>
      ))}
      {rule.last_failure_time !== null && (
        <Fact name={rules.lastFailure}>
          <Time at={rule.last_failure_time} /> {rule.last_failure_reason}
        </Fact>
      )}
      {rule.kind === 'batch' && rule.next_run_time !== null && (
        <Fact name={labels.schedules.nextRun}>
          <Time at={rule.next_run_time} />
        </Fact>
      )}
      <Fact name={rules.changed}>
        <Time at={rule.updated} /> {rules.changedBy(rule.user_name)}
      </Fact>
    </Facts>
  );
}

function Hits({ rule: { guid }, search, onChange }: ContentProps) {
  const { rules: labels } = useLabels();
  const [at, setAt] = useState(now);
  const range = rangeOf(search.from, search.to, LAST_DAY);
  const filters = filtersOf({ rule: guid }, resolveRange(range, at));
  const answer = useAnswer('GET /api/core/events/histogram', filters, { keepsPrevious: true });
  return (
    <div className={styles.stack}>
      <div className={styles.toolbar}>
        <TimeRangePicker
          value={range}
          onChange={(next) => {
            setAt(now());
            onChange(next);
          }}
        />
        <Link to="/events" search={{ ...range, rule: guid }}>
          {labels.allHits}
        </Link>
      </div>
      <EventHistogram answer={answer} height={150} onZoom={(zoomed) => onChange(absoluteRange(zoomed))} />
    </div>
  );
}

const DAY_MS = 86_400_000;
const RUNS_EVERY_MS = 5000;
const MAX_SLOTS = 10_080;

function Runs({ rule: { guid }, search, onChange }: ContentProps) {
  const days = search.days ?? 7;
  const [at] = useState(now);
  const from = toStamp(Math.floor(at / DAY_MS) * DAY_MS - days * DAY_MS);
  const answer = useAnswer(
    'GET /api/core/batch-rules/:guid/slots',
    { guid, from, limit: MAX_SLOTS },
    { every: RUNS_EVERY_MS, keepsPrevious: true },
  );
  const mayChange = useMayChange();
  const cancel = () => call('POST /api/core/batch-rules/:guid/backfill/cancel', { guid });
  return (
    <SlotLedger
      answer={answer}
      days={days}
      hour={search.hour}
      onChange={onChange}
      onCancelBackfill={mayChange ? cancel : undefined}
    />
  );
}
