// Notifies the group of `failure-alarm-group` when a rule, a scheduled query or a logger starts to fail and when it recovers, and
// keeps the last failure of stream rules. Ends of runs are recorded in their own unit. Failures of stream rules and loggers are
// buffered and written in the background, because ingestion cannot wait for the store.
//
//   works ──failed──► fails ──works──► works
//
// A batch rule or scheduled query recovers with its next successful run, a logger as soon as it collects. A stream rule recovers
// when it is changed, when the objects that it needs exist again, or when it evaluates a record within its step limit; but a
// sender could make it flap, so after a recovery the next recovery needs ten minutes without a failure.

import type { FailingRule, RuleFailures } from '#detection/rules/rule-failures.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';
import { Serial } from '#runtime/serial.ts';
import type { JobFailures } from '#scheduler/job-kind.ts';
import { noteState } from '#scheduler/slots/ledger.ts';
import type { AttemptEnd, JobKey } from '#scheduler/slots/slot.ts';
import type { Db } from '#store/kysely.ts';
import type { FailingRow } from '#store/schema/schedule-schema.ts';
import type { Store } from '#store/store.ts';
import {
  type AlarmOptions,
  type FailingObject,
  failingOf,
  findAlarmGroup,
  isThere,
  noteFailure,
  noteRecovery,
} from './failure-store.ts';

/** Period of writes for an object that keeps failing. */
const WRITE_PERIOD = Temporal.Duration.from({ seconds: 1 });
const MIN_QUIET_MS = 600_000;

interface FailureAlarmsDeps extends Pick<AlarmOptions, 'group' | 'zone'> {
  readonly store: Store;
  readonly clock: Clock;
  /** Called when alarms were written. */
  wake(): void;
  /** Called when a stream rule or logger starts to fail or recovers; jobs have log lines of their own. */
  changed(thing: FailingObject, reason: string | undefined): void;
  /** Called at the start, and for the first due alarm, when the configured alarm group does not exist. */
  groupMissing(group: string, isAlarmDue: boolean): void;
  failed(error: unknown): void;
}

/** A failure, or without a reason a recovery. */
interface Change {
  readonly thing: FailingObject;
  readonly reason: string | undefined;
  readonly at: number;
}

interface FailureState {
  isFailing: boolean;
  /** Whether only a change of the rule or of an object that it needs ends the failure. */
  isBroken: boolean;
  failedAt: number;
  recoveredAt: number;
}

export class FailureAlarms implements RuleFailures, JobFailures {
  readonly #deps: FailureAlarmsDeps;
  /** Stream rules and loggers that fail or have failed. */
  readonly #states = new Map<string, FailureState>();
  /** Number of failing objects. */
  #failing = 0;
  /** Changes that are not written yet, in order. */
  #changes: Change[] = [];
  readonly #writing = new Serial();
  readonly #alarmOptions: AlarmOptions;
  /** Whether the missing group was reported; reset when the group exists. */
  #isGroupMissing = false;
  readonly #timer: Disposable;

  constructor(deps: FailureAlarmsDeps) {
    this.#deps = deps;
    const { group, zone } = deps;
    this.#alarmOptions = { group, zone, onGroupLookup: (isThere) => this.#onGroupLookup(isThere) };
    this.#timer = new Periodic({ clock: deps.clock, period: WRITE_PERIOD, work: () => this.#write() });
  }

  /** Loads the failures from before the last stop. */
  async open(): Promise<void> {
    const rows = await this.#deps.store.read((db) => failingOf(db, ['stream-rule', 'logger']));
    for (const row of rows)
      this.#states.set(keyOf(row), { isFailing: true, isBroken: false, failedAt: 0, recoveredAt: 0 });
    this.#failing = rows.length;
    const { store, group } = this.#deps;
    if (group !== '' && !(await store.read((db) => findAlarmGroup(db, group)))) this.#deps.groupMissing(group, false);
  }

  async close(): Promise<void> {
    this.#timer[Symbol.dispose]();
    await this.#write();
  }

  async ended(db: Db, { kind, guid, name }: JobKey & { readonly name: string }, end: AttemptEnd): Promise<void> {
    // Every kind of job is a kind of failing object.
    const thing = { kind: kind as FailingRow['kind'], guid, name };
    const { state, error, finishedAt: at } = end;
    if (state === 'failed') await noteFailure(db, thing, { reason: error ?? '', at }, this.#alarmOptions);
    if (state === 'succeeded') await noteRecovery(db, thing, at, this.#alarmOptions);
  }

  written(): void {
    this.#deps.wake();
  }

  get isAnyFailing(): boolean {
    return this.#failing > 0;
  }

  failed(rule: FailingRule, reason: string, at: Temporal.Instant): void {
    this.#fail(thingOf(rule), reason, at.epochMilliseconds);
  }

  works(rule: FailingRule): void {
    const known = this.#states.get(keyOf(thingOf(rule)));
    if (!known?.isFailing || known.isBroken) return;
    const now = this.#now;
    const isFlapping = known.recoveredAt > now - MIN_QUIET_MS && known.failedAt > now - MIN_QUIET_MS;
    if (!isFlapping) this.#recover(thingOf(rule));
  }

  /** An object that the rule needs was removed. */
  broken(rule: FailingRule, reason: string): void {
    const known = this.#states.get(keyOf(thingOf(rule)));
    if (known?.isBroken) return;
    this.#fail(thingOf(rule), reason, this.#now, true);
  }

  /** The rule or an object that it needs was changed: the failure ends until it occurs again. */
  recovered(rule: FailingRule): void {
    this.#recover(thingOf(rule));
  }

  removed(guid: string): void {
    const key = keyOf({ kind: 'stream-rule', guid });
    if (this.#states.get(key)?.isFailing) this.#failing -= 1;
    this.#states.delete(key);
  }

  loggerFailed(logger: Pick<FailingObject, 'guid' | 'name'>, reason: string): void {
    this.#fail({ kind: 'logger', guid: logger.guid, name: logger.name }, reason, this.#now);
  }

  loggerWorks({ guid, name }: Pick<FailingObject, 'guid' | 'name'>): void {
    this.#recover({ kind: 'logger', guid, name });
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }

  #onGroupLookup(isThere: boolean): void {
    const { group } = this.#deps;
    const isNew = !isThere && !this.#isGroupMissing && group !== '';
    this.#isGroupMissing = !isThere;
    if (isNew) this.#deps.groupMissing(group, true);
  }

  #fail(thing: FailingObject, reason: string, at: number, isBroken = false): void {
    const known = this.#states.get(keyOf(thing));
    const isNew = !known?.isFailing;
    const before = this.#changes.findLast((change) => keyOf(change.thing) === keyOf(thing));
    this.#states.set(keyOf(thing), { isFailing: true, isBroken, failedAt: at, recoveredAt: known?.recoveredAt ?? 0 });
    if (before?.reason !== undefined) this.#changes = this.#changes.filter((change) => change !== before);
    this.#changes.push({ thing, reason, at: Math.max(at, before?.at ?? 0) });
    if (isNew) this.#failing += 1;
    if (isNew) this.#deps.changed(thing, reason);
    if (isNew) void this.#write();
  }

  #recover(thing: FailingObject): void {
    const known = this.#states.get(keyOf(thing));
    if (!known?.isFailing) return;
    const at = this.#now;
    this.#failing -= 1;
    this.#states.set(keyOf(thing), { ...known, isFailing: false, isBroken: false, recoveredAt: at });
    this.#changes.push({ thing, reason: undefined, at });
    this.#deps.changed(thing, undefined);
    void this.#write();
  }

  /** A failed write is retried with the next change. */
  #write(): Promise<void> {
    return this.#writing.run(async () => {
      const changes = this.#changes;
      if (changes.length === 0) return;
      this.#changes = [];
      try {
        await this.#deps.store.write(async (db) => {
          for (const change of changes) await this.#note(db, change);
        });
        this.#deps.wake();
      } catch (error) {
        this.#changes = [...changes, ...this.#changes];
        this.#deps.failed(error);
      }
    });
  }

  async #note(db: Db, { thing, reason, at }: Change): Promise<void> {
    if (!(await isThere(db, thing))) return;
    if (reason === undefined) return void (await noteRecovery(db, thing, at, this.#alarmOptions));
    await noteFailure(db, thing, { reason, at }, this.#alarmOptions);
    if (thing.kind === 'stream-rule') await noteState(db, thing, { last_failure_at: at, last_failure_reason: reason });
  }
}

const keyOf = ({ kind, guid }: Pick<FailingObject, 'kind' | 'guid'>): string => `${kind} ${guid}`;

const thingOf = ({ kind, guid, name }: FailingRule): FailingObject => ({ kind: `${kind}-rule`, guid, name });
