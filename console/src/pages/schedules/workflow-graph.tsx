// A workflow as a graph, laid out from left to right: arrows are drawn, schedules are buttons above the drawing.

import { useEffect, useRef } from 'react';
import { StatusBadge } from '#console/components/badge.tsx';
import { EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './schedules.module.css';
import { type Schedule, STATE_TONES, stateOf } from './schedules-search.ts';
import { type PlacedSchedule, workflowOf } from './workflow-layout.ts';

const WIDTH = 176;
const HEIGHT = 58;
const GAP_X = 104;
const GAP_Y = 18;

const leftOf = ({ column }: PlacedSchedule): number => column * (WIDTH + GAP_X);
const topOf = ({ row }: PlacedSchedule): number => row * (HEIGHT + GAP_Y);

interface WorkflowGraphProps {
  readonly guid: string;
  readonly schedules: readonly Schedule[];
  onOpen(guid: string): void;
}

export function WorkflowGraph({ guid, schedules, onOpen }: WorkflowGraphProps) {
  const { schedules: labels } = useLabels();
  const { placed, columns, rows } = workflowOf(guid, schedules);
  const frame = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another schedule may stand outside of the view.
  useEffect(() => {
    frame.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [guid]);
  if (placed.length < 2) return <EmptyState icon="share" title={labels.workflow} text={labels.workflowText} />;
  const byGuid = new Map(placed.map((one) => [one.schedule.guid, one]));
  const width = columns * (WIDTH + GAP_X) - GAP_X;
  const height = rows * (HEIGHT + GAP_Y) - GAP_Y;
  return (
    <div ref={frame} className={styles.graph}>
      <div className={styles.canvas} style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {placed.map((one) => {
            const before = byGuid.get(one.schedule.preceding_guid ?? '');
            return before && <Arrow key={one.schedule.guid} from={before} to={one} />;
          })}
        </svg>
        <ul aria-label={labels.workflow}>
          {placed
            .toSorted((one, other) => one.column - other.column || one.row - other.row)
            .map((one) => (
              <Node key={one.schedule.guid} placed={one} isCurrent={one.schedule.guid === guid} onOpen={onOpen} />
            ))}
        </ul>
      </div>
    </div>
  );
}

function Arrow({ from, to }: { readonly from: PlacedSchedule; readonly to: PlacedSchedule }) {
  const { schedules: labels } = useLabels();
  const x1 = leftOf(from) + WIDTH;
  const y1 = topOf(from) + HEIGHT / 2;
  const x2 = leftOf(to);
  const y2 = topOf(to) + HEIGHT / 2;
  const middle = (x1 + x2) / 2;
  const action = to.schedule.preceding_action;
  return (
    <g className={styles.arrow}>
      <path d={`M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2 - 6} ${y2}`} />
      <path d={`M${x2 - 9} ${y2 - 4} L${x2 - 1} ${y2} L${x2 - 9} ${y2 + 4}`} />
      {action !== null && (
        <text x={middle} y={(y1 + y2) / 2 - 6}>
          {labels.actions[action]}
        </text>
      )}
    </g>
  );
}

interface NodeProps {
  readonly placed: PlacedSchedule;
  readonly isCurrent: boolean;
  onOpen(guid: string): void;
}

function Node({ placed, isCurrent, onOpen }: NodeProps) {
  const { schedules: labels } = useLabels();
  const { schedule } = placed;
  const state = stateOf(schedule);
  const { preceding_name, preceding_action } = schedule;
  return (
    <li style={{ left: leftOf(placed), top: topOf(placed), width: WIDTH, height: HEIGHT }}>
      <button
        type="button"
        className={styles.node}
        title={schedule.name}
        aria-current={isCurrent || undefined}
        onClick={() => onOpen(schedule.guid)}
      >
        <span className={styles.nodeName}>{schedule.name}</span>
        <StatusBadge tone={STATE_TONES[state]}>{labels.states[state]}</StatusBadge>
        {preceding_action !== null && preceding_name !== null && (
          <span className="visually-hidden">{labels.after(preceding_name, labels.actions[preceding_action])}</span>
        )}
      </button>
    </li>
  );
}
