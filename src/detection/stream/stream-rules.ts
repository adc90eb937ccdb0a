// Stream rules look at every log on its way into a table. Who changes a rule or an address group tells it here before the
// change is answered for, so that it holds for the next log; what other nodes change is looked for every second.

import { enabledRules } from '#detection/rule-store.ts';
import type { Destination, Examination, Watcher } from '#ingest/intake.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { GroupChange } from './address-book.ts';
import { type ExceededParts, ExceededRules } from './exceeded-rules.ts';
import type { LiveSet, LiveSetParts } from './live-set.ts';
import { LogExamination } from './log-examination.ts';
import type { StreamRule } from './stages.ts';
import type { FindingParts } from './stream-findings.ts';
import { enabledAmong, rulesMark } from './stream-store.ts';

const POLL_PERIOD = Temporal.Duration.from({ seconds: 1 });

export interface StreamRulesParts extends LiveSetParts, FindingParts, ExceededParts {
  readonly store: Store;
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
  /** Whether the last reading failed. */
  #isTrouble = false;
  #mark = '';
  #isPolling = false;
  /** Rules with a defect that was told. */
  readonly #faulty = new WeakSet<StreamRule>();
  readonly #exceeded: ExceededRules;
  #polling: Disposable | undefined;

  constructor(parts: StreamRulesParts) {
    this.#parts = parts;
    this.#exceeded = new ExceededRules(parts);
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
      const rows = await enabledAmong(db, guids);
      await (await this.#liveFor(rows))?.update(db, guids, rows);
    });
  }

  /** To be called when a change of addresses is durable. */
  addressesChanged(change: GroupChange): Promise<void> {
    return this.#do(async (db) => {
      if (this.#live && !this.#live.book.apply(change)) await this.#live.book.read(db, [change.group]);
    });
  }

  /** To be called when an address group is there no more, or again. */
  groupChanged(guid: string): Promise<void> {
    return this.#do(async (db) => {
      if (this.#live?.book.groups.has(guid)) await this.#live.book.read(db, [guid]);
    });
  }

  examine(destination: Destination): Examination {
    const faulty = (rule: StreamRule, error: unknown) => this.#tellFault(rule, error);
    const exceeded = this.#exceeded;
    return new LogExamination(destination, { ...this.#parts, exceeded, live: () => this.ready(), faulty });
  }

  /** The rules as they are now; undefined where there are none. Rejects where they cannot be told. */
  async ready(): Promise<LiveSet | undefined> {
    await this.#work;
    if (this.#isStale) await this.#do((db) => this.#readAll(db));
    if (this.#isStale) throw new Error('the stream rules in force cannot be read');
    return this.#live;
  }

  /** Once: there may be as many as there are logs. */
  #tellFault(rule: StreamRule, error: unknown): void {
    if (this.#faulty.has(rule)) return;
    this.#faulty.add(rule);
    this.#parts.failed(error);
  }

  async #readAll(db: Db): Promise<void> {
    this.#mark = await rulesMark(db);
    const rows = await enabledRules(db, 'stream');
    const live = await this.#liveFor(rows);
    await live?.updateAll(db, rows);
    if (live && this.#isStale) await live.book.read(db, [...live.book.groups.keys()]);
    this.#isStale = false;
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
        this.#isTrouble = false;
      } catch (error) {
        this.#isStale = true;
        // Every second somebody asks again: once is enough for the log.
        if (!this.#isTrouble) this.#parts.failed(error);
        this.#isTrouble = true;
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
      const { book } = this.#live ?? {};
      if (book) await book.read(db, await book.outdated(db));
    });
    this.#isPolling = false;
  }
}
