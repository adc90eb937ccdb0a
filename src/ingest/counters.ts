// How much each logger has brought. Counted in memory and written down from time to time: a push must not wait for the
// metadata store.

import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { LoggerRates, type MinuteCounts } from './logger-rates.ts';

const FLUSH_PERIOD = Temporal.Duration.from({ seconds: 30 });

export interface Counts {
  readonly logs: number;
  readonly volume: number;
  readonly drops: number;
  readonly dropVolume: number;
}

/** Why logs were not kept: they were no logs, or there was no room for them. */
type DropReason = 'rejected' | 'dropped';

/** Where logs come from: a logger, or a protocol that brings them to a table without one. */
export type LogSource = { readonly logger: string } | { readonly protocol: string; readonly table: string };

/** Told of everything that is counted, for measuring. */
export interface CountObserver {
  counted(source: LogSource, counts: Counts, dropped: DropReason): void;
  /** Logs that are kept as text, because nothing could be made of them. */
  malformed(loggerGuid: string, logs: number): void;
  /** A sender of a logger over TLS that was not let in. */
  handshakeRefused(loggerGuid: string): void;
}

const NOTHING: Counts = { logs: 0, volume: 0, drops: 0, dropVolume: 0 };

export class LoggerCounters {
  readonly #store: Store;
  readonly #observer: CountObserver;
  readonly #flushing: Disposable;
  readonly #pending = new Map<string, Counts>();
  readonly #clock: Clock;
  /** Epoch milliseconds of the last log of each logger since the start. */
  readonly #lastLogs = new Map<string, number>();
  readonly #rates: LoggerRates;
  #written: Promise<void> = Promise.resolve();

  constructor(store: Store, clock: Clock, observer: CountObserver) {
    this.#store = store;
    this.#observer = observer;
    this.#clock = clock;
    this.#rates = new LoggerRates(clock.now().epochMilliseconds);
    // The store tells of its failure itself, and what is not written now is written next time.
    this.#flushing = clock.every(FLUSH_PERIOD, () => void this.flush().catch(() => undefined));
  }

  add(loggerGuid: string, counts: Counts, dropped: DropReason = 'rejected'): void {
    this.#pending.set(loggerGuid, sum(this.pending(loggerGuid), counts));
    const nowMs = this.#clock.now().epochMilliseconds;
    if (counts.logs > 0) this.#lastLogs.set(loggerGuid, nowMs);
    this.#rates.add(loggerGuid, counts, nowMs);
    this.#observer.counted({ logger: loggerGuid }, counts, dropped);
  }

  malformed(loggerGuid: string, logs: number): void {
    if (logs > 0) this.#observer.malformed(loggerGuid, logs);
  }

  handshakeRefused(loggerGuid: string): void {
    this.#observer.handshakeRefused(loggerGuid);
  }

  /** Epoch milliseconds of the last log since the start of the service; undefined without any. */
  lastLogOf(loggerGuid: string): number | undefined {
    return this.#lastLogs.get(loggerGuid);
  }

  /** Counts of each minute of the last day, as far as the service has run. */
  ratesOf(loggerGuid: string): { readonly sinceMs: number; readonly minutes: readonly MinuteCounts[] } {
    const minutes = this.#rates.of(loggerGuid, this.#clock.now().epochMilliseconds);
    return { sinceMs: this.#rates.sinceMs, minutes };
  }

  /** What the database does not know yet. */
  pending(loggerGuid: string): Counts {
    return this.#pending.get(loggerGuid) ?? NOTHING;
  }

  /** One after another: what two of them wrote at the same moment would be counted twice. */
  flush(): Promise<void> {
    const write = () => this.#write();
    this.#written = this.#written.then(write, write);
    return this.#written;
  }

  async close(): Promise<void> {
    this.#flushing[Symbol.dispose]();
    await this.flush();
  }

  /** Counts of a logger that is gone are gone with it. */
  async #write(): Promise<void> {
    this.#rates.prune(this.#clock.now().epochMilliseconds);
    if (this.#pending.size === 0) return;
    const written = [...this.#pending];
    // Readers see a commit before it is flushed: counts leave in the unit that writes them, which may be run again.
    let hasLeft = false;
    const unit = async (db: Db) => {
      for (const [guid, { logs, volume, drops, dropVolume }] of written) {
        const last = this.#lastLogs.get(guid);
        const updated = await db
          .updateTable('loggers')
          .set((eb) => ({
            ...(last === undefined ? {} : { last_log_at: last }),
            log_count: eb('log_count', '+', logs),
            log_volume: eb('log_volume', '+', volume),
            drop_count: eb('drop_count', '+', drops),
            drop_volume: eb('drop_volume', '+', dropVolume),
          }))
          .where('guid', '=', guid)
          .returning('guid')
          .executeTakeFirst();
        if (updated) continue;
        this.#lastLogs.delete(guid);
        this.#rates.forget(guid);
      }
      if (!hasLeft) for (const [guid, counts] of written) this.#forget(guid, counts);
      hasLeft = true;
    };
    try {
      await this.#store.write(unit);
    } catch (error) {
      if (hasLeft) for (const [guid, counts] of written) this.#pending.set(guid, sum(this.pending(guid), counts));
      throw error;
    }
  }

  #forget(guid: string, written: Counts): void {
    const { logs, volume, drops, dropVolume } = written;
    const left = sum(this.pending(guid), { logs: -logs, volume: -volume, drops: -drops, dropVolume: -dropVolume });
    if (left.logs === 0 && left.drops === 0) this.#pending.delete(guid);
    else this.#pending.set(guid, left);
  }
}

const sum = (one: Counts, other: Counts): Counts => ({
  logs: one.logs + other.logs,
  volume: one.volume + other.volume,
  drops: one.drops + other.drops,
  dropVolume: one.dropVolume + other.dropVolume,
});
