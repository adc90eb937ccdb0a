// A trial of a batch rule: its query over its window by a cursor, so that nothing is raised.

import { useEffect, useRef, useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { ServiceError } from '#console/client/service-error.ts';
import { Button } from '#console/components/button.tsx';
import { Callout } from '#console/components/callout.tsx';
import { type Column, DataTable, TIME_WIDTH } from '#console/components/data-table.tsx';
import { Failed } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { messageText } from '#console/pages/rules/rule-values.ts';
import styles from '#console/pages/rules/rules.module.css';
import { fieldsOf } from '#console/results/columns.ts';
import { Refused } from '#console/results/outcome.tsx';
import { type Row, valueText } from '#console/results/row.ts';
import { runToEnd } from '#console/results/run-to-end.ts';
import { now, textOf } from '#console/time/moments.ts';
import { numberText } from '#console/time/numbers.ts';
import { Time, useZone } from '#console/time/time.tsx';
import { eventsOf, type TrialSubject, trialText, windowAt } from './trial.ts';

type State =
  | { readonly phase: 'idle' | 'running' }
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'ended'; readonly rows: readonly Row[] };

export function BatchTrial({ subject }: { readonly subject: TrialSubject }) {
  const { rules: labels, common } = useLabels();
  const zone = useZone();
  const [state, setState] = useState<State>({ phase: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const dataset = useDatasetQuery(subject.dataset_guid);
  const text = trialText(dataset, subject.query);
  const window = windowAt(subject, now());
  async function run() {
    running.current?.abort();
    const ending = new AbortController();
    running.current = ending;
    setState({ phase: 'running' });
    try {
      const rows = await runToEnd({ text, interval: windowAt(subject, now()).interval }, ending.signal);
      setState({ phase: 'ended', rows });
    } catch (error) {
      setState(ending.signal.aborted ? { phase: 'idle' } : { phase: 'failed', error });
    }
  }
  return (
    <div className={styles.stack}>
      <p className={styles.note}>{labels.trialText}</p>
      <div className={styles.toolbar}>
        {state.phase === 'running' ? (
          <Button icon="stop" onClick={() => running.current?.abort()}>
            {common.cancel}
          </Button>
        ) : (
          <Button icon="play" disabled={text.trim() === ''} onClick={() => void run()}>
            {labels.trial}
          </Button>
        )}
        <span className={styles.note}>
          {window.isOwn
            ? labels.window(textOf(window.interval.from, zone), textOf(window.interval.to, zone))
            : labels.noWindow}
        </span>
      </div>
      {text !== '' && <pre className={styles.text}>{text}</pre>}
      {state.phase === 'running' && <p role="status">{labels.trialRunning}</p>}
      {state.phase === 'failed' && <TrialFailed text={text} error={state.error} onRetry={() => void run()} />}
      {state.phase === 'ended' && <TrialRows rows={state.rows} subject={subject} />}
    </div>
  );
}

/** Of a dataset that the reader may read; empty for others, and while it is fetched. */
export function useDatasetQuery(guid: string | null): string | undefined {
  const answer = useAnswer('GET /api/core/datasets/:guid', { guid: guid ?? '' }, { isEnabled: Boolean(guid) });
  return guid ? answer.data?.dataset?.query : undefined;
}

function TrialFailed({ text, error, onRetry }: { readonly text: string; readonly error: unknown; onRetry(): void }) {
  if (error instanceof ServiceError)
    return <Refused text={text} error={error} onReplace={() => {}} onRetry={onRetry} />;
  // The query has begun and failed; the service says why.
  if (error instanceof Error && error.message !== '') {
    return <Callout isAlert>{error.message}</Callout>;
  }
  return <Failed error={error} onRetry={onRetry} />;
}

const MAX_COLUMNS = 8;

function TrialRows({ rows, subject }: { readonly rows: readonly Row[]; readonly subject: TrialSubject }) {
  const { rules: labels } = useLabels();
  const { locale } = useLanguage();
  if (rows.length === 0) return <p role="status">{labels.noRows}</p>;
  const columns: readonly Column<Row>[] = [
    {
      id: '',
      header: labels.event,
      width: 'minmax(16rem, 2fr)',
      cell: (row) => messageText(subject.msg, row),
    },
    ...fieldsOf([], rows.slice(0, 100))
      .slice(0, MAX_COLUMNS)
      .map(({ name }) => ({
        id: name,
        header: name,
        width: name === '_time' ? TIME_WIDTH : 'minmax(7rem, 1fr)',
        cell: (row: Row) => (name === '_time' ? <Time at={valueText(row[name])} /> : valueText(row[name])),
      })),
  ];
  const keys = new Map(rows.map((row, index) => [row, String(index)]));
  return (
    <>
      <p role="status">
        <strong>
          {labels.wouldRaise(numberText(rows.length, locale), numberText(eventsOf(rows, subject), locale))}
        </strong>
      </p>
      <DataTable
        label={labels.tabs.trial}
        rows={rows}
        rowKey={(row) => keys.get(row) ?? ''}
        columns={columns}
        maxHeight="24rem"
      />
    </>
  );
}
