// The live tail on the page: new records at the top. While the reader has scrolled down, or reads a row, the list stands still.

import { useEffect, useMemo, useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { EmptyState, Failed } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { ActionsProvider, type SearchActions } from '#console/pages/search/actions.ts';
import type { View } from '#console/pages/search/address.ts';
import { RowsView } from '#console/pages/search/rows/rows-view.tsx';
import pageStyles from '#console/pages/search/search.module.css';
import { fieldsOf, initialColumns } from '#console/results/columns.ts';
import { LiveTail } from '#console/results/live-tail.ts';
import type { RowSource } from '#console/results/row-store.ts';
import { numberText } from '#console/time/numbers.ts';
import styles from './run.module.css';

interface LiveResultProps {
  /** Reads a window. */
  readonly text: string;
  readonly view: View;
  readonly columns: readonly string[] | undefined;
  readonly actions: Omit<SearchActions, 'columns'>;
}

export function LiveResult(props: LiveResultProps) {
  const { text } = props;
  const [tail, setTail] = useState<LiveTail>();
  useEffect(() => {
    const made = new LiveTail(text);
    setTail(made);
    return () => made.close();
  }, [text]);
  return tail && <Tail {...props} tail={tail} />;
}

const SAMPLE_ROWS = 100;

function Tail({ tail, view, columns, actions }: LiveResultProps & { readonly tail: LiveTail }) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  const state = tail.state.use();
  const [frozen, setFrozen] = useState<typeof state>();
  const [resumed, setResumed] = useState(0);
  const { rows, arrived } = frozen ?? state;
  const source = useMemo<RowSource>(() => ({ rowAt: (index) => rows[index], want: () => undefined }), [rows]);
  const sample = useMemo(() => rows.slice(0, SAMPLE_ROWS), [rows]);
  const fields = useMemo(() => fieldsOf([], sample), [sample]);
  const types = useMemo(() => new Map(fields.map(({ name, type }) => [name, type])), [fields]);
  const shown = useMemo(() => columns ?? initialColumns(fields, sample), [columns, fields, sample]);
  const provided = useMemo(() => ({ ...actions, columns: shown }), [actions, shown]);
  if (state.error) return <Failed error={state.error} />;
  const hidden = state.arrived - arrived;
  return (
    <ActionsProvider value={provided}>
      <div className={pageStyles.bar}>
        <div className={styles.bar} role="status">
          <span className={styles.pulse} aria-hidden="true" />
          <strong>{labels.rowCount(numberText(state.arrived, locale))}</strong>
          <span className={styles.muted}>{labels.liveOn}</span>
          {state.dropped > 0 && (
            <span className={styles.muted}>{labels.liveDropped(numberText(state.dropped, locale))}</span>
          )}
        </div>
        {hidden > 0 && (
          <Button size="small" icon="arrowUp" onClick={() => setResumed(resumed + 1)}>
            {labels.livePaused(numberText(hidden, locale))}
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <EmptyState icon="clock" title={labels.liveWaiting} />
      ) : (
        <RowsView
          // A new list begins at the top, with no row open.
          key={resumed}
          view={view === 'chart' ? 'table' : view}
          source={source}
          offset={0}
          count={rows.length}
          version={arrived}
          types={types}
          sample={sample}
          onHold={(isHeld) => setFrozen(isHeld ? (frozen ?? state) : undefined)}
        />
      )}
    </ActionsProvider>
  );
}
