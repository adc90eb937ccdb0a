// Matches of stream rules in a batch of logs, and their events. A rule that was removed or disabled meanwhile raises nothing.

import { type Fields, groupByKey, MAX_MATCHES, type Match, matchOf } from '#detection/events/matches.ts';
import { type RaiseResult, raiseEvents } from '#detection/events/raise-events.ts';
import type { Finding, FindingContents } from '#ingest/intake.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { MapValue } from '#query/model/values.ts';
import { SliceTimer } from '#runtime/event-loop.ts';
import type { Db } from '#store/kysely.ts';
import { findingLabel } from '#vault/sealed/everything-sealed.ts';
import type { Sealing } from '#vault/sealed/sealing.ts';
import type { Vault } from '#vault/vault.ts';
import type { StreamRule } from './compiled-rule.ts';
import { isEncrypted, rulesAmong } from './stream-store.ts';

export interface StreamFindingsDeps {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly zone: string;
  /** Called with the raised events, once they are durable. */
  raised(raised: RaiseResult): Promise<void>;
  /** Called for a rule with more matches than the maximum. */
  onCapped(rule: { readonly guid: string; readonly matches: number; readonly most: number }): void;
}

interface RuleMatches {
  readonly matches: Match[];
  total: number;
}

/** A rule whose matches are raised. */
export type JudgingRule = Pick<StreamRule, 'rule' | 'createdAt'>;

/** A part of the contents: matches of a rule. */
interface StoredMatches {
  readonly rule: string;
  readonly createdAt: number;
  readonly matches: readonly (readonly [Fields, number])[];
}

/** Characters after which a new part begins. */
const PART_CHARACTERS = 2 ** 20;

export class StreamFindings implements Finding {
  readonly #deps: StreamFindingsDeps;
  readonly #table: number;
  readonly #byRule = new Map<JudgingRule, RuleMatches>();
  #outcomes: RaiseResult[] = [];

  /** `table` is the id of the table of the logs. */
  constructor(deps: StreamFindingsDeps, table: number) {
    this.#deps = deps;
    this.#table = table;
  }

  get isEmpty(): boolean {
    return this.#byRule.size === 0;
  }

  /** `time` is that of the log, for a rule whose output has none. */
  add(rule: StreamRule, row: MapValue, time: number): void {
    const found = this.#byRule.get(rule) ?? { matches: [], total: 0 };
    this.#byRule.set(rule, found);
    found.total += 1;
    if (found.matches.length < MAX_MATCHES) found.matches.push(matchOf(row, time, this.#deps.zone));
  }

  async contents(db: Db): Promise<FindingContents> {
    const sealing = await this.#sealing(db);
    const texts: string[] = [];
    for await (const part of partsOf(this.#byRule)) {
      const text = JSON.stringify(part);
      texts.push(sealing ? sealing.seal(text, findingLabel(this.#table)) : text);
    }
    return { isSealed: sealing !== undefined, texts };
  }

  /** Adds matches that were written down before, of rules that are what they were. */
  restore({ isSealed, texts }: FindingContents, rules: readonly JudgingRule[]): void {
    const sealing = isSealed ? this.#deps.vault.tableSealing() : undefined;
    for (const text of texts) {
      const opened = sealing ? sealing.open(text, findingLabel(this.#table)) : text;
      if (opened === undefined) throw new Error('matches that were written down cannot be opened');
      const part: StoredMatches = JSON.parse(opened);
      const judging = rules.find(({ rule, createdAt }) => rule.guid === part.rule && createdAt === part.createdAt);
      if (judging) this.#addAll(judging, part.matches);
    }
  }

  #addAll(rule: JudgingRule, matches: StoredMatches['matches']): void {
    const found = this.#byRule.get(rule) ?? { matches: [], total: 0 };
    this.#byRule.set(rule, found);
    found.total += matches.length;
    for (const [fields, time] of matches) found.matches.push({ fields, time });
  }

  async raise(db: Db): Promise<void> {
    const now = this.#deps.clock.now().epochMilliseconds;
    const rows = await rulesAmong(
      db,
      [...this.#byRule.keys()].map(({ rule }) => rule.guid),
    );
    const enabled = rows.filter((row) => row.enabled === 1);
    const since = new Map(enabled.map(({ guid, created_at }) => [guid, created_at]));
    this.#outcomes = [];
    const sealing = await this.#sealing(db);
    for (const [{ rule, createdAt }, { matches }] of this.#byRule) {
      if (since.get(rule.guid) !== createdAt) continue;
      const keyed = await groupByKey(matches, rule.content);
      this.#outcomes.push(await raiseEvents(db, { rule, matches: keyed, queryId: null, now, sealing }));
    }
  }

  async #sealing(db: Db): Promise<Sealing | undefined> {
    const { vault } = this.#deps;
    const isSealed = await isEncrypted(db, this.#table);
    // A table that was removed meanwhile may have been encrypted.
    if (isSealed === undefined) return vault.tableSealingIfOpen();
    return isSealed ? vault.tableSealing() : undefined;
  }

  async raised(): Promise<void> {
    for (const outcome of this.#outcomes) await this.#deps.raised(outcome);
    for (const [{ rule }, { total }] of this.#byRule) {
      if (total > MAX_MATCHES) this.#deps.onCapped({ guid: rule.guid, matches: total, most: MAX_MATCHES });
    }
  }
}

async function* partsOf(byRule: ReadonlyMap<JudgingRule, RuleMatches>): AsyncGenerator<StoredMatches> {
  const timer = new SliceTimer();
  for (const [{ rule, createdAt }, { matches }] of byRule) {
    let part: [Fields, number][] = [];
    let characters = 0;
    for (const { fields, time } of matches) {
      part.push([fields, time]);
      characters += JSON.stringify(fields).length;
      if (characters >= PART_CHARACTERS) {
        yield { rule: rule.guid, createdAt, matches: part };
        [part, characters] = [[], 0];
      }
      await timer.yieldIfDue();
    }
    if (part.length > 0) yield { rule: rule.guid, createdAt, matches: part };
  }
}
