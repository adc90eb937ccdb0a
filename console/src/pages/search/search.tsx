// Search: a query, its time range, and what it gives.

import { type ReactNode, useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { TimeRangePicker } from '#console/components/forms/time-range-picker.tsx';
import { PageFrame } from '#console/components/page-frame.tsx';
import { QueryEditor } from '#console/components/query-editor/query-editor.tsx';
import { EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { liveText } from '#console/query-text/edits.ts';
import { filterPartOf } from '#console/query-text/parts.ts';
import { WINDOW_SECONDS } from '#console/results/live-tail.ts';
import type { QueryRun } from '#console/results/query-run.ts';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { resolveRange } from '#console/time/ranges.ts';
import { HistoryMenu } from './history/history-menu.tsx';
import { Idle } from './idle.tsx';
import { isNarrow, Result } from './result.tsx';
import { LiveResult } from './run/live-result.tsx';
import styles from './search.module.css';
import { Toolbar } from './toolbar/toolbar.tsx';
import { type SearchPage, useSearchPage } from './use-search.ts';

export function Search() {
  const { pages, search: labels } = useLabels();
  const search = useSearchPage();
  const { address, range, run, history, runText } = search;
  const text = address.q ?? '';
  useShortcut('/', labels.focusEditor, focusEditor, 'page');
  return (
    <PageFrame
      title={pages.search}
      fills
      controls={
        <>
          <HistoryMenu history={history} onChoose={({ q, from, to }) => runText(q, { from, to, live: undefined })} />
          {text !== '' && <RunToolbar text={text} run={run} interval={run?.request.interval ?? resolveRange(range)} />}
        </>
      }
    >
      <QueryBar search={search} />
      <Area search={search} />
    </PageFrame>
  );
}

const focusEditor = (): void => document.querySelector<HTMLElement>('.cm-content')?.focus();

interface RunToolbarProps extends Omit<Parameters<typeof Toolbar>[0], 'cursor' | 'status'> {
  readonly run: QueryRun | undefined;
}

const RunToolbar = ({ run, ...rest }: RunToolbarProps) =>
  run ? <CursorToolbar run={run} {...rest} /> : <Toolbar {...rest} cursor={undefined} status={undefined} />;

function CursorToolbar({ run, ...rest }: RunToolbarProps & { readonly run: QueryRun }) {
  const state = run.state.use();
  const status = 'status' in state ? state.status : undefined;
  return <Toolbar {...rest} cursor={'id' in state ? state.id : undefined} status={status} />;
}

function QueryBar({ search }: { readonly search: SearchPage }) {
  const { search: labels } = useLabels();
  const { address, range, draft, setDraft, run, kinds, runText, runByHand, change, setRange } = search;
  const hasOwnRange = filterPartOf(address.q ?? '', kinds)?.hasOwnRange ?? false;
  const isLive = address.live === true;
  return (
    <div className={styles.query}>
      <div>
        <QueryEditor text={draft} onChange={setDraft} onRun={() => runByHand(draft)} takesFocus />
        {hasOwnRange && !isLive && <p className={styles.note}>{labels.ownRange}</p>}
      </div>
      <div className={styles.buttons}>
        <TimeRangePicker value={range} onChange={setRange} />
        <Button
          icon={isLive ? 'pause' : 'events'}
          aria-pressed={isLive}
          title={isLive ? labels.liveStop : labels.liveStart}
          disabled={!isLive && draft.trim() === ''}
          onClick={() => (isLive ? change({ live: undefined }) : runText(draft, { live: true }))}
        >
          {labels.live}
        </Button>
        <RunButton run={run} onRun={() => runByHand(draft)} />
      </div>
    </div>
  );
}

function RunButton({ run, onRun }: { readonly run: QueryRun | undefined; onRun(): void }) {
  const { search: labels } = useLabels();
  const button = (
    <Button kind="primary" icon="play" title={labels.runHint} onClick={onRun}>
      {labels.run}
    </Button>
  );
  return run ? <CancelOr run={run}>{button}</CancelOr> : button;
}

function CancelOr({ run, children }: { readonly run: QueryRun; readonly children: ReactNode }) {
  const { common } = useLabels();
  const { phase } = run.state.use();
  if (phase !== 'running') return children;
  return (
    <Button icon="stop" onClick={() => void run.cancel()}>
      {common.cancel}
    </Button>
  );
}

function Area({ search }: { readonly search: SearchPage }) {
  const { search: labels } = useLabels();
  const { address, run, kinds, actions, runText, change } = search;
  const [hasFields, setHasFields] = useState(() => !isNarrow());
  const text = address.q ?? '';
  if (address.live && text !== '') {
    const live = liveText(text, kinds, WINDOW_SECONDS);
    return (
      <section className={styles.result} aria-label={labels.rows}>
        {live === undefined ? (
          <EmptyState icon="events" title={labels.live} text={labels.liveRefused} />
        ) : (
          <LiveResult text={live} view={address.view ?? 'table'} columns={address.columns} actions={actions} />
        )}
      </section>
    );
  }
  if (!run) {
    return (
      <section className={styles.result} aria-label={labels.rows}>
        <Idle onRun={runText} />
      </section>
    );
  }
  return (
    <Result
      search={search}
      run={run}
      hasFields={hasFields}
      onFields={setHasFields}
      onView={(view) => change({ view })}
      onPage={(page) => change({ page: page === 1 ? undefined : page })}
    />
  );
}
