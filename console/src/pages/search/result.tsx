// What a run has given: its rows in the chosen view, the fields of its records, or why there are none.

import { type ReactNode, useMemo } from 'react';
import { Button } from '#console/components/button.tsx';
import { Dialog } from '#console/components/overlays/dialog.tsx';
import { EmptyState, Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { ChangeQuestion } from '#console/results/change-question.tsx';
import { FailedRun, Refused } from '#console/results/outcome.tsx';
import type { QueryRun } from '#console/results/query-run.ts';
import { changeIn } from '#console/results/refusal.ts';
import type { RowStore } from '#console/results/row-store.ts';
import { ActionsProvider } from './actions.ts';
import { VIEWS, type View } from './address.ts';
import { RecordHistogram } from './charts/record-histogram.tsx';
import { FieldPanel } from './fields/field-panel.tsx';
import { useFieldSummary } from './fields/use-field-summary.ts';
import { PAGE_ROWS, Pager } from './rows/pager.tsx';
import { RowsView } from './rows/rows-view.tsx';
import { RunBar } from './run/run-bar.tsx';
import styles from './search.module.css';
import { useResultRows } from './use-result-rows.ts';
import type { SearchPage } from './use-search.ts';

/** Charts bring a library of their own. */
const ChartView = lazyPart(() => import('./charts/chart-view.tsx'), 'ChartView');

export interface ResultProps {
  readonly search: SearchPage;
  readonly run: QueryRun;
  readonly hasFields: boolean;
  onFields(isShown: boolean): void;
  onView(view: View): void;
  onPage(page: number): void;
}

export function Result(props: ResultProps) {
  const { search, run } = props;
  const { search: labels } = useLabels();
  const state = run.state.use();
  if (state.phase !== 'refused' && state.phase !== 'failed' && run.rows) {
    return <RowsResult key={run.rows.id} {...props} store={run.rows} />;
  }
  const refused = state.phase === 'refused' ? changeIn(state.error) : undefined;
  return (
    <section className={styles.result} aria-label={labels.rows}>
      {state.phase === 'refused' && refused && (
        <ChangeQuestion text={run.request.text} refused={refused} onRun={() => search.runByHand(run.request.text)} />
      )}
      {state.phase === 'refused' && !refused && (
        <Refused text={run.request.text} error={state.error} onReplace={search.runText} onRetry={search.repeat} />
      )}
      {state.phase === 'failed' && <FailedRun status={state.status} error={state.error} onRetry={search.repeat} />}
      {state.phase === 'starting' && (
        <div className={styles.loading}>
          <Loading lines={6} />
        </div>
      )}
    </section>
  );
}

function RowsResult(props: ResultProps & { readonly store: RowStore }) {
  const { search, run, store, hasFields, onFields, onView, onPage } = props;
  const { address, kinds, actions, zoom, setRange } = search;
  const rows = useResultRows(run, store, address);
  const { total, isRunning, offset, version, sample, fields, types, columns } = rows;
  const provided = useMemo(() => ({ ...actions, columns }), [actions, columns]);
  const view = address.view ?? (/\|\s*timechart\b/.test(run.request.text) ? 'chart' : 'table');
  const { summary, hasFailed } = useFieldSummary(run.request, {
    kinds,
    columns: fields,
    rows: sample,
    isRunning,
    isEnabled: hasFields,
  });
  return (
    <ActionsProvider value={provided}>
      <div className={styles.area} data-fields={hasFields && !isNarrow()}>
        <FieldsFrame isShown={hasFields} onClose={() => onFields(false)}>
          <FieldPanel summary={summary} hasFailed={hasFailed} types={types} />
        </FieldsFrame>
        <section className={styles.result}>
          <div className={styles.bar}>
            <RunBar run={run} rows={total} />
            <div className={styles.barEnd}>
              <FieldsButton isShown={hasFields} onToggle={onFields} />
              <ViewChoice view={view} onView={onView} />
            </div>
          </div>
          <RecordHistogram request={run.request} id={store.id} kinds={kinds} onZoom={zoom} />
          {total === 0 && !isRunning && <NoRows run={run} onWiden={() => setRange({ from: 'now-30d', to: 'now' })} />}
          {total === 0 && isRunning && (
            <div className={styles.loading}>
              <Loading lines={6} />
            </div>
          )}
          {total > 0 && view === 'chart' && (
            <ChartView store={store} version={version} total={total} columns={fields} onZoom={zoom} />
          )}
          {total > 0 && view !== 'chart' && (
            <RowsView
              view={view}
              source={store}
              offset={offset}
              count={Math.min(PAGE_ROWS, total - offset)}
              version={version}
              types={types}
              sample={sample}
              mark={address.mark}
            />
          )}
          {view !== 'chart' && <Pager offset={offset} total={total} onPage={onPage} />}
        </section>
      </div>
    </ActionsProvider>
  );
}

const NARROW = '(max-width: 760px)';
export const isNarrow = (): boolean => matchMedia(NARROW).matches;

interface FieldsFrameProps {
  readonly isShown: boolean;
  onClose(): void;
  readonly children: ReactNode;
}

/** Beside the rows, or over them in a narrow window. */
function FieldsFrame({ isShown, onClose, children }: FieldsFrameProps) {
  const { search: labels } = useLabels();
  if (!isShown) return undefined;
  if (!isNarrow()) {
    return (
      <aside className={styles.fields} aria-label={labels.fields}>
        {children}
      </aside>
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={labels.fields} placement="side">
      {children}
    </Dialog>
  );
}

function FieldsButton({ isShown, onToggle }: { readonly isShown: boolean; onToggle(isShown: boolean): void }) {
  const { search: labels } = useLabels();
  return (
    <Button size="small" kind="quiet" icon="list" aria-pressed={isShown} onClick={() => onToggle(!isShown)}>
      {labels.fields}
    </Button>
  );
}

function ViewChoice({ view, onView }: { readonly view: View; onView(view: View): void }) {
  const { search: labels } = useLabels();
  return (
    <fieldset className={styles.views} aria-label={labels.view}>
      {VIEWS.map((one) => (
        <Button key={one} size="small" kind="quiet" aria-pressed={one === view} onClick={() => onView(one)}>
          {labels.views[one]}
        </Button>
      ))}
    </fieldset>
  );
}

function NoRows({ run, onWiden }: { readonly run: QueryRun; onWiden(): void }) {
  const { search: labels } = useLabels();
  const state = run.state.use();
  if (state.phase === 'cancelled') {
    return <EmptyState icon="stop" title={labels.cancelled} text={labels.cancelledNoRows} />;
  }
  return (
    <EmptyState title={labels.noRowsTitle} text={labels.noRowsText}>
      <Button icon="clock" onClick={onWiden}>
        {labels.widen}
      </Button>
    </EmptyState>
  );
}
