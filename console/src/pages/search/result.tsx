// What a run has given: its rows in the chosen view, or why there are none.

import { type ReactNode, useMemo } from 'react';
import { Button, IconButton } from '#console/components/button.tsx';
import { EmptyState, Loading } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { ActionsProvider, type SearchActions } from './actions.ts';
import { VIEWS, type View } from './address.ts';
import { fieldsOf, initialColumns } from './rows/columns.ts';
import type { Row } from './rows/row.ts';
import type { RowStore } from './rows/row-store.ts';
import { RowsView } from './rows/rows-view.tsx';
import { FailedRun, Refused } from './run/outcome.tsx';
import type { QueryRun } from './run/query-run.ts';
import { RunBar } from './run/run-bar.tsx';
import styles from './search.module.css';

export const PAGE_ROWS = 10_000;
const SAMPLE_ROWS = 100;

export interface ResultProps {
  readonly run: QueryRun;
  readonly view: View;
  onView(view: View): void;
  readonly page: number;
  onPage(page: number): void;
  readonly columns: readonly string[] | undefined;
  readonly actions: Omit<SearchActions, 'columns'>;
  readonly mark: number | undefined;
  /** Between the bar and the rows. */
  readonly histogram: ReactNode;
  onReplace(text: string): void;
  onRetry(): void;
  onWiden(): void;
}

export function Result(props: ResultProps) {
  const { run, onReplace, onRetry } = props;
  const state = run.state.use();
  if (state.phase === 'refused') {
    return <Refused text={run.request.text} error={state.error} onReplace={onReplace} onRetry={onRetry} />;
  }
  if (state.phase === 'failed') return <FailedRun status={state.status} error={state.error} onRetry={onRetry} />;
  if (!run.rows) return <Loading lines={6} />;
  return <RowsResult {...props} store={run.rows} />;
}

function RowsResult(props: ResultProps & { readonly store: RowStore }) {
  const { run, store, view, onView, page, onPage, columns, actions, mark, histogram, onWiden } = props;
  const state = run.state.use();
  const { version, seen, columns: known } = store.state.use();
  const status = 'status' in state ? state.status : undefined;
  const total = Math.max(status?.rows ?? 0, seen);
  const isRunning = state.phase === 'running';
  const offset = Math.min(page - 1, Math.max(0, Math.ceil(total / PAGE_ROWS) - 1)) * PAGE_ROWS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` tells that rows have come.
  const sample = useMemo(() => sampleOf(store, offset), [store, offset, version]);
  const fields = useMemo(() => fieldsOf(known, sample), [known, sample]);
  const types = useMemo(() => new Map(fields.map(({ name, type }) => [name, type])), [fields]);
  const shown = useMemo(() => columns ?? initialColumns(fields, sample), [columns, fields, sample]);
  const provided = useMemo(() => ({ ...actions, columns: shown }), [actions, shown]);
  return (
    <ActionsProvider value={provided}>
      <div className={styles.bar}>
        <RunBar run={run} rows={total} />
        <ViewChoice view={view} onView={onView} />
      </div>
      {histogram}
      {total === 0 && !isRunning && <NoRows onWiden={onWiden} />}
      {total === 0 && isRunning && <Loading lines={6} />}
      {total > 0 && view !== 'chart' && (
        <RowsView
          view={view}
          source={store}
          offset={offset}
          count={Math.min(PAGE_ROWS, total - offset)}
          version={version}
          types={types}
          sample={sample}
          mark={mark}
        />
      )}
      <Pager offset={offset} total={total} onPage={onPage} />
    </ActionsProvider>
  );
}

function sampleOf(store: RowStore, offset: number): readonly Row[] {
  return Array.from({ length: SAMPLE_ROWS }, (_, place) => store.rowAt(offset + place)).filter(
    (row) => row !== undefined,
  );
}

function ViewChoice({ view, onView }: Pick<ResultProps, 'view' | 'onView'>) {
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

function NoRows({ onWiden }: Pick<ResultProps, 'onWiden'>) {
  const { search: labels } = useLabels();
  return (
    <EmptyState title={labels.noRowsTitle} text={labels.noRowsText}>
      <Button icon="clock" onClick={onWiden}>
        {labels.widen}
      </Button>
    </EmptyState>
  );
}

/** Nothing where all rows are on one page. */
function Pager({
  offset,
  total,
  onPage,
}: {
  readonly offset: number;
  readonly total: number;
  onPage(page: number): void;
}) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  if (total <= PAGE_ROWS) return undefined;
  const page = offset / PAGE_ROWS + 1;
  const last = Math.ceil(total / PAGE_ROWS);
  const text = (value: number) => numberText(value, locale);
  return (
    <nav className={styles.pager} aria-label={labels.rows}>
      <span>{labels.page(text(offset + 1), text(Math.min(total, offset + PAGE_ROWS)), text(total))}</span>
      <Button size="small" kind="quiet" disabled={page === 1} onClick={() => onPage(1)}>
        {labels.firstPage}
      </Button>
      <IconButton
        size="small"
        icon="chevronLeft"
        label={labels.previousPage}
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        size="small"
        icon="chevronRight"
        label={labels.nextPage}
        disabled={page === last}
        onClick={() => onPage(page + 1)}
      />
      <Button size="small" kind="quiet" disabled={page === last} onClick={() => onPage(last)}>
        {labels.lastPage}
      </Button>
    </nav>
  );
}
