// biome-ignore-all lint/a11y/useSemanticElements: Marks of a drawing are no buttons of HTML.

// Moments of some days as a drawing: a row for each day, a cell for each hour, coloured by what happened in it. Arrow keys move
// between cells, Enter chooses one.

import { type KeyboardEvent, useRef, useState } from 'react';
import type { Tone } from '#console/components/tone.ts';
import { now } from '#console/time/moments.ts';
import { useZone } from '#console/time/time.tsx';
import { type CalendarCell, calendarDays, cellBeside, HOURS } from './calendar-cells.ts';
import styles from './calendar-strip.module.css';

interface CalendarStripProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  /** Epoch milliseconds. */
  momentOf(item: T): number;
  /** Of a cell with these items. */
  toneOf(items: readonly T[]): Tone;
  /** What a cell is read aloud and shown as on hover, behind its time. */
  textOf(items: readonly T[]): string;
  /** Days up to today. */
  readonly days: number;
  /** The key of the chosen cell. */
  readonly chosen?: string | undefined;
  onChoose(cell: CalendarCell<T> | undefined): void;
}

const ROW = 18;
const CELL = 10;
const LABELLED_HOURS = [0, 3, 6, 9, 12, 15, 18, 21];

export function CalendarStrip<T>(props: CalendarStripProps<T>) {
  const { label, items, momentOf, days: count, chosen, onChoose } = props;
  const zone = useZone();
  const drawing = useRef<SVGSVGElement>(null);
  const calendar = calendarDays(items, momentOf, { end: now(), count, zone });
  const { days, cells } = calendar;
  const [active, setActive] = useState<string>();
  // One cell can be reached by Tab: the one that was last looked at, else the newest.
  const tabbed = cells.find(({ key }) => key === (active ?? chosen)) ?? cells.at(-1);

  function onKeyDown(event: KeyboardEvent, cell: CalendarCell<T>) {
    if (event.key === 'Enter' || event.key === ' ') onChoose(cell.key === chosen ? undefined : cell);
    else {
      const target = cellBeside(event.key, cell, calendar);
      if (!target) return;
      setActive(target.key);
      drawing.current?.querySelector<SVGElement>(`[data-cell="${target.key}"]`)?.focus();
    }
    event.preventDefault();
  }

  return (
    <div className={styles.strip}>
      <div className={styles.hours} aria-hidden="true">
        {LABELLED_HOURS.map((hour) => (
          <span key={hour} style={{ left: `${(hour / HOURS) * 100}%` }}>
            {String(hour).padStart(2, '0')}
          </span>
        ))}
      </div>
      <div className={styles.days} aria-hidden="true" style={{ gridAutoRows: `${ROW}px` }}>
        {days.map((day) => (
          <span key={day}>{day.slice(5)}</span>
        ))}
      </div>
      <svg
        ref={drawing}
        className={styles.drawing}
        viewBox={`0 0 ${HOURS * CELL} ${days.length * ROW}`}
        preserveAspectRatio="none"
        height={days.length * ROW}
        role="group"
        aria-label={label}
      >
        <Ground days={days} />
        {cells.map((cell) => (
          <Cell
            key={cell.key}
            {...props}
            cell={cell}
            row={days.indexOf(cell.day)}
            isTabbed={cell === tabbed}
            onKeyDown={(event) => onKeyDown(event, cell)}
          />
        ))}
      </svg>
    </div>
  );
}

/** The hours of all days, so that an hour without anything is seen, too. */
const Ground = ({ days }: { readonly days: readonly string[] }) =>
  days.flatMap((day, row) =>
    Array.from({ length: HOURS }, (_, hour) => (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: Hours are alike and keep their places.
        key={`${day} ${hour}`}
        className={styles.ground}
        x={hour * CELL + 0.4}
        y={row * ROW + 1}
        width={CELL - 0.8}
        height={ROW - 2}
      />
    )),
  );

interface CellProps<T> extends CalendarStripProps<T> {
  readonly cell: CalendarCell<T>;
  readonly row: number;
  readonly isTabbed: boolean;
  onKeyDown(event: KeyboardEvent): void;
}

function Cell<T>({ cell, row, isTabbed, chosen, toneOf, textOf: textIn, onChoose, onKeyDown }: CellProps<T>) {
  const isChosen = cell.key === chosen;
  const text = `${cell.key}:00 · ${textIn(cell.items)}`;
  return (
    <g
      role="button"
      data-cell={cell.key}
      className={`${styles.cell} ${styles[toneOf(cell.items)]}`}
      tabIndex={isTabbed ? 0 : -1}
      aria-label={text}
      aria-pressed={isChosen}
      onKeyDown={onKeyDown}
      onClick={() => onChoose(isChosen ? undefined : cell)}
    >
      <title>{text}</title>
      <rect x={cell.hour * CELL + 0.4} y={row * ROW + 1} width={CELL - 0.8} height={ROW - 2} />
    </g>
  );
}
