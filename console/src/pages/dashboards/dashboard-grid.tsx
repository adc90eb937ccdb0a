// The panels of a dashboard in their grid, and the dragging of them.

import { type PointerEvent, useRef, useState } from 'react';
import { createLimiter } from '#console/client/limiter.ts';
import type { Interval, TimeRange } from '#console/time/ranges.ts';
import { type Layout, type PanelData, rangeOfSpan } from './dashboard.ts';
import styles from './dashboards.module.css';
import { type Box, changed } from './grid.ts';
import { PanelCard, type PanelEditing } from './panel-card.tsx';
import { GAP_PIXELS, ROW_PIXELS } from './panel-content.tsx';
import { MAX_CONCURRENT } from './panel-rows.ts';

interface DashboardGridProps {
  readonly layout: Layout;
  /** Of panels without one of their own. */
  readonly range: TimeRange;
  readonly round: number;
  readonly every: number;
  /** Undefined while the dashboard is only looked at. */
  readonly editing?: { onLayout(layout: Layout): void; onEdit(panel: PanelData): void } | undefined;
  onZoom(interval: Interval): void;
}

export function DashboardGrid({ layout, range, round, every, editing, onZoom }: DashboardGridProps) {
  const [limiter] = useState(() => createLimiter(MAX_CONCURRENT));
  const grid = useRef<HTMLDivElement>(null);
  const { columns } = layout;
  // While it is edited the order of the document stays, so that the panel under the pointer is not taken out of it.
  const panels = editing ? layout.panels : layout.panels.toSorted((one, other) => one.y - other.y || one.x - other.x);
  const arrange = (base: readonly PanelData[], id: string, change: Partial<Box>) =>
    editing?.onLayout({ ...layout, panels: [...changed(base, { id, columns, ...change })] });
  const cardEditing: PanelEditing | undefined = editing && {
    onDrag: (event, panel, kind) =>
      follow(event, (columnsMoved, rowsMoved) => {
        const { x, y, w, h } = panel;
        const change =
          kind === 'move' ? { x: x + columnsMoved, y: y + rowsMoved } : { w: w + columnsMoved, h: h + rowsMoved };
        arrange(layout.panels, panel.id, change);
      }),
    onChange: (id, change) => arrange(layout.panels, id, change),
    onEdit: editing.onEdit,
    onRemove: ({ id }) => editing.onLayout({ ...layout, panels: layout.panels.filter((panel) => panel.id !== id) }),
  };

  /** Tells the way of the pointer in columns and rows until it is released. */
  function follow(pressed: PointerEvent<HTMLElement>, onMove: (columns: number, rows: number) => void) {
    if (pressed.button !== 0 || !grid.current) return;
    pressed.preventDefault();
    const handle = pressed.currentTarget;
    handle.focus();
    handle.setPointerCapture(pressed.pointerId);
    const column = (grid.current.clientWidth + GAP_PIXELS) / columns;
    const move = (event: globalThis.PointerEvent) =>
      onMove(
        Math.round((event.clientX - pressed.clientX) / column),
        Math.round((event.clientY - pressed.clientY) / (ROW_PIXELS + GAP_PIXELS)),
      );
    const released = new AbortController();
    handle.addEventListener('pointermove', move, { signal: released.signal });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      handle.addEventListener(end, () => released.abort(), { signal: released.signal });
    }
  }

  return (
    <div ref={grid} className={styles.grid} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {panels.map((panel) => (
        <PanelCard
          key={panel.id}
          panel={panel}
          run={{ range: panel.span ? rangeOfSpan(panel.span) : range, round, every, limiter }}
          editing={cardEditing}
          onZoom={onZoom}
        />
      ))}
    </div>
  );
}
