// Offsets of a zone as SQL. DuckDB's `at time zone` calls a calendar library for every row; the few offset changes
// around the present become a CASE of numbers instead, and only dates outside of them take the slow path. The numbers
// come from the local evaluator, so that both evaluators use the same zone database there.
//
// All values are microseconds since 1970: instants as they are, wall-clock time as if it were UTC.

import { fixedMinutes } from '#query/model/zones.ts';

interface Change {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

interface ZoneTable {
  /** Absent for a fixed offset. */
  readonly from?: number;
  /** Absent if the zone has no change after the last one. */
  readonly until?: number;
  readonly first: number;
  readonly changes: readonly Change[];
}

const MAX_CHANGES = 12;
const YEARS_BACK = 4;
const YEARS_AHEAD = 2;
const tables = new Map<string, ZoneTable>();

function tableOf(zone: string, now: Temporal.Instant): ZoneTable {
  const fixed = fixedMinutes(zone);
  if (fixed !== undefined) return { first: fixed * 60_000, changes: [] };
  const { year } = now.toZonedDateTimeISO('UTC');
  const key = `${year} ${zone}`;
  const table = tables.get(key) ?? since(1970, zone, year) ?? since(year - YEARS_BACK, zone, year);
  if (!table) throw new Error(`the zone ${zone} changes too often`);
  tables.set(key, table);
  return table;
}

/** All changes from a year on; undefined if there are too many. */
function since(first: number, zone: string, year: number): ZoneTable | undefined {
  const from = Date.UTC(first, 0, 1);
  const end = Date.UTC(year + YEARS_AHEAD, 0, 1);
  const start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  const changes: Change[] = [];
  let before = offsetOf(start);
  for (let at = start.getTimeZoneTransition('next'); at; at = at.getTimeZoneTransition('next')) {
    if (at.epochMilliseconds >= end) return { from, until: end, first: offsetOf(start), changes };
    if (changes.length === MAX_CHANGES + YEARS_BACK) return undefined;
    changes.push({ at: at.epochMilliseconds, before, after: offsetOf(at) });
    before = offsetOf(at);
  }
  return { from, first: offsetOf(start), changes };
}

/**
 * A period in which a zone has one offset, or offsets that are equal modulo a length: `offset` is then the remainder.
 */
interface SteadyTime {
  readonly from: number;
  readonly until: number;
  readonly offset: number;
}

const STEADY_UNTIL = Date.UTC(2100, 0, 1);
const steadyTimes = new Map<string, SteadyTime>();

/** The last such period between 1970 and `STEADY_UNTIL`. */
function steadyOf(zone: string, length: number | undefined): SteadyTime {
  const key = `${length} ${zone}`;
  const known = steadyTimes.get(key);
  if (known) return known;
  const start = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
  const rest = (at: Temporal.ZonedDateTime) =>
    length === undefined ? offsetOf(at) : ((offsetOf(at) % length) + length) % length;
  let steady = { from: 0, until: STEADY_UNTIL, offset: rest(start) };
  let at = start.getTimeZoneTransition('next');
  while (at && at.epochMilliseconds < STEADY_UNTIL) {
    if (rest(at) !== steady.offset) steady = { ...steady, from: at.epochMilliseconds, offset: rest(at) };
    at = at.getTimeZoneTransition('next');
  }
  steadyTimes.set(key, steady);
  return steady;
}

const offsetOf = (at: Temporal.ZonedDateTime): number => at.offsetNanoseconds / 1e6;

const micro = (milliseconds: number): string => `${milliseconds}000`;

export class Zone {
  readonly #table: ZoneTable;
  readonly #name: string;
  readonly #zone: string;
  readonly #now: Temporal.Instant;

  /** `name` is the bound name of the zone as SQL. */
  constructor(zone: string, name: string, now: Temporal.Instant) {
    this.#table = tableOf(zone, now);
    this.#name = name;
    this.#zone = zone;
    this.#now = now;
  }

  /**
   * Undefined if the period has not begun by now; with a length in milliseconds offsets must be equal only modulo it.
   */
  steady(length?: number): SteadyTime | undefined {
    const steady = steadyOf(this.#zone, length);
    return steady.from < this.#now.epochMilliseconds ? steady : undefined;
  }

  /** The offset of an instant; `us` is plain. */
  offset(us: string): string {
    const slow = `epoch_us(make_timestamptz(${us}) at time zone ${this.#name}) - ${us}`;
    return this.#chosen(us, slow, ({ at }) => at, 0);
  }

  /** The offset that turns a wall-clock time into an instant: the first of two, and forward in a gap. `us` is plain. */
  wallOffset(us: string): string {
    const slow = `${us} - epoch_us(vigil_instant(make_timestamp(${us}), ${this.#name}))`;
    return this.#chosen(us, slow, ({ at, before, after }) => at + Math.max(before, after), 2 * 86_400_000);
  }

  #chosen(us: string, slow: string, begin: (change: Change) => number, margin: number): string {
    const { from, until, first, changes } = this.#table;
    if (from === undefined) return micro(first);
    const beyond = until === undefined ? '' : ` or ${us} >= ${micro(until - margin)}`;
    const cases = changes
      .map((change) => `when ${us} >= ${micro(begin(change))} then ${micro(change.after)}`)
      .reverse();
    return `case when ${us} < ${micro(from + margin)}${beyond} then ${slow} ${cases.join(' ')} else ${micro(first)} end`;
  }
}
