// Watches loggers and tables from which records are expected, and raises an alarm when none has come for that long.
//
//   expected ──no record for `expect_every`──► silent ──record, or no longer expected──► expected, or not watched
//
// Silence is a failure of its own beside other failures of a logger: it has its own alarm group. Arrivals are read from
// memory every second and told to other nodes. They are written every 30 seconds, and before the written one is as old as silence:
// a node calls a source silent only by what is written, so it does not while another one takes records in, even where it was not
// told; only a record of the last two seconds before the time is over may come too late, and ends the silence at once. What is
// written is read every 30 seconds, too. Time during which the service does not run does not count: nothing could
// arrive. After a start senders get a minute to connect again.

import { type SharedNumbers, sourceKey } from '#cluster/numbers.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';
import { Serial } from '#runtime/serial.ts';
import type { Db } from '#store/kysely.ts';
import type { FailingRow } from '#store/schema/schedule-schema.ts';
import type { Store } from '#store/store.ts';
import { type FailingObject, failingOf, findAlarmGroup, noteFailure, noteRecovery } from './failure-store.ts';
import { type ExpectedSource, expectedSources, readMark, setMark, setSince, writtenSince } from './silence-store.ts';

const LOOK_PERIOD = Temporal.Duration.from({ seconds: 1 });
/** From the write of an arrival to the look of another node at what is written. */
const WRITE_AHEAD_MS = 3000;
const WRITE_PERIOD_MS = 30_000;
/** Least time from a start of the service to an alarm, for sources expected less often. */
const MAX_GRACE_MS = 60_000;
const REASON = 'silent';

interface SilentSourcesDeps {
  readonly store: Store;
  /** That of a shared database, so that moments of several nodes can be compared. */
  readonly clock: Clock;
  readonly zone: string;
  /** Name or GUID of the alarm group of sources without one of their own; empty for none. */
  readonly group: string;
  /** Epoch milliseconds of the last record on this node since its start; undefined without any. */
  lastLogOf(loggerGuid: string): number | undefined;
  lastRecordOf(tableId: number): number | undefined;
  /** Of sources, told by the nodes on which they arrive; those of loggers are told where they are counted. */
  readonly numbers: SharedNumbers;
  /** Called when alarms were written. */
  wake(): void;
  /** Called when a source becomes silent, and without a reason when it no longer is. */
  changed(source: FailingObject, reason: string | undefined): void;
  failed(error: unknown): void;
}

interface Watched extends Omit<ExpectedSource, 'since'> {
  since: number;
  /** `since` in the database, as far as this node knows. */
  written: number;
  isSilent: boolean;
  /** Whether `since` is an arrival on this node that is not in the database. */
  isDirty: boolean;
}

export class SilentSources {
  readonly #deps: SilentSourcesDeps;
  #watched = new Map<string, Watched>();
  readonly #looking: Periodic;
  /** Reloads and writes, one after another. */
  readonly #working = new Serial();
  /** Epoch milliseconds of the next write of arrivals, and of the next attempt after a failed write. */
  #writeAt = 0;
  #retryAt = 0;

  constructor(deps: SilentSourcesDeps) {
    this.#deps = deps;
    this.#looking = new Periodic({
      clock: deps.clock,
      period: LOOK_PERIOD,
      work: () => this.#look(),
    });
    deps.numbers.on('arrivals', (key, atMs) => this.#arrivedElsewhere(key, atMs));
  }

  /** Loads the sources, and those that were silent before the last stop. */
  async open(): Promise<void> {
    const { store } = this.#deps;
    const now = this.#now;
    const { mark, failing, sources } = await store.read(async (db) => ({
      mark: await readMark(db),
      failing: await failingOf(db, SILENT_KINDS),
      sources: await expectedSources(db),
    }));
    const silent = new Set(failing.map(({ kind, guid }) => `${kind} ${guid}`));
    const downMs = mark === undefined ? 0 : Math.max(0, now - mark);
    for (const source of sources) {
      const isSilent = silent.has(`${failingKind(source.kind)} ${source.guid}`);
      const grace = Math.min(source.expectMs, MAX_GRACE_MS);
      const since = isSilent ? source.since : Math.max(source.since + downMs, now - source.expectMs + grace);
      this.#watched.set(sourceKey(source), { ...source, since, written: source.since, isSilent, isDirty: !isSilent });
    }
    this.#writeAt = now + WRITE_PERIOD_MS;
    await this.#end(failing.map(unexpected));
  }

  /** Called after a change of loggers or tables; resolves when it has taken effect. */
  async changed(): Promise<void> {
    await this.#inTurn(() => this.#reload());
    void this.#looking.next();
  }

  /** Epoch milliseconds since which a source is silent; undefined while it is not. */
  silentSince(kind: ExpectedSource['kind'], guid: string): number | undefined {
    const source = this.#watched.get(sourceKey({ kind, guid }));
    return source && this.#isSilent(source) ? source.since : undefined;
  }

  count(kind: ExpectedSource['kind']): number {
    return this.#watched
      .values()
      .filter((source) => source.kind === kind && this.#isSilent(source))
      .toArray().length;
  }

  async close(): Promise<void> {
    this.#looking[Symbol.dispose]();
    await this.#inTurn(() => this.#write([]));
  }

  /** A record of which another node has told since the last look ends the silence at once. */
  #isSilent({ isSilent, since, expectMs }: Watched): boolean {
    return isSilent && this.#now - since > expectMs;
  }

  get #now(): number {
    return this.#deps.clock.nowMs();
  }

  /** Reports a failed step; the next attempt follows after the period of writes. */
  #inTurn(step: () => Promise<void>): Promise<void> {
    return this.#working.run(step).catch((error) => {
      this.#retryAt = this.#now + WRITE_PERIOD_MS;
      this.#deps.failed(error);
    });
  }

  async #reload(): Promise<void> {
    const before = this.#watched;
    const { sources, failing } = await this.#deps.store.read(async (db) => ({
      sources: await expectedSources(db),
      failing: await failingOf(db, SILENT_KINDS),
    }));
    const after = new Map<string, Watched>();
    for (const source of sources) {
      const known = before.get(sourceKey(source));
      const isNewer = !known || source.since > known.since;
      after.set(sourceKey(source), {
        ...source,
        since: isNewer ? source.since : known.since,
        written: source.since,
        isSilent: known?.isSilent ?? false,
        isDirty: isNewer ? false : known.isDirty,
      });
    }
    this.#watched = after;
    // Another node may have found a source silent that this one has never watched.
    await this.#end([...before.values(), ...failing.map(unexpected)]);
  }

  /** Ends the silence of those that are no longer expected to send, removed ones among them. */
  async #end(sources: readonly Watched[]): Promise<void> {
    const gone = new Map(sources.toReversed().map((source) => [sourceKey(source), source]));
    for (const key of this.#watched.keys()) gone.delete(key);
    if (gone.size > 0) await this.#write([...gone.values()].map((source) => ({ source, isSilent: false })));
  }

  async #look(): Promise<void> {
    const now = this.#now;
    if (this.#watched.size === 0 || now < this.#retryAt) return;
    const sources = [...this.#watched.values()];
    const changes = sources.flatMap((source) => this.#changeOf(source, now));
    const isDue = now >= this.#writeAt;
    if (changes.length === 0 && !isDue && !sources.some((source) => isWriteDue(source, now))) return;
    await this.#inTurn(async () => {
      await this.#write(changes, now);
      if (isDue) await this.#reload();
    });
  }

  #changeOf(source: Watched, now: number): Change[] {
    const { kind, guid, tableId } = source;
    const last = kind === 'logger' ? this.#deps.lastLogOf(guid) : this.#deps.lastRecordOf(tableId ?? 0);
    if (last !== undefined && last > source.since) {
      Object.assign(source, { since: last, isDirty: true });
      if (kind === 'table') this.#deps.numbers.raise('arrivals', sourceKey(source), last);
    }
    const isSilent = now - source.since > source.expectMs;
    return isSilent === source.isSilent ? [] : [{ source, isSilent }];
  }

  /** The node that has it writes the time. */
  #arrivedElsewhere(key: string, atMs: number): void {
    const source = this.#watched.get(key);
    if (source && atMs > source.since) Object.assign(source, { since: atMs, isDirty: false });
  }

  async #write(changes: readonly Change[], now = this.#now): Promise<void> {
    const { store, wake, changed } = this.#deps;
    const dirty = [...this.#watched.values()].filter(({ isDirty }) => isDirty).map((source) => ({ ...source }));
    const noted = await store.write(async (db) => {
      await setMark(db, now);
      for (const source of dirty) await setSince(db, source);
      const outcomes: Noted[] = [];
      for (const change of changes) outcomes.push({ ...change, ...(await this.#note(db, change, now)) });
      return outcomes;
    });
    for (const { kind, guid, since } of dirty) {
      const source = this.#watched.get(sourceKey({ kind, guid }));
      if (source) source.written = Math.max(source.written, since);
      if (source?.since === since) source.isDirty = false;
    }
    if (now >= this.#writeAt) this.#writeAt = now + WRITE_PERIOD_MS;
    for (const { source: looked, isSilent, arrived } of noted) {
      // The sources may have been read again since the look.
      const source = this.#watched.get(sourceKey(looked)) ?? looked;
      if (arrived === undefined) source.isSilent = isSilent;
      else Object.assign(source, { since: Math.max(source.since, arrived), written: arrived });
    }
    const told = noted.filter(({ isNew }) => isNew);
    for (const { source, isSilent } of told) changed(failureOf(source), isSilent ? REASON : undefined);
    if (told.length > 0) wake();
  }

  /** Nothing is new for a source that was removed, or is no longer expected to send. */
  async #note(db: Db, { source, isSilent }: Change, now: number): Promise<Omit<Noted, keyof Change>> {
    const { group: common, zone } = this.#deps;
    const { alarmGroup, expectMs } = source;
    const group = alarmGroup !== null && (await findAlarmGroup(db, alarmGroup)) ? alarmGroup : common;
    if (!isSilent) return { isNew: await noteRecovery(db, failureOf(source), now, { group, zone }) };
    const written = await writtenSince(db, source);
    if (written === undefined) return { isNew: false };
    if (now - written <= expectMs) return { isNew: false, arrived: written };
    return { isNew: await noteFailure(db, failureOf(source), { reason: REASON, at: now }, { group, zone }) };
  }
}

interface Change {
  readonly source: Watched;
  readonly isSilent: boolean;
}

interface Noted extends Change {
  /** Whether nobody had noted it. */
  readonly isNew: boolean;
  /** Given where another node has written an arrival: the source is not silent. */
  readonly arrived?: number;
}

/** Whether the written arrival may be too old when another node looks next, while a later one is known here. */
const isWriteDue = ({ isDirty, written, expectMs }: Watched, now: number): boolean =>
  isDirty && now + WRITE_AHEAD_MS > written + expectMs;

const SILENT_KINDS = ['silent-logger', 'silent-table'] as const;

/** A silent source as far as it is known after its removal. */
const unexpected = ({ kind, guid, name }: FailingRow): Watched => ({
  kind: kind === 'silent-logger' ? 'logger' : 'table',
  guid,
  name,
  tableId: undefined,
  alarmGroup: null,
  expectMs: 0,
  since: 0,
  written: 0,
  isSilent: true,
  isDirty: false,
});

const failingKind = (kind: ExpectedSource['kind']): FailingRow['kind'] => `silent-${kind}`;

const failureOf = ({ kind, guid, name }: Watched): FailingObject => ({ kind: failingKind(kind), guid, name });
