// From the rows that a rule has found to events: what each is to say, and which of them are one. Pure; what has been raised
// before is brought in by raise.ts.

import type { Json } from '#kernel/canonical-json.ts';
import type { Snapshot } from './snapshot.ts';

export type Fields = { readonly [name: string]: Json };

/** A row that a rule has found. */
export interface Match {
  readonly fields: Fields;
  /** Epoch milliseconds: of the record, or when the rule looked at it where the record has none. */
  readonly time: number;
}

/** Matches that are one event. */
export interface Cluster {
  readonly key: string;
  readonly msg: string;
  /** Of its first match. */
  readonly fields: Fields;
  first: number;
  last: number;
  count: number;
}

/** When a match joins what has been found before. */
export interface Merging {
  readonly intervalMs: number;
  /** Whether every joined match starts the interval anew. */
  readonly isRenewed: boolean;
}

export const mergingOf = ({ event_suppress_interval, keep_alive }: Snapshot): Merging => ({
  intervalMs: Number(event_suppress_interval ?? 0) * 1000,
  isRenewed: keep_alive === true,
});

/** Whether something found at `time` belongs to it. What arrives late may belong to what began after it. */
export function isWithin(time: number, { first, last }: { first: number; last: number }, merging: Merging): boolean {
  const { intervalMs, isRenewed } = merging;
  return time > first - intervalMs && time < (isRenewed ? last : first) + intervalMs;
}

/** The clusters of matches, in the order of their first ones. */
export function clustersOf(matches: readonly Match[], snapshot: Snapshot): Cluster[] {
  const merging = mergingOf(snapshot);
  const open = new Map<string, Cluster>();
  const clusters: Cluster[] = [];
  for (const { fields, time } of matches.toSorted((one, other) => one.time - other.time)) {
    const key = filled(String(snapshot.suppress_key ?? ''), fields);
    const current = open.get(key);
    if (current && isWithin(time, current, merging)) {
      current.last = time;
      current.count += 1;
      continue;
    }
    const cluster = { key, msg: filled(String(snapshot.msg), fields), fields, first: time, last: time, count: 1 };
    open.set(key, cluster);
    clusters.push(cluster);
  }
  return clusters;
}

/** As names are written in queries; a dot at the end is the end of a sentence. */
const NAMES = /\$([\p{L}_@](?:[\p{L}\p{Nd}\p{M}_@.]*[\p{L}\p{Nd}\p{M}_@])?)/gu;

/** The text with the values of its `$field`s; nothing for a field that the row does not have. */
export const filled = (text: string, fields: Fields): string =>
  text.replace(NAMES, (_, name: string) => {
    const value = Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
    if (value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
