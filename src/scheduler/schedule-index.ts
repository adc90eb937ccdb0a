// The next due time of every job, in memory. Equal schedules are computed once, and the nearest time is found without
// visiting every job.

import { BoundedMap } from '#runtime/bounded-map.ts';
import { parseCron, type Schedule } from './cron/cron.ts';
import { type JobKey, keyOf } from './slots/slot.ts';

/** A job with its next due time. */
export interface ScheduleEntry extends JobKey {
  readonly cron: string;
  readonly since: number;
  /** All earlier slots have a row; undefined when no slot will ever come. */
  next: number | undefined;
  /** Time of the first missed slot that is not queued for backfill yet. */
  missedSince: number | undefined;
}

/** The next time of a schedule: no slot lies between `after` and `next`. */
interface NextMoment {
  readonly schedule: Schedule;
  after: number;
  next: number | undefined;
}

export class ScheduleIndex {
  readonly #zone: string;
  readonly #entries = new Map<string, ScheduleEntry>();
  readonly #nextMoments = new BoundedMap<string, NextMoment>({ max: MAX_SCHEDULES, evicts: 'all' });
  /** Entries by next due time. */
  readonly #byTime = new Map<number, Set<ScheduleEntry>>();
  /** Entries with missed slots. */
  readonly #backlogged = new Set<ScheduleEntry>();

  constructor(zone: string) {
    this.#zone = zone;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(job: JobKey): ScheduleEntry | undefined {
    return this.#entries.get(keyOf(job));
  }

  all(): Iterable<ScheduleEntry> {
    return this.#entries.values();
  }

  /** Adds or replaces an entry. Slots up to `after` have their rows, or need none. */
  put(job: JobKey & { cron: string; since: number }, after: number): void {
    this.remove(job);
    const { kind, guid, cron, since } = job;
    const entry: ScheduleEntry = { kind, guid, cron, since, next: this.nextOf(cron, after), missedSince: undefined };
    this.#entries.set(keyOf(job), entry);
    this.#index(entry);
  }

  /** Records a missed slot before the next due time. */
  noteMissed(job: JobKey, at: number): void {
    const entry = this.find(job);
    if (!entry) return;
    entry.missedSince = Math.min(at, entry.missedSince ?? at);
    this.#backlogged.add(entry);
  }

  remove(job: JobKey): void {
    const entry = this.find(job);
    if (!entry) return;
    this.#unindex(entry);
    this.#entries.delete(keyOf(job));
  }

  /** Slots up to `after` have their rows. An entry that was replaced meanwhile is ignored. */
  advance(entry: ScheduleEntry, after: number, missedSince: number | undefined): void {
    if (this.find(entry) !== entry) return;
    this.#unindex(entry);
    entry.next = this.nextOf(entry.cron, after);
    entry.missedSince = missedSince;
    this.#index(entry);
  }

  /**
   * Entries that are due by `now` or have missed slots; at most `limit`. The latest due times come
   * first.
   */
  due(now: number, limit: number): ScheduleEntry[] {
    const found = new Set<ScheduleEntry>();
    const moments = [...this.#byTime.keys()].filter((at) => at <= now).sort((left, right) => right - left);
    for (const at of moments) {
      for (const entry of this.#byTime.get(at) ?? []) {
        if (found.size >= limit) return [...found];
        found.add(entry);
      }
    }
    for (const entry of this.#backlogged) if (found.size < limit) found.add(entry);
    return [...found];
  }

  nearest(): number | undefined {
    if (this.#backlogged.size > 0) return 0;
    let nearest: number | undefined;
    for (const at of this.#byTime.keys()) if (nearest === undefined || at < nearest) nearest = at;
    return nearest;
  }

  /** Due times after `after`, up to `to`, at most `limit`. */
  between(cron: string, after: number, to: number, limit: number): number[] {
    const found: number[] = [];
    let at = this.nextOf(cron, after);
    while (at !== undefined && at <= to && found.length < limit) {
      found.push(at);
      at = this.nextOf(cron, at);
    }
    return found;
  }

  /** The first due time of a schedule after `after`. */
  nextOf(cron: string, after: number): number | undefined {
    const known = this.#nextMomentOf(cron);
    if (!known) return undefined;
    const isKnown = after >= known.after && (known.next === undefined || after < known.next);
    if (!isKnown) {
      known.next = known.schedule.next(Temporal.Instant.fromEpochMilliseconds(after), this.#zone)?.epochMilliseconds;
      known.after = after;
    }
    return known.next;
  }

  #nextMomentOf(cron: string): NextMoment | undefined {
    const known = this.#nextMoments.get(cron);
    if (known) return known;
    const schedule = parseCron(cron);
    if (!schedule) return undefined;
    const made: NextMoment = { schedule, after: Number.POSITIVE_INFINITY, next: undefined };
    this.#nextMoments.set(cron, made);
    return made;
  }

  #index(entry: ScheduleEntry): void {
    if (entry.missedSince !== undefined) this.#backlogged.add(entry);
    if (entry.next === undefined) return;
    const same = this.#byTime.get(entry.next);
    if (same) same.add(entry);
    else this.#byTime.set(entry.next, new Set([entry]));
  }

  #unindex(entry: ScheduleEntry): void {
    this.#backlogged.delete(entry);
    if (entry.next === undefined) return;
    const same = this.#byTime.get(entry.next);
    same?.delete(entry);
    if (same?.size === 0) this.#byTime.delete(entry.next);
  }
}

const MAX_SCHEDULES = 10_000;
