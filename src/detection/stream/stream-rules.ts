// Stream rules examine every incoming log. A change of a rule or address group is applied here before its response, so that it
// holds for the next log; changes on other nodes are followed within a second, and before the next request that was told of them.

import { notFound } from '#contract/errors.ts';
import { referencesOf } from '#detection/rules/references.ts';
import type { FailingRule, RuleFailures } from '#detection/rules/rule-failures.ts';
import { enabledRules } from '#detection/rules/rule-store.ts';
import type { Snapshot } from '#detection/rules/snapshot.ts';
import type { Destination, Examination, Finding, FindingContents, Watcher } from '#ingest/intake.ts';
import { Serial } from '#runtime/serial.ts';
import type { Db } from '#store/kysely.ts';
import { resolveReferences, type Thing } from '#store/rows/resolve.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';
import type { Store } from '#store/store.ts';
import { unreachableBy } from '#store/unreachable.ts';
import type { ActiveRules, ActiveRulesDeps } from './active-rules.ts';
import type { StreamRule } from './compiled-rule.ts';
import type { GroupChange } from './groups/group-cache.ts';
import { LogExamination } from './log-examination.ts';
import { requiredReferencesOf } from './required-references.ts';
import type { StepFailureDeps } from './step-failures.ts';
import { type JudgingRule, StreamFindings, type StreamFindingsDeps } from './stream-findings.ts';
import { enabledReferring, rulesAmong } from './stream-store.ts';

/** Observer of rules with missing references. */
interface BrokenRuleObserver {
  broken(rule: FailingRule, reason: string): void;
  recovered(rule: FailingRule): void;
  /** The rule was removed. */
  removed(guid: string): void;
}

interface StreamRulesDeps extends ActiveRulesDeps, StreamFindingsDeps, StepFailureDeps {
  readonly store: Store;
  readonly failures: RuleFailures & BrokenRuleObserver;
  /** Resolves when changes of other nodes that a request was told of are applied. */
  caughtUp?(): Promise<void>;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
}

export class StreamRules implements Watcher {
  readonly #deps: StreamRulesDeps;
  /** Undefined until the first rule exists. */
  #active: ActiveRules | undefined;
  /** Updates run one after another, so that the last read wins. */
  readonly #reads = new Serial();
  /** Objects whose removal or creation is not applied yet. */
  #referred: { readonly keys: Map<Thing, string[]>; readonly applied: Promise<void> } | undefined;
  /** Whether a read has failed, so that all rules must be read again. */
  #isStale = false;
  /** Error of the failed read. */
  #cause: unknown;
  /** Whether the last reading failed. */
  #hasReadFailed = false;
  /** Rules whose unexpected error was reported. */
  readonly #reportedDefects = new WeakSet<StreamRule>();

  constructor(deps: StreamRulesDeps) {
    this.#deps = deps;
  }

  /** Starts to read the enabled rules; incoming logs wait for it. */
  open(): void {
    void this.#enqueue((db) => this.#readAll(db));
  }

  async close(): Promise<void> {
    await this.#reads.ended();
  }

  /** Called when a change of rules is durable; resolves when it is applied. */
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

  /** Called when a change of addresses is durable. */
  addressesChanged(change: GroupChange): Promise<void> {
    return this.#enqueue(async (db) => {
      if (this.#active && !this.#active.groupCache.apply(change))
        await this.#active.groupCache.read(db, [change.group]);
    });
  }

  /** Called when an object that rules refer to was removed or created. Objects that wait for the same update share it. */
  referredChanged(thing: Thing, key: string): Promise<void> {
    const waiting = this.#referred ?? { keys: new Map(), applied: this.#enqueue((db) => this.#applyReferred(db)) };
    this.#referred = waiting;
    waiting.keys.set(thing, [...(waiting.keys.get(thing) ?? []), key]);
    return waiting.applied;
  }

  async #applyReferred(db: Db): Promise<void> {
    const keys = this.#referred?.keys ?? new Map<Thing, readonly string[]>();
    this.#referred = undefined;
    const live = this.#active;
    const groups = (keys.get('address group') ?? []).filter((key) => live?.groupCache.groups.has(key));
    if (live && groups.length > 0) await this.#readGroups(db, live, groups);
    for (const [thing, some] of keys) await this.#checkReferences(db, await enabledReferring(db, thing, some));
  }

  /** Another node has changed rules or objects that they refer to. Rejects when they cannot be read. */
  async followRules(): Promise<void> {
    await this.#followed(async (db) => {
      const before = this.#active?.guids ?? [];
      await this.#readAll(db);
      const left = new Set((await rulesAmong(db, before)).map(({ guid }) => guid));
      for (const guid of before) if (!left.has(guid)) this.#deps.failures.removed(guid);
    });
  }

  /** Another node has changed address groups. Rejects when they cannot be read. */
  async followGroups(): Promise<void> {
    await this.#followed(async (db) => {
      const live = this.#active;
      if (!live) return;
      for (const { guid, isOther } of await live.groupCache.staleGroups(db)) {
        await live.groupCache.read(db, [guid]);
        live.groupsChanged([guid]);
        if (isOther) await this.#checkReferences(db, await enabledReferring(db, 'address group', [guid]));
      }
    });
  }

  /** Why the text of an enabled rule is invalid. */
  reasonOf(guid: string): string | undefined {
    return this.#active?.reasonOf(guid);
  }

  examine(destination: Destination): Examination {
    const onDefect = (rule: StreamRule, error: unknown) => this.#reportDefect(rule, error);
    // Once for all of them: rules that keep changing elsewhere do not hold up logs.
    const caughtUp = this.#deps.caughtUp?.();
    const activeRules = async () => {
      await caughtUp;
      return await this.ready();
    };
    return new LogExamination(destination, { ...this.#deps, activeRules, onDefect });
  }

  async restored(tableId: number, contents: FindingContents): Promise<Finding> {
    const findings = new StreamFindings(this.#deps, tableId);
    const rows = await this.#deps.store.read((db) => enabledRules(db, 'stream'));
    findings.restore(contents, rows.map(judgingRuleOf));
    return findings;
  }

  /** The current rules; undefined without any. Rejects when they cannot be read. */
  async ready(): Promise<ActiveRules | undefined> {
    await this.#reads.ended();
    if (this.#isStale) await this.#enqueue((db) => this.#readAll(db));
    if (this.#isStale) throw unreachableBy(this.#cause) ?? new Error('the stream rules in force cannot be read');
    return this.#active;
  }

  /** Once per rule: every log may cause the error. */
  #reportDefect(rule: StreamRule, error: unknown): void {
    if (this.#reportedDefects.has(rule)) return;
    this.#reportedDefects.add(rule);
    this.#deps.failed(error);
  }

  /** Reports rules with missing references. */
  async #checkReferences(db: Db, rows: readonly RuleRow[]): Promise<void> {
    const { failures } = this.#deps;
    const needs = rows.map((row) => {
      const content: Snapshot = JSON.parse(row.snapshot);
      return { row, references: requiredReferencesOf(content, referencesOf('stream', content)) };
    });
    const names = await resolveReferences(
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

  /** Never rejects: a durable change stands even if it cannot be read. */
  #enqueue(work: (db: Db) => Promise<void>): Promise<void> {
    return this.#reads.run(async () => {
      try {
        await this.#deps.store.read(work);
        this.#hasReadFailed = false;
      } catch (error) {
        this.#isStale = true;
        this.#cause = error;
        // Repeated every second: it is logged once.
        if (!this.#hasReadFailed) this.#deps.failed(error);
        this.#hasReadFailed = true;
      }
    });
  }

  async #followed(work: (db: Db) => Promise<void>): Promise<void> {
    await this.#enqueue(work);
    if (this.#isStale) await this.ready();
  }
}

const judgingRuleOf = ({ kind, guid, name, version, snapshot, created_at }: RuleRow): JudgingRule => ({
  rule: { kind, guid, name, version, content: JSON.parse(snapshot) },
  createdAt: created_at,
});
