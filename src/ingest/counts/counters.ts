// How much each logger has brought. Counted in memory and written to the metadata store from time to time, because a push must not
// wait for it; until then a file of the data folder has the counts too. When the last log came is told to other nodes within a second.

import { type SharedNumbers, sourceKey } from '#cluster/numbers.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic, Rounds } from '#runtime/periodic.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { type Counts, sum } from './counts.ts';
import { LoggerRates, type MinuteCounts } from './logger-rates.ts';
import type { UnwrittenCounts } from './unwritten-counts.ts';

/** A stored time that lies further ahead was written while a clock was wrong. */
const AHEAD_MS = 60_000;
const FLUSH_PERIOD = Temporal.Duration.from({ seconds: 30 });
/** After so long the node that has taken a log in has written its time. */
const TOLD_MS = 120_000;

/** Why logs were not kept: they were no logs, or there was no room for them. */
type DropReason = 'rejected' | 'dropped';

/** Where logs come from: a logger, or a protocol that brings them to a table without one. */
export type LogSource = { readonly logger: string } | ProtocolSource;

/** A table, and the way to it: `push`, `upload`, the name of a sender protocol, or the kind of a logger. */
export type ProtocolSource = { readonly protocol: string; readonly table: string };

/** Told of everything that is counted, for measuring. */
export interface CountObserver {
  counted(source: LogSource, counts: Counts, dropped: DropReason): void;
  /** Logs that are kept as text, because nothing could be made of them. */
  malformed(loggerGuid: string, logs: number): void;
  /** Logs that were stored as repaired. */
  repaired(source: ProtocolSource, logs: number): void;
  /** A followed file that is not read yet, because it may be a copy of another. */
  fileHeldBack(loggerGuid: string): void;
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

interface LoggerCountersDeps {
  readonly store: Store;
  /** That of a shared database, so that moments of several nodes can be compared. */
  readonly clock: Clock;
  readonly observer: CountObserver;
  readonly numbers: SharedNumbers;
  readonly unwritten: UnwrittenCounts;
}

const NOTHING: Counts = { logs: 0, volume: 0, drops: 0, dropVolume: 0 };

export class LoggerCounters {
  readonly #deps: LoggerCountersDeps;
  readonly #flushing: Disposable;
  readonly #pending = new Map<string, Counts>();
  /** Those of the last write of each logger: a row may have been read before it or after it. */
  readonly #lastWritten = new Map<string, WrittenCounts>();
  /** Epoch milliseconds of the last log of each logger since the start, or as an earlier process has left it unwritten. */
  readonly #lastLogs = new Map<string, number>();
  /** As told by other nodes. */
  readonly #toldLogs = new Map<string, number>();
  readonly #rates: LoggerRates;
  readonly #writes = new Rounds(() => this.#write());

  constructor(deps: LoggerCountersDeps) {
    this.#deps = deps;
    const { clock, numbers, unwritten } = deps;
    for (const [guid, { counts, lastLogMs }] of unwritten.left) {
      this.#pending.set(guid, counts);
      if (lastLogMs !== undefined) this.#lastLogs.set(guid, lastLogMs);
    }
    this.#rates = new LoggerRates(clock.nowMs());
    numbers.on('arrivals', (key, atMs) => this.#arrivedElsewhere(key, atMs));
    // The store tells of its failure itself, and what is not written now is written next time.
    this.#flushing = new Periodic({ clock, period: FLUSH_PERIOD, work: () => this.flush(), failed: ignoreFailure });
  }

  /** To be called before the logs are acknowledged: then a killed process does not lose the counts. */
  add(loggerGuid: string, counts: Counts, dropped: DropReason = 'rejected'): void {
    const { clock, numbers, observer, unwritten } = this.#deps;
    const nowMs = clock.nowMs();
    this.#pending.set(loggerGuid, sum(this.#countedOf(loggerGuid), counts));
    unwritten.add({ guid: loggerGuid, counts, atMs: nowMs });
    if (counts.logs > 0) {
      this.#lastLogs.set(loggerGuid, nowMs);
      numbers.raise('arrivals', sourceKey({ kind: 'logger', guid: loggerGuid }), nowMs);
    }
    this.#rates.add(loggerGuid, counts, nowMs);
    observer.counted({ logger: loggerGuid }, counts, dropped);
  }

  malformed(loggerGuid: string, logs: number): void {
    if (logs > 0) this.#deps.observer.malformed(loggerGuid, logs);
  }

  fileHeldBack(loggerGuid: string): void {
    this.#deps.observer.fileHeldBack(loggerGuid);
  }

  handshakeRefused(loggerGuid: string): void {
    this.#deps.observer.handshakeRefused(loggerGuid);
  }

  /** Epoch milliseconds of the last log on this node that may not be in the row of the logger; undefined without any. */
  lastLogOf(loggerGuid: string): number | undefined {
    return this.#lastLogs.get(loggerGuid);
  }

  /** As `lastLogOf`, on any node; one that is in the row of the logger may be missing. */
  lastLogAnywhere(loggerGuid: string): number | undefined {
    return latest(this.#lastLogs.get(loggerGuid), this.#toldLogs.get(loggerGuid));
  }

  /** Counts of each minute of the last day, as far as the service has run. */
  ratesOf(loggerGuid: string): { readonly sinceMs: number; readonly minutes: readonly MinuteCounts[] } {
    const minutes = this.#rates.of(loggerGuid, this.#deps.clock.nowMs());
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
    return this.#writes.next();
  }

  async close(): Promise<void> {
    this.#flushing[Symbol.dispose]();
    await this.flush();
  }

  /** Counts of a logger that is gone are gone with it. */
  async #write(): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    this.#rates.prune(nowMs);
    for (const [guid, atMs] of this.#toldLogs) if (nowMs - atMs > TOLD_MS) this.#toldLogs.delete(guid);
    if (this.#pending.size === 0) return;
    const written = [...this.#pending];
    const { store, unwritten } = this.#deps;
    const lastFile = unwritten.endFile();
    // Readers see a commit before its writer does: counts leave in the unit that writes them, which may be run again.
    let hasLeft = false;
    const unit = async (db: Db) => {
      for (const [guid, counts] of written) {
        const sumAfter = await this.#writeCounts(db, guid, counts);
        if (sumAfter === undefined) this.#forget(guid);
        else this.#lastWritten.set(guid, { counts, sumAfter });
      }
      await unwritten.setWritten(db, lastFile);
      if (!hasLeft) for (const [guid, counts] of written) this.#leave(guid, counts);
      hasLeft = true;
    };
    try {
      await store.write(unit);
    } catch (error) {
      for (const [guid, counts] of written) {
        this.#lastWritten.delete(guid);
        if (hasLeft) this.#pending.set(guid, sum(this.#countedOf(guid), counts));
      }
      throw error;
    }
    unwritten.remove(lastFile);
  }

  /** Gives the sum of logs and drops that the logger then has; undefined where it is gone. */
  async #writeCounts(db: Db, guid: string, { logs, volume, drops, dropVolume }: Counts): Promise<number | undefined> {
    const last = this.#lastLogs.get(guid) ?? null;
    const ahead = last && this.#deps.clock.nowMs() + AHEAD_MS;
    const updated = await db
      .updateTable('loggers')
      .set((eb) => ({
        // Another node may have written a later one; one that lies ahead was written while the clock was wrong.
        last_log_at: eb
          .case()
          .when(eb.or([eb('last_log_at', 'is', null), eb('last_log_at', '<', last), eb('last_log_at', '>', ahead)]))
          .then(last)
          .else(eb.ref('last_log_at'))
          .end(),
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

  #arrivedElsewhere(key: string, atMs: number): void {
    const guid = /^logger (.+)$/.exec(key)?.[1];
    if (guid !== undefined) this.#toldLogs.set(guid, Math.max(atMs, this.#toldLogs.get(guid) ?? 0));
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

/** Of two moments, one of which may be missing. */
const latest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
