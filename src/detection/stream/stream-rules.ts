// Stream rules look at every log on its way into a table. Who changes a rule or an address group tells it here before the
// change is answered for, so that it holds for the next log; what other nodes change is looked for every second.

import { notFound } from '#contract/errors.ts';
import { referencesOf } from '#detection/references.ts';
import type { FailingRule, RuleFailures } from '#detection/rule-failures.ts';
import { enabledRules } from '#detection/rule-store.ts';
import type { Snapshot } from '#detection/snapshot.ts';
import type { Destination, Examination, Watcher } from '#ingest/intake.ts';
import type { Db } from '#store/kysely.ts';
import { resolveReferences, type Thing } from '#store/resolve.ts';
import type { RuleRow } from '#store/rule-schema.ts';
import type { Store } from '#store/store.ts';
import { unreachableBy } from '#store/unreachable.ts';
import type { GroupChange } from './address-book.ts';
import type { ExceededParts } from './exceeded-rules.ts';
import type { LiveSet, LiveSetParts } from './live-set.ts';
import { LogExamination } from './log-examination.ts';
import type { StreamRule } from './stages.ts';
import type { FindingParts } from './stream-findings.ts';
import { needsOfStream } from './stream-needs.ts';
import { enabledReferring, rulesAmong, rulesMark } from './stream-store.ts';

const POLL_PERIOD = Temporal.Duration.from({ seconds: 1 });

/** Told of rules that lack something they need, and of those that do not, or no longer. */
export interface BrokenRules {
  broken(rule: FailingRule, reason: string): void;
  mended(rule: FailingRule): void;
  /** There is no rule of this GUID any more. */
  gone(guid: string): void;
}

export interface StreamRulesParts extends LiveSetParts, FindingParts, ExceededParts {
  readonly store: Store;
  readonly failures: RuleFailures & BrokenRules;
  /** Told what nobody foresaw. */
  failed(error: unknown): void;
}

export class StreamRules implements Watcher {
  readonly #parts: StreamRulesParts;
  /** Undefined until there is a first rule. */
  #live: LiveSet | undefined;
  /** What rules are read for is done one after the other: the last reading is the newest. */
  #work: Promise<void> = Promise.resolve();
  /** Whether something could not be read, so that all is read again. */
  #isStale = false;
  /** Why. */
  #cause: unknown;
  /** Whether the last reading failed. */
  #isQueryEnd = false;
  #mark = '';
  #isPolling = false;
  /** Rules with a defect that was told. */
  readonly #faulty = new WeakSet<StreamRule>();
  #polling: Disposable | undefined;

  constructor(parts: StreamRulesParts) {
    this.#parts = parts;
  }

  /** Begins to read the rules in force; whoever brings logs waits for it. */
  open(): void {
    void this.#do((db) => this.#readAll(db));
    if (this.#parts.store.isShared) this.#polling = this.#parts.clock.every(POLL_PERIOD, () => void this.#poll());
  }

  async close(): Promise<void> {
    this.#polling?.[Symbol.dispose]();
    await this.#work;
  }

  /** To be called when a change of rules is durable; resolves when they judge as they are now. */
  changed(guids: readonly string[]): Promise<void> {
    return this.#do(async (db) => {
      const known = await rulesAmong(db, guids);
      const rows = known.filter(({ enabled }) => enabled === 1);
      const there = new Set(known.map(({ guid }) => guid));
      for (const guid of guids) if (!there.has(guid)) this.#parts.failures.gone(guid);
      await (await this.#liveFor(rows))?.update(db, guids, rows);
      await this.#review(db, rows);
    });
  }

  /** To be called when a change of addresses is durable. */
  addressesChanged(change: GroupChange): Promise<void> {
    return this.#do(async (db) => {
      if (this.#live && !this.#live.book.apply(change)) await this.#live.book.read(db, [change.group]);
    });
  }

  /** To be called when something that rules refer to is there no more, or again. */
  referredChanged(thing: Thing, key: string): Promise<void> {
    return this.#do(async (db) => {
      const live = this.#live;
      if (thing === 'address group' && live?.book.groups.has(key)) {
        await live.book.read(db, [key]);
        live.groupsChanged([key]);
      }
      await this.#review(db, await enabledReferring(db, thing, key));
    });
  }

  /** Why the text of a rule in force is not right any more. */
  reasonOf(guid: string): string | undefined {
    return this.#live?.reasonOf(guid);
  }

  examine(destination: Destination): Examination {
    const faulty = (rule: StreamRule, error: unknown) => this.#tellFault(rule, error);
    return new LogExamination(destination, { ...this.#parts, live: () => this.ready(), faulty });
  }

  /** The rules as they are now; undefined where there are none. Rejects where they cannot be told. */
  async ready(): Promise<LiveSet | undefined> {
    await this.#work;
    if (this.#isStale) await this.#do((db) => this.#readAll(db));
    if (this.#isStale) throw unreachableBy(this.#cause) ?? new Error('the stream rules in force cannot be read');
    return this.#live;
  }

  /** Once: there may be as many as there are logs. */
  #tellFault(rule: StreamRule, error: unknown): void {
    if (this.#faulty.has(rule)) return;
    this.#faulty.add(rule);
    this.#parts.failed(error);
  }

  /** Tells which of these rules lack something that they need to work. */
  async #review(db: Db, rows: readonly RuleRow[]): Promise<void> {
    const { failures } = this.#parts;
    const needs = rows.map((row) => {
      const content: Snapshot = JSON.parse(row.snapshot);
      return { row, references: needsOfStream(content, referencesOf('stream', content)) };
    });
    const names = await resolveReferences(
      db,
      needs.flatMap(({ references }) => references),
    );
    for (const { row, references } of needs) {
      const missing = references.find((reference) => names.nameOf(reference) === undefined);
      const reason = missing ? notFound(missing.thing, missing.key).message : this.reasonOf(row.guid);
      if (reason === undefined) failures.mended(row);
      else failures.broken(row, reason);
    }
  }

  async #readAll(db: Db): Promise<void> {
    this.#mark = await rulesMark(db);
    const rows = await enabledRules(db, 'stream');
    const live = await this.#liveFor(rows);
    await live?.updateAll(db, rows);
    if (live && this.#isStale) await this.#readGroups(db, live, [...live.book.groups.keys()]);
    this.#isStale = false;
    await this.#review(db, rows);
  }

  async #readGroups(db: Db, live: LiveSet, guids: readonly string[]): Promise<void> {
    await live.book.read(db, guids);
    live.groupsChanged(guids);
  }

  async #liveFor(rows: readonly unknown[]): Promise<LiveSet | undefined> {
    if (this.#live || rows.length === 0) return this.#live;
    const { LiveSet } = await import('./live-set.ts');
    this.#live = new LiveSet(this.#parts);
    return this.#live;
  }

  /** Never rejects: a change that is durable is not undone because it could not be read. */
  #do(work: (db: Db) => Promise<void>): Promise<void> {
    const done = this.#work.then(async () => {
      try {
        await this.#parts.store.read(work);
        this.#isQueryEnd = false;
      } catch (error) {
        this.#isStale = true;
        this.#cause = error;
        // Every second somebody asks again: once is enough for the log.
        if (!this.#isQueryEnd) this.#parts.failed(error);
        this.#isQueryEnd = true;
      }
    });
    this.#work = done;
    return done;
  }

  /** Once at a time, however long it takes. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    await this.#do(async (db) => {
      if (this.#isStale || (await rulesMark(db)) !== this.#mark) await this.#readAll(db);
      const live = this.#live;
      if (live) await this.#readGroups(db, live, await live.book.outdated(db));
    });
    this.#isPolling = false;
  }
}
