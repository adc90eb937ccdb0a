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

/** What the database knows of a logger. */
interface KnownCounts {
  readonly guid: string;
  readonly log_count: number;
  readonly drop_count: number;
}

/** Counts on their way into the database, and the sum of logs and drops there from which on they are part of it. */
interface WrittenCounts {
  readonly counts: Counts;
  readonly sumAfter: number;
}

const NOTHING: Counts = { logs: 0, volume: 0, drops: 0, dropVolume: 0 };

export class LoggerCounters {
  readonly #store: Store;
  readonly #observer: CountObserver;
  readonly #flushing: Disposable;
  readonly #pending = new Map<string, Counts>();
  /** Those of the last write of each logger: a row may have been read before it or after it. */
  readonly #lastWritten = new Map<string, WrittenCounts>();
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
    this.#pending.set(loggerGuid, sum(this.#countedOf(loggerGuid), counts));
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

  /** What a row of the database does not know yet, whenever it was read: counts neither vanish nor come twice. */
  pendingOf({ guid, log_count, drop_count }: KnownCounts): Counts {
    const written = this.#lastWritten.get(guid);
    const counted = this.#countedOf(guid);
    return written && log_count + drop_count < written.sumAfter ? sum(counted, written.counts) : counted;
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
    // Readers see a commit before its writer does: counts leave in the unit that writes them, which may be run again.
    let hasLeft = false;
    const unit = async (db: Db) => {
      for (const [guid, counts] of written) {
        const sumAfter = await this.#writeCounts(db, guid, counts);
        if (sumAfter === undefined) this.#forget(guid);
        else this.#lastWritten.set(guid, { counts, sumAfter });
      }
      if (!hasLeft) for (const [guid, counts] of written) this.#leave(guid, counts);
      hasLeft = true;
    };
    try {
      await this.#store.write(unit);
    } catch (error) {
      for (const [guid, counts] of written) {
        this.#lastWritten.delete(guid);
        if (hasLeft) this.#pending.set(guid, sum(this.#countedOf(guid), counts));
      }
      throw error;
    }
  }

  /** Gives the sum of logs and drops that the logger then has; undefined where it is gone. */
  async #writeCounts(db: Db, guid: string, { logs, volume, drops, dropVolume }: Counts): Promise<number | undefined> {
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
      .returning(['log_count', 'drop_count'])
      .executeTakeFirst();
    return updated && updated.log_count + updated.drop_count;
  }

  #countedOf(guid: string): Counts {
    return this.#pending.get(guid) ?? NOTHING;
  }

  #forget(guid: string): void {
    this.#lastLogs.delete(guid);
    this.#lastWritten.delete(guid);
    this.#rates.forget(guid);
  }

  #leave(guid: string, { logs, volume, drops, dropVolume }: Counts): void {
    const left = sum(this.#countedOf(guid), { logs: -logs, volume: -volume, drops: -drops, dropVolume: -dropVolume });
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
