// When which job is due next, in memory: computed from the schedules, a slice at a time. Equal schedules are worked out
// once, and the nearest moment is found without looking at every job.

import { parseCron, type Schedule } from './cron.ts';
import { type JobKey, keyOf } from './slot.ts';

/** A job on the agenda. */
export interface ScheduleEntry extends JobKey {
  readonly cron: string;
  readonly since: number;
  /** Every slot before it has its row; undefined when none will ever come. */
  next: number | undefined;
  /** Since when slots were missed that nobody has caught up with yet. */
  missedSince: number | undefined;
}

/** What is known of a schedule: between `after` and `next` there is nothing. */
interface NextMoment {
  readonly schedule: Schedule;
  after: number;
  next: number | undefined;
}

export class ScheduleIndex {
  readonly #zone: string;
  readonly #entries = new Map<string, ScheduleEntry>();
  readonly #nextMoments = new Map<string, NextMoment>();
  /** Entries by their next moment: those of equal schedules lie together. */
  readonly #byTime = new Map<number, Set<ScheduleEntry>>();
  /** Entries that have something to catch up with. */
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

  /** Takes the place of what was there. Slots up to `after` have their rows, or need none. */
  put(job: JobKey & { cron: string; since: number }, after: number): void {
    this.remove(job);
    const { kind, guid, cron, since } = job;
    const entry: ScheduleEntry = { kind, guid, cron, since, next: this.nextOf(cron, after), missedSince: undefined };
    this.#entries.set(keyOf(job), entry);
    this.#index(entry);
  }

  /** A slot of the job was missed that is behind what is waited for. */
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

  /** Slots up to `after` have their rows. An entry that was replaced meanwhile stays out. */
  advance(entry: ScheduleEntry, after: number, missedSince: number | undefined): void {
    if (this.find(entry) !== entry) return;
    this.#unindex(entry);
    entry.next = this.nextOf(entry.cron, after);
    entry.missedSince = missedSince;
    this.#index(entry);
  }

  /**
   * Entries with something due by `now`, or something to catch up with; at most `limit`. What has just fallen due comes before
   * what is long past.
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

  /** Moments due after `after`, up to `to`, at most `limit`. */
  between(cron: string, after: number, to: number, limit: number): number[] {
    const found: number[] = [];
    let at = this.nextOf(cron, after);
    while (at !== undefined && at <= to && found.length < limit) {
      found.push(at);
      at = this.nextOf(cron, at);
    }
    return found;
  }

  /** The first moment of a schedule after another. */
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
    if (this.#nextMoments.size >= MAX_SCHEDULES) this.#nextMoments.clear();
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
