// From matched rows to events: groups matches and fills in texts. Pure; raise-events.ts joins earlier events.

import { createHash } from 'node:crypto';
import type { Snapshot } from '#detection/rules/snapshot.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { shownConstants } from '#queries/runs/constants.ts';
import type { MapValue } from '#query/model/values.ts';
import { forEachYielding } from '#runtime/event-loop.ts';

/** Maximum of matches of a rule in one run, push or upload. More point to an error in the rule. */
export const MAX_MATCHES = 100_000;

export type Fields = { readonly [name: string]: Json };

/** A row that matches a rule. */
export interface Match {
  readonly fields: Fields;
  /** Epoch milliseconds: `_time` of the row, or a substitute where the rule has dropped it. */
  readonly time: number;
  /** Hash of the record that the row is, for a rule that counts each record once. */
  readonly record?: number | undefined;
}

export function matchOf(row: MapValue, otherwise: number, zone: string): Match {
  const time = row.get('_time');
  // Shown constants are JSON.
  const fields = shownConstants(row, zone) as Fields;
  return { fields, time: time instanceof Temporal.Instant ? time.epochMilliseconds : otherwise };
}

/** Matches that form one event. */
export interface MatchCluster {
  readonly key: string;
  /** Fields of the first match. */
  readonly fields: Fields;
  readonly first: number;
  last: number;
  count: number;
  /** Hashes of records that were counted in this run. */
  readonly records: number[];
}

/** First and last time of matches, their number and their records. */
export type MatchSpan = Pick<MatchCluster, 'first' | 'last' | 'count' | 'records'>;

/** Matches by suppress key, in the order of time. */
export type KeyedMatches = ReadonlyMap<string, readonly Match[]>;

/** Conditions under which a match joins an earlier event. */
export interface MergeOptions {
  readonly intervalMs: number;
  /** Whether every joined match restarts the interval. */
  readonly isRenewed: boolean;
}

export const mergeOptionsOf = ({ event_suppress_interval, keep_alive }: Snapshot): MergeOptions => ({
  intervalMs: Number(event_suppress_interval ?? 0) * 1000,
  isRenewed: keep_alive === true,
});

/** Whether a match at `time` joins the span. A late match may join a span that starts after it. */
export function isWithin(
  time: number,
  { first, last }: { first: number; last: number },
  merging: MergeOptions,
): boolean {
  const { intervalMs, isRenewed } = merging;
  return time > first - intervalMs && time < (isRenewed ? last : first) + intervalMs;
}

/** Yields, because a run may have MAX_MATCHES matches. */
export async function groupByKey(matches: readonly Match[], { suppress_key }: Snapshot): Promise<KeyedMatches> {
  const template = String(suppress_key ?? '');
  const keyed = new Map<string, Match[]>();
  await forEachYielding(
    matches.toSorted((one, other) => one.time - other.time),
    (match) => {
      const own = keyOf(template, match.fields);
      const same = keyed.get(own);
      if (same) same.push(match);
      else keyed.set(own, [match]);
    },
  );
  return keyed;
}

interface MergeResult<S> {
  /** The stored events that matches have joined. */
  readonly joined: ReadonlySet<S>;
  /** In the order of time. */
  readonly fresh: readonly MatchCluster[];
}

/**
 * Joins the matches of a key to the stored events that they are within, the newest of several, and makes clusters of the
 * others, in the order of time. `stored` are the events that may fit, the newest last; those that matches join grow.
 */
export function mergeMatches<S extends MatchSpan>(
  key: string,
  matches: readonly Match[],
  stored: readonly S[],
  merging: MergeOptions,
): MergeResult<S> {
  const joined = new Set<S>();
  const fresh: MatchCluster[] = [];
  const near = new NearSpans(stored, merging);
  for (const { fields, time, record } of matches) {
    const counted = record === undefined ? [] : [record];
    const own = fresh.at(-1);
    const event = own && isWithin(time, own, merging) ? undefined : near.at(time);
    const home = event ?? own;
    if (home && isWithin(time, home, merging)) {
      home.last = Math.max(home.last, time);
      home.count += 1;
      home.records.push(...counted);
      if (event) joined.add(event);
    } else {
      fresh.push({ key, fields, first: time, last: time, count: 1, records: counted });
    }
  }
  return { joined, fresh };
}

/** The spans that a match is within, for matches in the order of time: spans that are over are not visited again. */
class NearSpans<S extends MatchSpan> {
  /** With their indexes, the earliest last. */
  readonly #coming: (readonly [S, number])[];
  #near: (readonly [S, number])[] = [];
  readonly #merging: MergeOptions;

  constructor(spans: readonly S[], merging: MergeOptions) {
    this.#coming = spans.map((span, index) => [span, index] as const).sort(([one], [other]) => other.first - one.first);
    this.#merging = merging;
  }

  /** The last of the spans that fit, in the order in which they were given. */
  at(time: number): S | undefined {
    const { intervalMs } = this.#merging;
    for (let next = this.#coming.at(-1); next && next[0].first - intervalMs < time; next = this.#coming.at(-1)) {
      this.#near.push(next);
      this.#coming.pop();
    }
    this.#near = this.#near.filter(([span]) => isWithin(time, span, this.#merging));
    const [last] = this.#near.toSorted(([, one], [, other]) => other - one);
    return last?.[0];
  }
}

/** Field names as in queries; a trailing dot ends a sentence. */
const NAMES = /\$([\p{L}_@](?:[\p{L}\p{Nd}\p{M}_@.]*[\p{L}\p{Nd}\p{M}_@])?)/gu;

/**
 * The text with the values of its `$field`s; empty for a missing field. Values are untrusted, so characters that PostgreSQL
 * rejects become U+FFFD.
 */
export function fillTemplate(text: string, fields: Fields): string {
  const whole = text.replace(NAMES, (_, name: string) => {
    const value = Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
    if (value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
  return whole.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Maximum bytes of a key, and the prefix kept of a longer key: an index entry of PostgreSQL holds less than 2,704. */
const MAX_KEY_BYTES = 2000;
const KEY_PREFIX_BYTES = 1900;

/** The suppress key; a key that is too long becomes its prefix and a hash. */
function keyOf(template: string, fields: Fields): string {
  const key = fillTemplate(template, fields);
  if (Buffer.byteLength(key) <= MAX_KEY_BYTES) return key;
  const bytes = Buffer.from(key);
  const beginning = bytes.toString('utf8', 0, KEY_PREFIX_BYTES).replace(/\uFFFD$/, '');
  return `${beginning}…${createHash('sha256').update(bytes).digest('hex')}`;
}
