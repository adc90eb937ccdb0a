// Rows as a table of columns, as raw lines, or as JSON.

import { useCallback, useMemo } from 'react';
import { useLabels } from '#console/labels/labels.tsx';
import { useActions } from '#console/pages/search/actions.ts';
import type { View } from '#console/pages/search/address.ts';
import { columnTracks, isNumber } from '#console/results/columns.ts';
import { jsonText, type Row, rawText, valueText } from '#console/results/row.ts';
import type { RowSource } from '#console/results/row-store.ts';
import { CellText } from '#console/results/stored-text.tsx';
import { Time } from '#console/time/time.tsx';
import { ColumnHeader, PlainHeader } from './column-header.tsx';
import { RowDetail } from './row-detail.tsx';
import { type ListColumn, RowList } from './row-list.tsx';
import styles from './rows.module.css';

export interface RowsViewProps {
  readonly view: Exclude<View, 'chart'>;
  readonly source: RowSource;
  readonly offset: number;
  readonly count: number;
  readonly version: number;
  readonly types: ReadonlyMap<string, string>;
  /** Rows by whose values the columns get their widths. */
  readonly sample: readonly Row[];
  readonly mark?: number | undefined;
  onHold?(isHeld: boolean): void;
}

const MAX_LINE = 2000;

export function RowsView(props: RowsViewProps) {
  const { view, source, types, sample, mark } = props;
  const { search } = useLabels();
  const { columns: names } = useActions();
  const columns = useMemo(() => listColumns(view, names, types), [view, names, types]);
  const tracks = useMemo(
    () => (view === 'table' ? columnTracks(names, types, sample) : '25ch minmax(40ch, 1fr)'),
    [view, names, types, sample],
  );
  const marked = mark === undefined ? undefined : sample.findIndex((row) => row._id === mark);
  const detail = useCallback(
    (row: Row, close: () => void) => <RowDetail row={row} types={types} onClose={close} />,
    [types],
  );
  return (
    <div className={styles.frame}>
      <RowList
        {...props}
        label={search.rows}
        source={source}
        columns={columns}
        tracks={tracks}
        scrollTo={marked === -1 ? undefined : marked}
        isMarked={(row) => mark !== undefined && row._id === mark}
        keyOf={keyOf}
        detail={detail}
      />
    </div>
  );
}

/** Records keep their key when others arrive before them. */
const keyOf = (row: Row | undefined, index: number): string =>
  row?._id !== undefined && row._table !== undefined ? `${row._table}/${row._id}/${row._time}` : String(index);

function listColumns(view: View, names: readonly string[], types: ReadonlyMap<string, string>): readonly ListColumn[] {
  if (view === 'table') {
    return names.map((name) => ({
      name,
      header: <ColumnHeader name={name} />,
      isNumber: isNumber(types.get(name)),
      cell: (row) => <Cell value={row[name]} isDate={types.get(name) === 'date'} />,
    }));
  }
  const textOf = view === 'raw' ? rawText : (row: Row) => jsonText(row);
  return [
    {
      name: '_time',
      header: <PlainHeader name="_time" />,
      isNumber: false,
      cell: (row) => <Cell value={row._time} isDate />,
    },
    {
      name: view,
      header: <PlainHeader name={view === 'raw' ? 'line' : 'JSON'} />,
      isNumber: false,
      cell: (row) => <CellText text={textOf(row)} max={MAX_LINE} />,
    },
  ];
}

function Cell({ value, isDate }: { readonly value: unknown; readonly isDate: boolean }) {
  if (value === null || value === undefined) return <span className={styles.none}>–</span>;
  return isDate ? <Time at={String(value)} precision="millisecond" /> : <CellText text={valueText(value)} />;
}
