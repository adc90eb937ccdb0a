// The line above the rows: how many there are, how long it took, the counts of each command while it runs, and its warnings.

import { useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { Popover } from '#console/components/overlays/popover.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { FindingText } from '#console/results/outcome.tsx';
import type { QueryRun, Status } from '#console/results/query-run.ts';
import { now } from '#console/time/moments.ts';
import { durationText, numberText } from '#console/time/numbers.ts';
import { useEvery } from '#console/time/use-every.ts';
import styles from './run.module.css';

export function RunBar({ run, rows }: { readonly run: QueryRun; readonly rows: number }) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  const state = run.state.use();
  const status = 'status' in state ? state.status : undefined;
  const isRunning = state.phase === 'starting' || state.phase === 'running';
  return (
    <div className={styles.bar}>
      {isRunning && <span className={styles.spinner} aria-hidden="true" />}
      <span role="status">
        <strong>{labels.rowCount(numberText(rows, locale))}</strong>{' '}
        {isRunning && <span className={styles.muted}>{isWaiting(status) ? labels.waiting : labels.running}</span>}
        {state.phase === 'cancelled' && <span className={styles.muted}>{labels.cancelled}</span>}
      </span>
      <Elapsed key={String(isRunning)} status={status} isRunning={isRunning} />
      {isRunning && status && <Commands status={status} />}
      {status?.notices && <Warnings text={run.request.text} status={status} />}
    </div>
  );
}

const isWaiting = (status: Status | undefined): boolean =>
  status?.commands.every((command) => command.status === 'Waiting') ?? false;

const TICK_MS = 100;

/** Counts on by itself between two answers. */
function Elapsed({ status, isRunning }: { readonly status: Status | undefined; readonly isRunning: boolean }) {
  const { search: labels } = useLabels();
  const [begun] = useState(now);
  const [, tick] = useState(0);
  useEvery(TICK_MS, () => tick((count) => count + 1), isRunning);
  const elapsed = isRunning ? now() - begun : status?.elapsed;
  return elapsed !== undefined && <span className={styles.muted}>{labels.elapsed(durationText(elapsed))}</span>;
}

function Commands({ status }: { readonly status: Status }) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  return (
    <ol className={styles.commands} aria-label={labels.progress}>
      {status.commands.map(({ command, status: state, push_count }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Commands keep their places.
        <li key={index} className={styles.command} data-status={state} title={command}>
          <span>{command}</span>
          <b>{numberText(push_count, locale)}</b>
        </li>
      ))}
    </ol>
  );
}

function Warnings({ text, status }: { readonly text: string; readonly status: Status }) {
  const { search: labels } = useLabels();
  const notices = status.notices ?? [];
  const title = labels.warnings(notices.length);
  return (
    <Popover
      label={title}
      trigger={
        <Button size="small" kind="quiet" icon="alert">
          {title}
        </Button>
      }
    >
      <div className={styles.warnings}>
        {notices.map((finding) => (
          <FindingText
            key={`${finding.code} ${finding.begin}`}
            text={text}
            finding={finding}
            hints={status.hints ?? []}
          />
        ))}
      </div>
    </Popover>
  );
}
