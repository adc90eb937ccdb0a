// Logs of the last day, with those that were dropped: in minutes at first, in quarters of an hour after a day.

import { useAnswer } from '#console/client/answers.ts';
import { Histogram, type HistogramBucket } from '#console/components/charts/histogram.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { parseStamp, textOf } from '#console/time/moments.ts';
import { useZone } from '#console/time/time.tsx';

interface Minute {
  readonly time: string;
  readonly log_count: number;
  readonly drop_count: number;
}

const REFRESH_MS = 30_000;
const MINUTE_MS = 60_000;
const MAX_BUCKETS = 96;

export function RateChart({ guid }: { readonly guid: string }) {
  const { sources: labels } = useLabels();
  const zone = useZone();
  const answer = useAnswer('GET /api/core/loggers/:guid/rates', { guid }, { every: REFRESH_MS });
  return (
    <Answered answer={answer}>
      {({ since, rates }) => (
        <Histogram
          title={labels.rateOfDay}
          buckets={bucketsOf(rates)}
          width={minutesOf(rates) * MINUTE_MS}
          height={90}
          emptyText={labels.noneSince(textOf(parseStamp(since) ?? 0, zone))}
          series={[
            { id: 'logs', label: labels.logs, colour: '--series-1' },
            { id: 'drops', label: labels.drops, colour: '--high' },
          ]}
        />
      )}
    </Answered>
  );
}

/** Of one bucket. */
const minutesOf = (minutes: readonly Minute[]): number => Math.max(1, Math.ceil(minutes.length / MAX_BUCKETS));

/** The newest bucket is full: counting goes back from the last minute. */
function bucketsOf(minutes: readonly Minute[]): readonly HistogramBucket[] {
  const width = minutesOf(minutes);
  const count = Math.ceil(minutes.length / width);
  return Array.from({ length: count }, (_, index) => {
    const end = minutes.length - (count - 1 - index) * width;
    const part = minutes.slice(Math.max(0, end - width), end);
    const sum = (value: (minute: Minute) => number) => part.reduce((total, minute) => total + value(minute), 0);
    const last = parseStamp(part.at(-1)?.time ?? '') ?? 0;
    return {
      at: last - (width - 1) * MINUTE_MS,
      counts: { logs: sum(({ log_count }) => log_count), drops: sum(({ drop_count }) => drop_count) },
    };
  });
}
