// What each logger brought minute by minute over the last day. In memory alone: counting begins anew with each start.

import type { Counts } from './counts.ts';

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS = 24;
/** The minute that has begun included. */
const SHOWN_MINUTES = HOURS * MINUTES_PER_HOUR;
/** Logs, their volume, drops and theirs. */
const FIGURES = 4;

export interface MinuteCounts extends Counts {
  /** Epoch milliseconds of its beginning. */
  readonly atMs: number;
}

const hourOf = (minute: number): number => Math.floor(minute / MINUTES_PER_HOUR);

export class LoggerRates {
  /** Epoch milliseconds of the minute in which counting began. */
  readonly sinceMs: number;
  /** By logger, then by hour since the epoch; an hour without logs takes no memory. */
  readonly #loggers = new Map<string, Map<number, Float64Array>>();

  constructor(nowMs: number) {
    this.sinceMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  }

  add(loggerGuid: string, { logs, volume, drops, dropVolume }: Counts, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const hours = this.#loggers.get(loggerGuid) ?? new Map<number, Float64Array>();
    this.#loggers.set(loggerGuid, hours);
    const figures = hours.get(hourOf(minute)) ?? new Float64Array(MINUTES_PER_HOUR * FIGURES);
    hours.set(hourOf(minute), figures);
    const at = (minute % MINUTES_PER_HOUR) * FIGURES;
    for (const [index, figure] of [logs, volume, drops, dropVolume].entries()) {
      figures[at + index] = (figures[at + index] ?? 0) + figure;
    }
  }

  /** Oldest first, one for each minute since counting began, of the last day at most. */
  of(loggerGuid: string, nowMs: number): MinuteCounts[] {
    const last = Math.floor(nowMs / MINUTE_MS);
    const first = Math.max(last - SHOWN_MINUTES + 1, this.sinceMs / MINUTE_MS);
    const hours = this.#loggers.get(loggerGuid);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
      const minute = first + index;
      const at = (minute % MINUTES_PER_HOUR) * FIGURES;
      const [logs = 0, volume = 0, drops = 0, dropVolume = 0] =
        hours?.get(hourOf(minute))?.subarray(at, at + FIGURES) ?? [];
      return { atMs: minute * MINUTE_MS, logs, volume, drops, dropVolume };
    });
  }

  forget(loggerGuid: string): void {
    this.#loggers.delete(loggerGuid);
  }

  /** Forgets what is older than a day. */
  prune(nowMs: number): void {
    const oldest = hourOf(Math.floor(nowMs / MINUTE_MS)) - HOURS;
    for (const [guid, hours] of this.#loggers) {
      for (const hour of hours.keys()) if (hour < oldest) hours.delete(hour);
      if (hours.size === 0) this.#loggers.delete(guid);
    }
  }
}
