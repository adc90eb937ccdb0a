// What a trial of a batch rule runs, and how many events its rows would make. The rules are those of a run by the service.

import { messageText } from '#console/pages/rules/rule-values.ts';
import type { Row } from '#console/results/row.ts';
import { parseStamp } from '#console/time/moments.ts';
import type { Interval } from '#console/time/ranges.ts';

export interface TrialSubject {
  readonly dataset_guid: string | null;
  readonly query?: string | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
  readonly datetrunc?: number | undefined;
  readonly msg: string;
  readonly suppress_key?: string | undefined;
  readonly event_suppress_interval?: number | undefined;
  readonly keep_alive?: boolean | undefined;
}

/** The query of the dataset, continued by the commands of the rule. */
export const trialText = (dataset: string | undefined, query: string | undefined): string =>
  [dataset, query].filter((text) => text !== undefined && text.trim() !== '').join(' | ');

/** Ends at `at`; both ends are cut down to `datetrunc`. Without a duration the whole time is open to the query. */
export function windowAt(
  { duration, datetrunc }: Pick<TrialSubject, 'duration' | 'datetrunc'>,
  at: number,
): { readonly interval: Interval; readonly isOwn: boolean } {
  if (duration === undefined) return { interval: { from: 0, to: Math.ceil(at / 1000) * 1000 }, isOwn: false };
  const unit = Math.max(1, datetrunc ?? 1) * 1000;
  const cut = (time: number) => Math.floor(time / unit) * unit;
  return { interval: { from: cut(at - duration * 1000), to: cut(at) }, isOwn: true };
}

/** Matches of one key join while their interval lasts; without an interval each is an event of its own. */
export function eventsOf(rows: readonly Row[], subject: TrialSubject): number {
  const { suppress_key = '', event_suppress_interval = 0 } = subject;
  if (event_suppress_interval === 0) return rows.length;
  const byKey = Map.groupBy(rows, (row) => messageText(suppress_key, row));
  return [...byKey.values()].reduce((sum, own) => sum + clustersIn(own.map(timeOf), subject), 0);
}

/** A row without a time counts as one of the run. */
const timeOf = ({ _time }: Row): number => (typeof _time === 'string' ? (parseStamp(_time) ?? 0) : 0);

function clustersIn(
  times: readonly number[],
  { event_suppress_interval = 0, keep_alive = false }: TrialSubject,
): number {
  let clusters = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const time of times.toSorted((one, other) => one - other)) {
    const isNew = time >= end;
    if (isNew) clusters += 1;
    if (isNew || keep_alive) end = time + event_suppress_interval * 1000;
  }
  return clusters;
}
