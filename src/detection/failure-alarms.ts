// Tells the group of `failure-alarm-group` when a rule, a scheduled query or a logger begins to fail and when it works
// again, and keeps what a stream rule last failed for. Ends of runs are noted in the unit that writes them down. What judges
// and collects logs cannot wait for the store: that is noted here and written behind its back.
//
//   works ──failed──► fails ──works──► works
//
// A batch rule or scheduled query works again with its next run that succeeds, a logger as soon as it collects. A stream
// rule works again when it is changed, when what it needs is there again, or when it judges a record that it would have
// failed on for want of steps; but a sender could make it fail and work in turns, so after an alarm that it works again the
// next one takes ten minutes without a failure.

import type { Clock } from '#kernel/clock.ts';
import type { JobFailures } from '#scheduler/job-kind.ts';
import { noteState } from '#scheduler/ledger.ts';
import type { JobKey, RunEnd } from '#scheduler/slot.ts';
import type { Db } from '#store/kysely.ts';
import type { FailingRow } from '#store/schedule-schema.ts';
import type { Store } from '#store/store.ts';
import {
  type FailingThing,
  failingOf,
  groupNamed,
  isThere,
  noteFailure,
  noteWorks,
  type Telling,
} from './failure-store.ts';
import type { FailingRule, RuleFailures } from './rule-failures.ts';

/** How often a thing that goes on failing is written down. */
const WRITE_PERIOD = Temporal.Duration.from({ seconds: 1 });
const QUIET_MS = 600_000;

export interface FailureParts extends Pick<Telling, 'group' | 'zone'> {
  readonly store: Store;
  readonly clock: Clock;
  /** Told when alarms were written. */
  wake(): void;
  /** Told of rules and loggers that begin to fail, or work again; those of jobs have lines of their own. */
  changed(thing: FailingThing, reason: string | undefined): void;
  /** Told at the start, and when an alarm is due, that no alarm group is called so; not with every alarm. */
  groupMissing(group: string, isAlarmDue: boolean): void;
  failed(error: unknown): void;
}

/** A failure, or where there is no reason the end of one. */
interface Change {
  readonly thing: FailingThing;
  readonly reason: string | undefined;
  readonly at: number;
}

interface Known {
  isFailing: boolean;
  /** Whether only its change, or that of what it needs, can mend it. */
  isBroken: boolean;
  failedAt: number;
  overAt: number;
}

export class FailureAlarms implements RuleFailures, JobFailures {
  readonly #parts: FailureParts;
  /** Stream rules and loggers that fail, or have failed. */
  readonly #known = new Map<string, Known>();
  /** How many of them fail. */
  #failing = 0;
  /** Not written yet, in their order. */
  #changes: Change[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #telling: Telling;
  /** An alarm was due and there was no group; told anew once there has been one. */
  #isMissing = false;
  readonly #timer: Disposable;

  constructor(parts: FailureParts) {
    this.#parts = parts;
    const { group, zone } = parts;
    this.#telling = { group, zone, looked: (isThere) => this.#looked(isThere) };
    this.#timer = parts.clock.every(WRITE_PERIOD, () => this.#write());
  }

  /** Knows again what failed before the last stop. */
  async open(): Promise<void> {
    const rows = await this.#parts.store.read((db) => failingOf(db, ['stream-rule', 'logger']));
    for (const row of rows) this.#known.set(keyOf(row), { isFailing: true, isBroken: false, failedAt: 0, overAt: 0 });
    this.#failing = rows.length;
    const { store, group } = this.#parts;
    if (group !== '' && !(await store.read((db) => groupNamed(db, group)))) this.#parts.groupMissing(group, false);
  }

  async close(): Promise<void> {
    this.#timer[Symbol.dispose]();
    this.#write();
    await this.#writing;
  }

  async ended(db: Db, { kind, guid, name }: JobKey & { readonly name: string }, end: RunEnd): Promise<void> {
    // Kinds of jobs are kinds of things that fail.
    const thing = { kind: kind as FailingRow['kind'], guid, name };
    const { state, error, finishedAt: at } = end;
    if (state === 'failed') await noteFailure(db, thing, { reason: error ?? '', at }, this.#telling);
    if (state === 'succeeded') await noteWorks(db, thing, at, this.#telling);
  }

  written(): void {
    this.#parts.wake();
  }

  get isAnyFailing(): boolean {
    return this.#failing > 0;
  }

  failed(rule: FailingRule, reason: string, at: Temporal.Instant): void {
    this.#fail(thingOf(rule), reason, at.epochMilliseconds);
  }

  works(rule: FailingRule): void {
    const known = this.#known.get(keyOf(thingOf(rule)));
    if (!known?.isFailing || known.isBroken) return;
    const now = this.#now;
    const isFlapping = known.overAt > now - QUIET_MS && known.failedAt > now - QUIET_MS;
    if (!isFlapping) this.#mend(thingOf(rule));
  }

  /** Something that the rule needs has gone. */
  broken(rule: FailingRule, reason: string): void {
    const known = this.#known.get(keyOf(thingOf(rule)));
    if (known?.isBroken) return;
    this.#fail(thingOf(rule), reason, this.#now, true);
  }

  /** The rule was changed, or what it needs: whatever it failed for is over until it fails again. */
  mended(rule: FailingRule): void {
    this.#mend(thingOf(rule));
  }

  gone(guid: string): void {
    const key = keyOf({ kind: 'stream-rule', guid });
    if (this.#known.get(key)?.isFailing) this.#failing -= 1;
    this.#known.delete(key);
  }

  loggerFailed(logger: Pick<FailingThing, 'guid' | 'name'>, reason: string): void {
    this.#fail({ kind: 'logger', guid: logger.guid, name: logger.name }, reason, this.#now);
  }

  loggerWorks({ guid, name }: Pick<FailingThing, 'guid' | 'name'>): void {
    this.#mend({ kind: 'logger', guid, name });
  }

  get #now(): number {
    return this.#parts.clock.now().epochMilliseconds;
  }

  #looked(isThere: boolean): void {
    const { group } = this.#parts;
    const isNew = !isThere && !this.#isMissing && group !== '';
    this.#isMissing = !isThere;
    if (isNew) this.#parts.groupMissing(group, true);
  }

  #fail(thing: FailingThing, reason: string, at: number, isBroken = false): void {
    const known = this.#known.get(keyOf(thing));
    const isNew = !known?.isFailing;
    const before = this.#changes.findLast((change) => keyOf(change.thing) === keyOf(thing));
    this.#known.set(keyOf(thing), { isFailing: true, isBroken, failedAt: at, overAt: known?.overAt ?? 0 });
    if (before?.reason !== undefined) this.#changes = this.#changes.filter((change) => change !== before);
    this.#changes.push({ thing, reason, at: Math.max(at, before?.at ?? 0) });
    if (isNew) this.#failing += 1;
    if (isNew) this.#parts.changed(thing, reason);
    if (isNew) this.#write();
  }

  #mend(thing: FailingThing): void {
    const known = this.#known.get(keyOf(thing));
    if (!known?.isFailing) return;
    const at = this.#now;
    this.#failing -= 1;
    this.#known.set(keyOf(thing), { ...known, isFailing: false, isBroken: false, overAt: at });
    this.#changes.push({ thing, reason: undefined, at });
    this.#parts.changed(thing, undefined);
    this.#write();
  }

  /** What cannot be written is tried again with what comes next. */
  #write(): void {
    this.#writing = this.#writing.then(async () => {
      const changes = this.#changes;
      if (changes.length === 0) return;
      this.#changes = [];
      try {
        await this.#parts.store.write(async (db) => {
          for (const change of changes) await this.#note(db, change);
        });
        this.#parts.wake();
      } catch (error) {
        this.#changes = [...changes, ...this.#changes];
        this.#parts.failed(error);
      }
    });
  }

  async #note(db: Db, { thing, reason, at }: Change): Promise<void> {
    if (!(await isThere(db, thing))) return;
    if (reason === undefined) return void (await noteWorks(db, thing, at, this.#telling));
    await noteFailure(db, thing, { reason, at }, this.#telling);
    if (thing.kind === 'stream-rule') await noteState(db, thing, { last_failure_at: at, last_failure_reason: reason });
  }
}

const keyOf = ({ kind, guid }: Pick<FailingThing, 'kind' | 'guid'>): string => `${kind} ${guid}`;

const thingOf = ({ kind, guid, name }: FailingRule): FailingThing => ({ kind: `${kind}-rule`, guid, name });
