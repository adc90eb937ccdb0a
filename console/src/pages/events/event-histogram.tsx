// Events by priority over time.

import type { UseQueryResult } from '@tanstack/react-query';
import type { AnswerFor } from '#client/call.ts';
import { Histogram } from '#console/components/charts/histogram.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { parseStamp } from '#console/time/moments.ts';
import type { Interval } from '#console/time/ranges.ts';

const COLOURS = { LOW: '--low', MEDIUM: '--medium', HIGH: '--high' } as const;

interface EventHistogramProps {
  readonly answer: UseQueryResult<AnswerFor<'GET /api/core/events/histogram'>>;
  readonly height?: number;
  onZoom?(interval: Interval): void;
}

export function EventHistogram({ answer, height = 96, onZoom }: EventHistogramProps) {
  const { events: labels, priority } = useLabels();
  return (
    <Answered answer={answer} lines={3}>
      {({ buckets, interval: seconds }) => (
        <Histogram
          title={labels.overTime}
          height={height}
          width={seconds * 1000}
          buckets={buckets.map(({ time, LOW, MEDIUM, HIGH }) => ({
            at: parseStamp(time) ?? 0,
            counts: { LOW, MEDIUM, HIGH },
          }))}
          series={(['LOW', 'MEDIUM', 'HIGH'] as const).map((id) => ({ id, label: priority[id], colour: COLOURS[id] }))}
          {...(onZoom ? { onZoom } : {})}
        />
      )}
    </Answered>
  );
}
