// A panel in the grid. While the dashboard is edited it is moved by its handle and sized by its corner, with the mouse or with
// the arrow keys.

import type { KeyboardEvent, PointerEvent } from 'react';
import { IconButton } from '#console/components/button.tsx';
import { Icon } from '#console/components/icon.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { SearchLink } from '#console/pages/search-link.tsx';
import type { Interval } from '#console/time/ranges.ts';
import type { PanelData } from './dashboard.ts';
import styles from './dashboards.module.css';
import type { Box } from './grid.ts';
import { PanelContent, type PanelRun } from './panel-content.tsx';

export interface PanelEditing {
  /** Follows the pointer from where it is pressed. */
  onDrag(event: PointerEvent<HTMLElement>, panel: PanelData, kind: 'move' | 'size'): void;
  onChange(id: string, change: Partial<Box>): void;
  onEdit(panel: PanelData): void;
  onRemove(panel: PanelData): void;
}

interface PanelCardProps {
  readonly panel: PanelData;
  readonly run: PanelRun;
  /** Undefined while the dashboard is only looked at. */
  readonly editing: PanelEditing | undefined;
  onZoom(interval: Interval): void;
}

export function PanelCard({ panel, run, editing, onZoom }: PanelCardProps) {
  const { dashboards: labels } = useLabels();
  const { x, y, w, h } = panel;
  const name = panel.title || labels.untitled;
  return (
    <section
      className={styles.panel}
      aria-label={name}
      data-editing={editing !== undefined}
      style={{ gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }}
    >
      <header className={styles.panelHeader}>
        {editing && <Handle kind="move" panel={panel} editing={editing} label={labels.move(name)} />}
        <h2>{name}</h2>
        {editing ? (
          <>
            <IconButton icon="edit" size="small" label={labels.editPanel(name)} onClick={() => editing.onEdit(panel)} />
            <IconButton
              icon="trash"
              size="small"
              label={labels.removePanel(name)}
              onClick={() => editing.onRemove(panel)}
            />
          </>
        ) : (
          <SearchLink query={panel.query} range={run.range} title={labels.openInSearch}>
            <Icon name="search" size={14} />
            <span className="visually-hidden">{labels.openPanelInSearch(name)}</span>
          </SearchLink>
        )}
      </header>
      <div className={styles.panelBody}>
        <PanelContent panel={panel} run={run} onZoom={onZoom} />
      </div>
      {editing && <Handle kind="size" panel={panel} editing={editing} label={labels.size(name)} />}
    </section>
  );
}

interface HandleProps {
  readonly kind: 'move' | 'size';
  readonly panel: PanelData;
  readonly editing: PanelEditing;
  readonly label: string;
}

const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function Handle({ kind, panel, editing, label }: HandleProps) {
  const { id, x, y, w, h } = panel;
  function step(event: KeyboardEvent) {
    const [columns, rows] = STEPS[event.key] ?? [0, 0];
    if (columns === 0 && rows === 0) return;
    event.preventDefault();
    editing.onChange(id, kind === 'move' ? { x: x + columns, y: y + rows } : { w: w + columns, h: h + rows });
  }
  return (
    <button
      type="button"
      className={kind === 'move' ? styles.mover : styles.sizer}
      aria-label={label}
      title={label}
      onKeyDown={step}
      onPointerDown={(event) => editing.onDrag(event, panel, kind)}
    >
      <Icon name={kind === 'move' ? 'menu' : 'expand'} size={14} />
    </button>
  );
}
