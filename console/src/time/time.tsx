// Times in the zone of the reader; the service's own stamp shows on hover and focus.

import { createContext, use } from 'react';
import { useLabels } from '#console/labels/labels.tsx';
import { browserZone, now, type Precision, parseStamp, textOf, toIso, toStamp } from './moments.ts';

const ZoneContext = createContext<string>(browserZone());

export const ZoneProvider = ZoneContext.Provider;
/** The zone in which the reader sees times. */
export const useZone = (): string => use(ZoneContext);

export interface TimeProps {
  /** A stamp of the service, or epoch milliseconds. */
  readonly at: string | number;
  readonly precision?: Precision;
  /** `3 min ago` in place of the clock. */
  readonly isRelative?: boolean;
}

export function Time({ at, precision = 'second', isRelative = false }: TimeProps) {
  const labels = useLabels();
  const zone = useZone();
  const moment = typeof at === 'number' ? at : parseStamp(at);
  // A text that is no time is shown as it came.
  if (moment === undefined) return <span>{at}</span>;
  const stamp = typeof at === 'number' ? toStamp(at) : at;
  const text = textOf(moment, zone, precision);
  return (
    <time dateTime={toIso(moment)} title={`${text} ${zone}\n${labels.times.service(stamp)}`}>
      {isRelative ? agoText(moment, labels.times) : text}
    </time>
  );
}

export function agoText(at: number, labels: ReturnType<typeof useLabels>['times']): string {
  const seconds = Math.floor((now() - at) / 1000);
  if (seconds < -60) return labels.inFuture;
  if (seconds < 60) return labels.secondsAgo(Math.max(0, seconds));
  if (seconds < 3600) return labels.minutesAgo(Math.floor(seconds / 60));
  if (seconds < 172_800) return labels.hoursAgo(Math.floor(seconds / 3600));
  return labels.daysAgo(Math.floor(seconds / 86_400));
}
