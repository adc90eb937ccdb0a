// Stream rules look at every log on its way into a table. Who changes a rule or an address group tells it here before the
// change is answered for, so that it holds for the next log; what other nodes change is looked for every second.

import { notFound } from '#contract/errors.ts';
import { referencesOf } from '#detection/references.ts';
import type { FailingRule, RuleFailures } from '#detection/rule-failures.ts';
import { enabledRules } from '#detection/rule-store.ts';
import type { Snapshot } from '#detection/snapshot.ts';
import type { Destination, Examination, Watcher } from '#ingest/intake.ts';
import type { Db } from '#store/kysely.ts';
import { resolved, type Thing } from '#store/resolve.ts';
import type { RuleRow } from '#store/rule-schema.ts';
import type { Store } from '#store/store.ts';
import { unreachableBy } from '#store/unreachable.ts';
import type { ActiveRules, ActiveRulesDeps } from './active-rules.ts';
import type { StreamRule } from './compiled-rule.ts';
import type { GroupChange } from './group-cache.ts';
import { LogExamination } from './log-examination.ts';
import { requiredReferencesOf } from './required-references.ts';
import type { StepFailureDeps } from './step-failures.ts';
import type { StreamFindingsDeps } from './stream-findings.ts';
import { enabledReferring, rulesAmong, rulesMark } from './stream-store.ts';

const POLL_PERIOD = Temporal.Duration.from({ seconds: 1 });

/** Told of rules that lack something they need, and of those that do not, or no longer. */
export interface BrokenRuleObserver {
  broken(rule: FailingRule, reason: string): void;
  recovered(rule: FailingRule): void;
  /** There is no rule of this GUID any more. */
  removed(guid: string): void;
}

export interface StreamRulesDeps extends ActiveRulesDeps, StreamFindingsDeps, StepFailureDeps {
  readonly store: Store;
  readonly failures: RuleFailures & BrokenRuleObserver;
  /** Told what nobody foresaw. */
  failed(error: unknown): void;
}

export class StreamRules implements Watcher {
  readonly #deps: StreamRulesDeps;
  /** Undefined until there is a first rule. */
  #active: ActiveRules | undefined;
  /** What rules are read for is done one after the other: the last reading is the newest. */
  #work: Promise<void> = Promise.resolve();
  /** Whether something could not be read, so that all is read again. */
  #isStale = false;
  /** Why. */
  #cause: unknown;
  /** Whether the last reading failed. */
  #hasReadFailed = false;
  #mark = '';
  #isPolling = false;
  /** Rules with a defect that was told. */
  readonly #reportedDefects = new WeakSet<StreamRule>();
  #polling: Disposable | undefined;

  constructor(deps: StreamRulesDeps) {
    this.#deps = deps;
  }

  /** Begins to read the rules in force; whoever brings logs waits for it. */
  open(): void {
    void this.#enqueue((db) => this.#readAll(db));
    if (this.#deps.store.isShared) this.#polling = this.#deps.clock.every(POLL_PERIOD, () => void this.#poll());
  }

  async close(): Promise<void> {
    this.#polling?.[Symbol.dispose]();
    await this.#work;
  }

  /** To be called when a change of rules is durable; resolves when they judge as they are now. */
  changed(guids: readonly string[]): Promise<void> {
    return this.#enqueue(async (db) => {
      const known = await rulesAmong(db, guids);
      const rows = known.filter(({ enabled }) => enabled === 1);
      const there = new Set(known.map(({ guid }) => guid));
      for (const guid of guids) if (!there.has(guid)) this.#deps.failures.removed(guid);
      await (await this.#activeFor(rows))?.update(db, guids, rows);
      await this.#checkReferences(db, rows);
    });
  }

  /** To be called when a change of addresses is durable. */
  addressesChanged(change: GroupChange): Promise<void> {
    return this.#enqueue(async (db) => {
      if (this.#active && !this.#active.groupCache.apply(change))
        await this.#active.groupCache.read(db, [change.group]);
    });
  }

  /** To be called when something that rules refer to is there no more, or again. */
  referredChanged(thing: Thing, key: string): Promise<void> {
    return this.#enqueue(async (db) => {
      const live = this.#active;
      if (thing === 'address group' && live?.groupCache.groups.has(key)) {
        await live.groupCache.read(db, [key]);
        live.groupsChanged([key]);
      }
      await this.#checkReferences(db, await enabledReferring(db, thing, key));
    });
  }

  /** Why the text of a rule in force is not right any more. */
  reasonOf(guid: string): string | undefined {
    return this.#active?.reasonOf(guid);
  }

  examine(destination: Destination): Examination {
    const onDefect = (rule: StreamRule, error: unknown) => this.#reportDefect(rule, error);
    return new LogExamination(destination, { ...this.#deps, activeRules: () => this.ready(), onDefect });
  }

  /** The rules as they are now; undefined where there are none. Rejects where they cannot be told. */
  async ready(): Promise<ActiveRules | undefined> {
    await this.#work;
    if (this.#isStale) await this.#enqueue((db) => this.#readAll(db));
    if (this.#isStale) throw unreachableBy(this.#cause) ?? new Error('the stream rules in force cannot be read');
    return this.#active;
  }

  /** Once: there may be as many as there are logs. */
  #reportDefect(rule: StreamRule, error: unknown): void {
    if (this.#reportedDefects.has(rule)) return;
    this.#reportedDefects.add(rule);
    this.#deps.failed(error);
  }

  /** Tells which of these rules lack something that they need to work. */
  async #checkReferences(db: Db, rows: readonly RuleRow[]): Promise<void> {
    const { failures } = this.#deps;
    const needs = rows.map((row) => {
      const content: Snapshot = JSON.parse(row.snapshot);
      return { row, references: requiredReferencesOf(content, referencesOf('stream', content)) };
    });
    const names = await resolved(
      db,
      needs.flatMap(({ references }) => references),
    );
    for (const { row, references } of needs) {
      const missing = references.find((reference) => names.nameOf(reference) === undefined);
      const reason = missing ? notFound(missing.thing, missing.key).message : this.reasonOf(row.guid);
      if (reason === undefined) failures.recovered(row);
      else failures.broken(row, reason);
    }
  }

  async #readAll(db: Db): Promise<void> {
    this.#mark = await rulesMark(db);
    const rows = await enabledRules(db, 'stream');
    const live = await this.#activeFor(rows);
    await live?.updateAll(db, rows);
    if (live && this.#isStale) await this.#readGroups(db, live, [...live.groupCache.groups.keys()]);
    this.#isStale = false;
    await this.#checkReferences(db, rows);
  }

  async #readGroups(db: Db, live: ActiveRules, guids: readonly string[]): Promise<void> {
    await live.groupCache.read(db, guids);
    live.groupsChanged(guids);
  }

  async #activeFor(rows: readonly unknown[]): Promise<ActiveRules | undefined> {
    if (this.#active || rows.length === 0) return this.#active;
    const { ActiveRules } = await import('./active-rules.ts');
    this.#active = new ActiveRules(this.#deps);
    return this.#active;
  }

  /** Never rejects: a change that is durable is not undone because it could not be read. */
  #enqueue(work: (db: Db) => Promise<void>): Promise<void> {
    const done = this.#work.then(async () => {
      try {
        await this.#deps.store.read(work);
        this.#hasReadFailed = false;
      } catch (error) {
        this.#isStale = true;
        this.#cause = error;
        // Every second somebody asks again: once is enough for the log.
        if (!this.#hasReadFailed) this.#deps.failed(error);
        this.#hasReadFailed = true;
      }
    });
    this.#work = done;
    return done;
  }

  /** Once at a time, however long it takes. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    await this.#enqueue(async (db) => {
      if (this.#isStale || (await rulesMark(db)) !== this.#mark) await this.#readAll(db);
      const live = this.#active;
      if (live) await this.#readGroups(db, live, await live.groupCache.staleGroups(db));
    });
    this.#isPolling = false;
  }
}
