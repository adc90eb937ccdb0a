// Which rules look at a log at all: those of its schema that name its logger or its model, or nobody. Loggers for which these
// are the same rules share an index, which is made when the first log comes.

import type { Origin } from '#ingest/intake.ts';
import { CandidateIndex } from './candidate-index.ts';
import type { StreamRule } from './stages.ts';
import type { SubjectParts } from './subject-index.ts';

export type RuleIndex = CandidateIndex<StreamRule>;

/** Of one schema. */
export class Partitions {
  readonly #parts: SubjectParts;
  readonly #rules = new Map<string, StreamRule>();
  /** By the rules in them. */
  #indexes = new Map<string, RuleIndex>();
  /** By logger and model; undefined for those that no rule looks at. */
  #byOrigin = new Map<string, RuleIndex | undefined>();

  constructor(parts: SubjectParts) {
    this.#parts = parts;
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

  /** Undefined where no rule looks at what comes from there. */
  of(origin: Origin | undefined): RuleIndex | undefined {
    const key = origin ? `${origin.loggerGuid} ${origin.modelGuid}` : '';
    if (!this.#byOrigin.has(key)) this.#byOrigin.set(key, this.#indexFor(origin));
    return this.#byOrigin.get(key);
  }

  #indexFor(origin: Origin | undefined): RuleIndex | undefined {
    const rules = [...this.#rules.values()].filter((rule) => looksAt(rule, origin));
    if (rules.length === 0) return undefined;
    const key = rules.flatMap(({ rule, loggers, models }) => (loggers || models ? [rule.guid] : [])).join();
    const index = this.#indexes.get(key) ?? new CandidateIndex(rules, this.#parts);
    this.#indexes.set(key, index);
    return index;
  }

  #forget(): void {
    this.#indexes = new Map();
    this.#byOrigin = new Map();
  }
}

function looksAt({ loggers, models }: StreamRule, origin: Origin | undefined): boolean {
  if (loggers) return origin !== undefined && loggers.has(origin.loggerGuid);
  return !models || (origin !== undefined && models.has(origin.modelGuid));
}
