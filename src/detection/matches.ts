// From the rows that a rule has found to events: what each is to say, and which of them are one. Pure; what has been
// raised before is brought in by raise.ts.

import { createHash } from 'node:crypto';
import type { Json } from '#kernel/canonical-json.ts';
import { forEachYielding } from '#kernel/yielding.ts';
import { shownConstants } from '#queries/constants.ts';
import type { MapValue } from '#query/model/values.ts';
import type { Snapshot } from './snapshot.ts';

/** Of a rule in one run, one push or one upload. More than that is no finding but a mistake in the rule. */
export const MAX_MATCHES = 100_000;

export type Fields = { readonly [name: string]: Json };

/** A row that a rule has found. */
export interface Match {
  readonly fields: Fields;
  /** Epoch milliseconds: that of the row, or what stands for it where a rule has let that go. */
  readonly time: number;
}

export function matchOf(row: MapValue, otherwise: number, zone: string): Match {
  const time = row.get('_time');
  // Shown constants are JSON.
  const fields = shownConstants(row, zone) as Fields;
  return { fields, time: time instanceof Temporal.Instant ? time.epochMilliseconds : otherwise };
}

/** Matches that are one event. */
export interface MatchCluster {
  readonly key: string;
  /** Of its first match. */
  readonly fields: Fields;
  readonly first: number;
  last: number;
  count: number;
}

/** From when to when something was found, and how often. */
export type MatchSpan = Pick<MatchCluster, 'first' | 'last' | 'count'>;

/** Matches that are the same to a rule, by their key, each in the order of time. */
export type KeyedMatches = ReadonlyMap<string, readonly Match[]>;

/** When a match joins what has been found before. */
export interface MergeOptions {
  readonly intervalMs: number;
  /** Whether every joined match starts the interval anew. */
  readonly isRenewed: boolean;
}

export const mergeOptionsOf = ({ event_suppress_interval, keep_alive }: Snapshot): MergeOptions => ({
  intervalMs: Number(event_suppress_interval ?? 0) * 1000,
  isRenewed: keep_alive === true,
});

/** Whether something found at `time` belongs to it. What arrives late may belong to what began after it. */
export function isWithin(
  time: number,
  { first, last }: { first: number; last: number },
  merging: MergeOptions,
): boolean {
  const { intervalMs, isRenewed } = merging;
  return time > first - intervalMs && time < (isRenewed ? last : first) + intervalMs;
}

/** Of as many as a run may find. */
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

export interface MergeResult {
  /** What the open one has grown to; undefined where nothing has joined it. */
  readonly joined: MatchSpan | undefined;
  /** In the order of time. */
  readonly fresh: readonly MatchCluster[];
}

/** Joins the matches of a key to what is open of it, and makes clusters of the others: one match at a time, as they came. */
export function mergeMatches(
  key: string,
  matches: readonly Match[],
  open: MatchSpan | undefined,
  merging: MergeOptions,
): MergeResult {
  const grown = open && { ...open };
  const fresh: MatchCluster[] = [];
  for (const { fields, time } of matches) {
    const home = [fresh.at(-1), grown].find((span) => span && isWithin(time, span, merging));
    if (home) {
      home.last = Math.max(home.last, time);
      home.count += 1;
    } else {
      fresh.push({ key, fields, first: time, last: time, count: 1 });
    }
  }
  return { joined: grown?.count === open?.count ? undefined : grown, fresh };
}

/** As names are written in queries; a dot at the end is the end of a sentence. */
const NAMES = /\$([\p{L}_@](?:[\p{L}\p{Nd}\p{M}_@.]*[\p{L}\p{Nd}\p{M}_@])?)/gu;

/**
 * The text with the values of its `$field`s; nothing for a field that the row does not have. Logs bring whatever their senders
 * like, and a rule may decode it: U+FFFD stands for what PostgreSQL does not take.
 */
export function fillTemplate(text: string, fields: Fields): string {
  const whole = text.replace(NAMES, (_, name: string) => {
    const value = Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
    if (value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
  return whole.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Bytes of a key, and how many are kept of a longer one: an entry of an index of PostgreSQL holds less than 2,704. */
const MAX_KEY_BYTES = 2000;
const KEY_PREFIX_BYTES = 1900;

/** What makes matches one: as it stands, or if it is too long its beginning and a hash of all of it. */
function keyOf(template: string, fields: Fields): string {
  const key = fillTemplate(template, fields);
  if (Buffer.byteLength(key) <= MAX_KEY_BYTES) return key;
  const bytes = Buffer.from(key);
  const beginning = bytes.toString('utf8', 0, KEY_PREFIX_BYTES).replace(/\uFFFD$/, '');
  return `${beginning}…${createHash('sha256').update(bytes).digest('hex')}`;
}
