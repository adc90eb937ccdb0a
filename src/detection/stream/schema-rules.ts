// Rules of a schema by origin: those that select the logger or model of a log, or all. Loggers with the same rules share an
// index, which is built with the first log.

import type { Origin } from '#ingest/intake.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { StreamRule } from './compiled-rule.ts';
import { buildIndex, buildIndexYielding, type CandidateIndex } from './rule-index/candidate-index.ts';
import type { ExpressionIndexDeps } from './rule-index/expression-index.ts';

export type RuleIndex = CandidateIndex<StreamRule>;

/** The rules of one schema. */
export class SchemaRules {
  readonly #deps: ExpressionIndexDeps;
  readonly #rules = new Map<string, StreamRule>();
  /** By the GUIDs of their rules. */
  #indexes = new Map<string, RuleIndex>();
  /** By logger and model; undefined without rules. */
  #byOrigin = new Map<string, RuleIndex | undefined>();

  constructor(deps: ExpressionIndexDeps) {
    this.#deps = deps;
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  put(rule: StreamRule): void {
    this.#rules.set(rule.rule.guid, rule);
    this.#forget();
  }

  remove(guid: string): void {
    this.#rules.delete(guid);
    this.#forget();
  }

  /** Undefined when no rule selects the origin. */
  of(origin: Origin | undefined): RuleIndex | undefined {
    const key = keyOf(origin);
    if (!this.#byOrigin.has(key)) {
      const { rules, names } = this.#rulesFor(origin);
      if (rules.length > 0 && !this.#indexes.has(names)) this.#indexes.set(names, buildIndex(rules, this.#deps));
      this.#byOrigin.set(key, this.#indexes.get(names));
    }
    return this.#byOrigin.get(key);
  }

  isReady(origin: Origin | undefined): boolean {
    return this.#byOrigin.has(keyOf(origin));
  }

  /** Builds the index for `of` in small steps. A change meanwhile discards it. */
  async prepare(origin: Origin | undefined): Promise<void> {
    const indexes = this.#indexes;
    const { rules, names } = this.#rulesFor(origin);
    if (rules.length > 0 && !indexes.has(names))
      indexes.set(names, await eventLoop.runInSlots(buildIndexYielding(rules, this.#deps)));
  }

  /** The rules for an origin, and the key of their index. */
  #rulesFor(origin: Origin | undefined): { rules: readonly StreamRule[]; names: string } {
    const rules = [...this.#rules.values()].filter((rule) => selects(rule, origin));
    const named = rules.flatMap(({ rule, loggers, models }) => (loggers || models ? [rule.guid] : []));
    return { rules, names: named.join() };
  }

  #forget(): void {
    this.#indexes = new Map();
    this.#byOrigin = new Map();
  }
}

const keyOf = (origin: Origin | undefined): string => (origin ? `${origin.loggerGuid} ${origin.modelGuid}` : '');

function selects({ loggers, models }: StreamRule, origin: Origin | undefined): boolean {
  if (loggers) return origin !== undefined && loggers.has(origin.loggerGuid);
  return !models || (origin !== undefined && models.has(origin.modelGuid));
}
