// Records of the filtering part of a query over time. Dragging over bars zooms in.

import { useQuery } from '@tanstack/react-query';
import { Histogram } from '#console/components/charts/histogram.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/search/search.module.css';
import { type CountAt, filledBuckets, histogramText, spanOf } from '#console/query-text/histogram-query.ts';
import { type CommandKinds, filterPartOf } from '#console/query-text/parts.ts';
import type { RunRequest } from '#console/results/query-run.ts';
import type { Row } from '#console/results/row.ts';
import { runToEnd } from '#console/results/run-to-end.ts';
import { parseStamp } from '#console/time/moments.ts';
import type { Interval } from '#console/time/ranges.ts';

interface RecordHistogramProps {
  readonly request: RunRequest;
  /** Id of the query of the reader: a further run counts anew. */
  readonly id: number;
  readonly kinds: CommandKinds;
  onZoom(interval: Interval): void;
}

const HEIGHT = 84;

/** Nothing for a query that reads no records. */
export function RecordHistogram({ request, id, kinds, onZoom }: RecordHistogramProps) {
  const { search: labels } = useLabels();
  const span = spanOf(request.interval);
  const text = histogramText(request.text, kinds, span);
  const counts = useQuery({
    queryKey: ['histogram', text, request.interval, id],
    queryFn: async ({ signal }) =>
      (await runToEnd({ text: text ?? '', interval: request.interval }, signal)).flatMap(countOf),
    enabled: text !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (text === undefined) return undefined;
  // A range in the text counts before that of the page.
  const interval = filterPartOf(request.text, kinds)?.hasOwnRange ? undefined : request.interval;
  const buckets = filledBuckets(counts.data ?? [], span, interval);
  return (
    <div className={styles.histogram}>
      {counts.isError ? (
        <p className={styles.note}>{labels.histogramFailed}</p>
      ) : (
        <Histogram
          title={labels.histogram}
          buckets={buckets.map(({ at, count }) => ({ at, counts: { records: count } }))}
          width={span.milliseconds}
          series={[{ id: 'records', label: labels.records, colour: '--series-1' }]}
          height={HEIGHT}
          isLoading={counts.isPending}
          onZoom={onZoom}
        />
      )}
    </div>
  );
}

function countOf({ _time, count }: Row): readonly CountAt[] {
  const at = typeof _time === 'string' ? parseStamp(_time) : undefined;
  return at === undefined ? [] : [{ at, count: Number(count) }];
}
