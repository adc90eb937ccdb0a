// biome-ignore-all lint/a11y/useSemanticElements: Rows of a virtual list stand at places of their own; elements of tables cannot.
// biome-ignore-all lint/a11y/useFocusableInteractive: Rows have the focus; the keys of a grid move it.

// Rows of a result: only those in view are in the document and are fetched. Arrow keys move, Enter opens.

import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Icon } from '#console/components/icon.tsx';
import { targetOf } from '#console/components/row-keys.ts';
import type { Row } from '#console/results/row.ts';
import type { RowSource } from '#console/results/row-store.ts';
import styles from './rows.module.css';

export interface ListColumn {
  readonly name: string;
  readonly header: ReactNode;
  readonly isNumber: boolean;
  cell(row: Row): ReactNode;
}

export interface RowListProps {
  readonly label: string;
  readonly source: RowSource;
  /** Of the source: the first row of the list, and how many it has. */
  readonly offset: number;
  readonly count: number;
  /** Grows with changes of the source. */
  readonly version: number;
  readonly columns: readonly ListColumn[];
  /** Tracks of the grid. */
  readonly tracks: string;
  /** The number of a row to scroll to. */
  readonly scrollTo?: number | undefined;
  isMarked(row: Row): boolean;
  keyOf(row: Row | undefined, index: number): string;
  detail(row: Row, close: () => void): ReactNode;
  /** Called when the reader begins or ends to read rows: scrolled down, or with one open. */
  onHold?(isHeld: boolean): void;
}

/** Of a row on one line, at the size of text that browsers begin with: every other height is measured row by row. */
const ROW_PX = 25.5;
const OVERSCAN = 15;
export function RowList(props: RowListProps) {
  const { label, source, offset, count, columns, tracks, isMarked, detail, onHold } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [isScrolled, setScrolled] = useState(false);
  useHold(isScrolled || open.size > 0, onHold);
  const virtualizer = useRowVirtualizer(props, scroller);
  const items = virtualizer.getVirtualItems();

  const moveTo = useCallback(
    (index: number) => {
      const target = Math.max(0, Math.min(count - 1, index));
      setActive(target);
      virtualizer.scrollToIndex(target);
      // The row may have to be made first.
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus());
    },
    [virtualizer, count],
  );
  const toggle = useCallback((id: string) => setOpen((before) => before.symmetricDifference(new Set([id]))), []);

  const style: CSSProperties & Record<'--columns', string> = { '--columns': tracks };
  return (
    <div
      ref={scroller}
      className={styles.list}
      style={style}
      onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop >= ROW_PX)}
    >
      <div role="treegrid" aria-label={label} aria-rowcount={count + 1} className={styles.grid}>
        <HeaderRow columns={columns} />
        <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = source.rowAt(offset + index);
            return (
              <ListRow
                key={key}
                id={String(key)}
                row={row}
                columns={columns}
                index={index}
                lastIndex={count - 1}
                start={start}
                isActive={index === Math.min(active, count - 1)}
                isOpen={open.has(String(key))}
                isMarked={row !== undefined && isMarked(row)}
                detail={detail}
                measure={virtualizer.measureElement}
                onMove={moveTo}
                onToggle={toggle}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function useRowVirtualizer(props: RowListProps, scroller: RefObject<HTMLDivElement | null>) {
  const { source, offset, count, version, scrollTo, keyOf } = props;
  // A new function makes the virtualizer measure all rows again, which takes a third of a frame for ten thousand.
  // biome-ignore lint/correctness/useExhaustiveDependencies: The version stands for the rows of the source.
  const getItemKey = useCallback(
    (index: number) => keyOf(source.rowAt(offset + index), offset + index),
    [source, offset, keyOf, version],
  );
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey,
  });
  const items = virtualizer.getVirtualItems();
  useWanted(props, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  useEffect(() => {
    if (scrollTo !== undefined) virtualizer.scrollToIndex(scrollTo, { align: 'center' });
  }, [scrollTo, virtualizer]);
  return virtualizer;
}

/** Asks for the rows from `first` to `last`. */
function useWanted({ source, offset, count }: RowListProps, first: number, last: number): void {
  useEffect(() => {
    if (count > 0) source.want(offset + first, offset + last + 1);
  }, [source, offset, first, last, count]);
}

function useHold(isHeld: boolean, onHold: RowListProps['onHold']): void {
  const latest = useRef(onHold);
  useEffect(() => {
    latest.current = onHold;
  });
  useEffect(() => latest.current?.(isHeld), [isHeld]);
}

const HeaderRow = ({ columns }: Pick<RowListProps, 'columns'>) => (
  <div role="rowgroup" className={styles.head}>
    <div role="row" aria-rowindex={1} className={styles.row}>
      <div role="columnheader" aria-label="#" />
      {columns.map(({ name, header }) => (
        <div key={name} role="columnheader" className={`${styles.cell} ${styles.header}`}>
          {header}
        </div>
      ))}
    </div>
  </div>
);

interface ListRowProps extends Pick<RowListProps, 'columns' | 'detail'> {
  readonly id: string;
  readonly row: Row | undefined;
  readonly index: number;
  readonly lastIndex: number;
  readonly start: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly isMarked: boolean;
  measure(element: HTMLDivElement | null): void;
  onMove(index: number): void;
  onToggle(id: string): void;
}

/** Scrolling renders the list in every frame: a row that stays in it is not made again. */
const ListRow = memo((props: ListRowProps) => {
  const { id, row, index, start, columns, isActive, isOpen, isMarked, measure, onMove, detail } = props;
  const toggle = () => props.onToggle(id);
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget) {
      if (event.key !== 'Escape' || !isOpen) return;
      toggle();
      event.currentTarget.focus();
      return;
    }
    const target = targetOf(event.key, index, props.lastIndex);
    if (target !== undefined) onMove(target);
    else if (event.key === 'Enter' || (event.key === 'Escape' && isOpen)) toggle();
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
      aria-expanded={isOpen}
      data-marked={isMarked}
      tabIndex={isActive ? 0 : -1}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter on the row does the same. */}
      <div className={`${styles.row} ${styles.line}`} role="presentation" onClick={() => isSelecting() || toggle()}>
        <div role="gridcell" className={styles.toggle}>
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
        </div>
        {columns.map(({ name, isNumber, cell }) => (
          <div key={name} role="gridcell" className={isNumber ? `${styles.cell} ${styles.end}` : styles.cell}>
            {row === undefined ? <span className={styles.pending} /> : cell(row)}
          </div>
        ))}
      </div>
      {isOpen && row !== undefined && (
        <div role="gridcell" className={styles.detail}>
          <div className={styles.detailSticky}>{detail(row, toggle)}</div>
        </div>
      )}
    </div>
  );
});

/** Text that is being marked must not open a row. */
const isSelecting = (): boolean => (getSelection()?.toString() ?? '') !== '';
