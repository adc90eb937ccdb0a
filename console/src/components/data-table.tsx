// biome-ignore-all lint/a11y/useSemanticElements: Rows of a virtual table stand at places of their own; elements of tables cannot.
// biome-ignore-all lint/a11y/useFocusableInteractive: Rows have the focus; the keys of a grid move it.

// A table of any number of rows: only those in view are in the document. Arrow keys move, Enter opens, Space selects.

import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './data-table.module.css';
import { Checkbox } from './forms/field.tsx';
import { Icon } from './icon.tsx';
import { targetOf } from './row-keys.ts';
import { type Sorting, sortRows } from './row-order.ts';

/** Of a column of times to the second. */
export const TIME_WIDTH = '12.5rem';

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  cell(row: T): ReactNode;
  /** A track of the grid, as `8rem` or `minmax(10rem, 1fr)`. */
  readonly width?: string;
  readonly align?: 'end';
  /** Given where the rows can be sorted by the column. */
  sortValue?(row: T): string | number | undefined;
  /** True where `order` can sort by the column. */
  readonly isOrdered?: boolean;
}

export interface RowSelection {
  readonly keys: ReadonlySet<string>;
  onChange(keys: ReadonlySet<string>): void;
}

export interface Order {
  readonly sorting: Sorting;
  onSort(sorting: Sorting): void;
}

export interface DataTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  rowKey(row: T): string;
  readonly columns: readonly Column<T>[];
  readonly initialSorting?: Sorting;
  /** Of a list that the service sorts, because it is read in pages: the rows come in this order. */
  readonly order?: Order;
  readonly selection?: RowSelection;
  /** By click or Enter. */
  onOpen?(row: T): void;
  /** The row whose detail is shown elsewhere. */
  readonly openKey?: string | undefined;
  /** Below the row, over its whole width. */
  detail?(row: T): ReactNode;
  /** In place of rows where there is none. */
  readonly empty?: ReactNode;
  /** When the last row comes into view. */
  onEnd?(): void;
  /** CSS; without it the table fills its parent. */
  readonly maxHeight?: string;
}

const ROW_PX = 34;
const OVERSCAN = 12;

export function DataTable<T>(props: DataTableProps<T>) {
  const { label, rows, columns, rowKey, initialSorting, order, empty, onEnd, maxHeight } = props;
  const [sorting, setSorting] = useState(initialSorting);
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const sorted = sortRows(rows, columns, sorting);
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: (index) => keyAt(sorted, index, rowKey),
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index;
  useEffect(() => {
    if (last !== undefined && last === sorted.length - 1) onEnd?.();
  }, [last, sorted.length, onEnd]);

  function moveTo(index: number) {
    const target = Math.max(0, Math.min(sorted.length - 1, index));
    setActive(target);
    virtualizer.scrollToIndex(target);
    // The row may have to be made first.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus());
  }

  return (
    <div
      ref={scroller}
      className={maxHeight === undefined ? `${styles.scroller} ${styles.fills}` : styles.scroller}
      style={styleOf(props)}
    >
      <div role="grid" aria-label={label} aria-rowcount={sorted.length + 1} className={styles.grid}>
        <HeaderRow {...props} sorting={order?.sorting ?? sorting} onSort={order?.onSort ?? setSorting} />
        <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const row = sorted[item.index];
            return row === undefined ? undefined : (
              <BodyRow
                key={item.key}
                {...props}
                row={row}
                index={item.index}
                start={item.start}
                isActive={item.index === Math.min(active, sorted.length - 1)}
                measure={virtualizer.measureElement}
                onMove={moveTo}
                lastIndex={sorted.length - 1}
              />
            );
          })}
        </div>
      </div>
      {sorted.length === 0 && empty}
    </div>
  );
}

function styleOf<T>({ columns, selection, maxHeight }: DataTableProps<T>): CSSProperties & Record<'--columns', string> {
  const tracks = [...(selection ? ['2.25rem'] : []), ...columns.map(({ width }) => width ?? 'minmax(14rem, 1fr)')];
  return { '--columns': tracks.join(' '), ...(maxHeight === undefined ? {} : { maxHeight }) };
}

const keyAt = <T,>(rows: readonly T[], index: number, rowKey: (row: T) => string): string | number => {
  const row = rows[index];
  return row === undefined ? index : rowKey(row);
};

interface HeaderRowProps<T> extends DataTableProps<T> {
  readonly sorting: Sorting | undefined;
  onSort(sorting: Sorting): void;
}

function HeaderRow<T>({ columns, rows, rowKey, selection, sorting, onSort }: HeaderRowProps<T>) {
  const { table } = useLabels();
  const isAll = selection !== undefined && rows.length > 0 && rows.every((row) => selection.keys.has(rowKey(row)));
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.row}>
        {selection && (
          <div role="columnheader" className={styles.cell}>
            <Checkbox
              label={table.selectAll}
              isLabelHidden
              isChecked={isAll}
              onChange={(isChecked) => selection.onChange(new Set(isChecked ? rows.map(rowKey) : []))}
            />
          </div>
        )}
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sorting={sorting} onSort={onSort} />
        ))}
      </div>
    </div>
  );
}

interface HeaderCellProps<T> {
  readonly column: Column<T>;
  readonly sorting: Sorting | undefined;
  onSort(sorting: Sorting): void;
}

function HeaderCell<T>({
  column: { id, header, align, sortValue, isOrdered = false },
  sorting,
  onSort,
}: HeaderCellProps<T>) {
  const { table } = useLabels();
  const direction = sorting?.column === id ? sorting.direction : undefined;
  const classes = align === 'end' ? `${styles.cell} ${styles.end}` : styles.cell;
  if (!sortValue && !isOrdered) {
    return (
      <div role="columnheader" className={classes}>
        {header}
      </div>
    );
  }
  return (
    <div role="columnheader" className={classes} aria-sort={direction ?? 'none'}>
      <button
        type="button"
        className={styles.sort}
        title={table.sort(header)}
        onClick={() => onSort({ column: id, direction: direction === 'descending' ? 'ascending' : 'descending' })}
      >
        {header}
        {direction && <Icon name={direction === 'ascending' ? 'arrowUp' : 'arrowDown'} size={12} />}
      </button>
    </div>
  );
}

interface BodyRowProps<T> extends DataTableProps<T> {
  readonly row: T;
  readonly index: number;
  readonly start: number;
  readonly lastIndex: number;
  readonly isActive: boolean;
  measure(element: HTMLDivElement | null): void;
  onMove(index: number): void;
}

function BodyRow<T>({ row, index, start, isActive, measure, onMove, lastIndex, ...props }: BodyRowProps<T>) {
  const { columns, rowKey, selection, onOpen, openKey, detail } = props;
  const { table } = useLabels();
  const key = rowKey(row);
  const isSelected = selection?.keys.has(key) ?? false;
  const below = detail?.(row);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget) return;
    const target = targetOf(event.key, index, lastIndex);
    if (target !== undefined) onMove(target);
    else if (event.key === 'Enter' && onOpen) onOpen(row);
    else if (event.key === ' ' && selection) selection.onChange(toggled(selection.keys, key));
    else return;
    event.preventDefault();
  }

  return (
    <div
      ref={measure}
      data-index={index}
      className={styles.item}
      style={{ top: start }}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selection ? isSelected : openKey === key}
      tabIndex={isActive ? 0 : -1}
      data-opens={onOpen !== undefined}
      data-open={openKey === key}
      onKeyDown={onKeyDown}
      onClick={() => onOpen?.(row)}
    >
      <div className={styles.row} role="presentation">
        {selection && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: A click on the box must not open the row; keys act on the row.
          <div
            role="gridcell"
            tabIndex={-1}
            className={`${styles.cell} ${styles.box}`}
            onClick={(event) => event.stopPropagation()}
          >
            <Checkbox
              label={table.select}
              isLabelHidden
              isChecked={isSelected}
              onChange={() => selection.onChange(toggled(selection.keys, key))}
            />
          </div>
        )}
        {columns.map(({ id, cell, align }) => (
          <div key={id} role="gridcell" className={align === 'end' ? `${styles.cell} ${styles.end}` : styles.cell}>
            {cell(row)}
          </div>
        ))}
      </div>
      {below !== undefined && <div className={styles.detail}>{below}</div>}
    </div>
  );
}

const toggled = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  keys.symmetricDifference(new Set([key]));
