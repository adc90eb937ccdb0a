// Watches loggers and tables from which records are expected, and raises an alarm when none has come for that long.
//
//   expected ──no record for `expect_every`──► silent ──record, or no longer expected──► expected, or not watched
//
// Silence is a failure of its own beside other failures of a logger: it has its own alarm group. Arrivals are read from
// memory every second, told to other nodes, and written every 30 seconds. Time during which the service does not run does not count: nothing could
// arrive. After a start senders get a minute to connect again.

import type { Clock } from '#kernel/clock.ts';
import type { FailingRow } from '#store/schedule-schema.ts';
import type { SharedNumbers } from '#store/shared-numbers.ts';
import type { Store } from '#store/store.ts';
import { type FailingObject, failingOf, findAlarmGroup, noteFailure, noteRecovery } from './failure-store.ts';
import { type ExpectedSource, expectedSources, isExpected, readMark, setMark, setSince } from './silence-store.ts';

const LOOK_PERIOD = Temporal.Duration.from({ seconds: 1 });
const WRITE_PERIOD_MS = 30_000;
/** Least time from a start of the service to an alarm, for sources expected less often. */
const MAX_GRACE_MS = 60_000;
const REASON = 'silent';

interface SilentSourcesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly zone: string;
  /** Name or GUID of the alarm group of sources without one of their own; empty for none. */
  readonly group: string;
  /** Epoch milliseconds of the last record since the start of the service; undefined without any. */
  lastLogOf(loggerGuid: string): number | undefined;
  lastRecordOf(tableId: number): number | undefined;
  /** Of sources, told by the nodes on which they arrive. */
  readonly numbers: SharedNumbers;
  /** Called when alarms were written. */
  wake(): void;
  /** Called when a source becomes silent, and without a reason when it no longer is. */
  changed(source: FailingObject, reason: string | undefined): void;
  failed(error: unknown): void;
}

interface Watched extends Omit<ExpectedSource, 'since'> {
  since: number;
  isSilent: boolean;
  /** Whether `since` is later than in the database. */
  isDirty: boolean;
}

export class SilentSources {
  readonly #deps: SilentSourcesDeps;
  #watched = new Map<string, Watched>();
  readonly #looking: Disposable;
  /** Reloads and writes, one after another. */
  #working: Promise<void> = Promise.resolve();
  #isWriting = false;
  /** Whether a look fell due during the write; it follows the write. */
  #isLookMissed = false;
  /** Epoch milliseconds of the next write of arrivals, and of the next attempt after a failed write. */
  #writeAt = 0;
  #retryAt = 0;

  constructor(deps: SilentSourcesDeps) {
    this.#deps = deps;
    this.#looking = deps.clock.every(LOOK_PERIOD, () => this.#look());
    deps.numbers.on('arrivals', (key) => this.#arrivedElsewhere(key));
  }

  /** Loads the sources, and those that were silent before the last stop. */
  async open(): Promise<void> {
    const { store } = this.#deps;
    const now = this.#now;
    const { mark, silent, sources } = await store.read(async (db) => ({
      mark: await readMark(db),
      silent: new Set(
        (await failingOf(db, ['silent-logger', 'silent-table'])).map(({ kind, guid }) => `${kind} ${guid}`),
      ),
      sources: await expectedSources(db),
    }));
    const downMs = mark === undefined ? 0 : Math.max(0, now - mark);
    for (const source of sources) {
      const isSilent = silent.has(`${failingKind(source.kind)} ${source.guid}`);
      const grace = Math.min(source.expectMs, MAX_GRACE_MS);
      const since = isSilent ? source.since : Math.max(source.since + downMs, now - source.expectMs + grace);
      this.#watched.set(keyOf(source), { ...source, since, isSilent, isDirty: !isSilent });
    }
    this.#writeAt = now + WRITE_PERIOD_MS;
  }

  /** Called after a change of loggers or tables; resolves when it has taken effect. */
  changed(): Promise<void> {
    return this.#inTurn(() => this.#reload());
  }

  /** Epoch milliseconds since which a source is silent; undefined while it is not. */
  silentSince(kind: ExpectedSource['kind'], guid: string): number | undefined {
    const source = this.#watched.get(keyOf({ kind, guid }));
    return source?.isSilent ? source.since : undefined;
  }

  count(kind: ExpectedSource['kind']): number {
    return this.#watched
      .values()
      .filter((source) => source.kind === kind && source.isSilent)
      .toArray().length;
  }

  async close(): Promise<void> {
    this.#looking[Symbol.dispose]();
    await this.#inTurn(() => this.#write([], this.#now));
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  /** Reports a failed step; the next attempt follows after the period of writes. */
  #inTurn(step: () => Promise<void>): Promise<void> {
    this.#working = this.#working.then(step).catch((error) => {
      this.#retryAt = this.#now + WRITE_PERIOD_MS;
      this.#deps.failed(error);
    });
    return this.#working;
  }

  async #reload(): Promise<void> {
    const before = this.#watched;
    const sources = await this.#deps.store.read(expectedSources);
    const after = new Map<string, Watched>();
    for (const source of sources) {
      const known = before.get(keyOf(source));
      const isNewer = !known || source.since > known.since;
      after.set(keyOf(source), {
        ...source,
        since: isNewer ? source.since : known.since,
        isSilent: known?.isSilent ?? false,
        isDirty: isNewer ? false : known.isDirty,
      });
    }
    const gone = [...before.values()].filter((source) => source.isSilent && !after.has(keyOf(source)));
    this.#watched = after;
    await this.#write(
      gone.map((source) => ({ source, isSilent: false })),
      this.#now,
    );
  }

  #look(): void {
    const now = this.#now;
    this.#isLookMissed = this.#isWriting;
    if (this.#isWriting || this.#watched.size === 0 || now < this.#retryAt) return;
    const changes = [...this.#watched.values()].flatMap((source) => this.#changeOf(source, now));
    if (changes.length === 0 && now < this.#writeAt) return;
    this.#isWriting = true;
    void this.#inTurn(() => this.#write(changes, now)).finally(() => {
      this.#isWriting = false;
      if (this.#isLookMissed) this.#look();
    });
  }

  #changeOf(source: Watched, now: number): Change[] {
    const { kind, guid, tableId } = source;
    const last = kind === 'logger' ? this.#deps.lastLogOf(guid) : this.#deps.lastRecordOf(tableId ?? 0);
    if (last !== undefined && last > source.since) {
      Object.assign(source, { since: last, isDirty: true });
      this.#deps.numbers.add('arrivals', keyOf(source), 1);
    }
    const isSilent = now - source.since > source.expectMs;
    return isSilent === source.isSilent ? [] : [{ source, isSilent }];
  }

  /** The node that has it writes the time. */
  #arrivedElsewhere(key: string): void {
    const source = this.#watched.get(key);
    if (source) source.since = Math.max(source.since, this.#now);
  }

  async #write(changes: readonly Change[], now: number): Promise<void> {
    const { store, wake, changed } = this.#deps;
    const dirty = [...this.#watched.values()].filter(({ isDirty }) => isDirty).map((source) => ({ ...source }));
    const told = await store.write(async (db) => {
      await setMark(db, now);
      for (const source of dirty) await setSince(db, source);
      const noted: Change[] = [];
      for (const change of changes) if (await this.#note(db, change, now)) noted.push(change);
      return noted;
    });
    for (const { kind, guid, since } of dirty) {
      const source = this.#watched.get(keyOf({ kind, guid }));
      if (source?.since === since) source.isDirty = false;
    }
    this.#writeAt = now + WRITE_PERIOD_MS;
    for (const { source, isSilent } of changes) source.isSilent = isSilent;
    for (const { source, isSilent } of told) changed(failureOf(source), isSilent ? REASON : undefined);
    if (told.length > 0) wake();
  }

  /** False for a source that was removed, or is no longer expected to send. */
  async #note(db: Parameters<typeof isExpected>[0], { source, isSilent }: Change, now: number): Promise<boolean> {
    const { group: common, zone } = this.#deps;
    const { alarmGroup } = source;
    const group = alarmGroup !== null && (await findAlarmGroup(db, alarmGroup)) ? alarmGroup : common;
    if (!isSilent) return await noteRecovery(db, failureOf(source), now, { group, zone });
    if (!(await isExpected(db, source))) return false;
    return await noteFailure(db, failureOf(source), { reason: REASON, at: now }, { group, zone });
  }
}

interface Change {
  readonly source: Watched;
  readonly isSilent: boolean;
}

const failingKind = (kind: ExpectedSource['kind']): FailingRow['kind'] => `silent-${kind}`;

const failureOf = ({ kind, guid, name }: Watched): FailingObject => ({ kind: failingKind(kind), guid, name });

const keyOf = ({ kind, guid }: Pick<ExpectedSource, 'kind' | 'guid'>): string => `${kind} ${guid}`;
