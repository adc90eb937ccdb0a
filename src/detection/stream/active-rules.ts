// The stream rules in force, compiled, and the address groups that they ask. It brings the whole language along, so it is
// loaded with the first rule.

import type { Origin } from '#ingest/intake.ts';
import type { Clock } from '#kernel/clock.ts';
import { inTurns } from '#kernel/turns.ts';
import { QueryError } from '#query/model/query-error.ts';
import { StepMeter } from '#query/values/steps.ts';
import type { Db } from '#store/kysely.ts';
import type { RuleRow } from '#store/rule-schema.ts';
import type { StreamRule } from './compiled-rule.ts';
import { GroupCache } from './group-cache.ts';
import { groupsIn } from './rule-rows.ts';
import { type RuleIndex, SchemaRules } from './schema-rules.ts';
import { type StreamContext, streamRuleOf } from './stream-rule.ts';

/** A rule that cannot judge anything, and why. */
export interface BrokenRule {
  readonly guid: string;
  readonly name: string;
  readonly reason: string;
}

export interface ActiveRulesDeps {
  readonly clock: Clock;
  readonly zone: string;
  /** Of one rule for one record. */
  readonly ruleSteps: number;
  /** Told once of each version of a rule. */
  broken(rule: BrokenRule): void;
}

interface KnownRule {
  readonly mark: string;
  readonly groups: readonly string[];
  /** Undefined where its text is not right any more. */
  readonly rule: StreamRule | undefined;
  /** Why not. */
  readonly reason: string | undefined;
}

export class ActiveRules {
  readonly groupCache: GroupCache;
  /** What rules are compiled with. */
  readonly context: StreamContext;
  /** Shared by all rules: whoever judges says when a record and a rule begin. */
  readonly steps: StepMeter;
  readonly #deps: ActiveRulesDeps;
  readonly #known = new Map<string, KnownRule>();
  readonly #schemas = new Map<string, SchemaRules>();

  constructor(deps: ActiveRulesDeps) {
    const { clock, zone } = deps;
    this.#deps = deps;
    this.groupCache = new GroupCache(() => clock.now().epochMilliseconds);
    this.steps = new StepMeter(deps.ruleSteps);
    this.context = { zone, groups: () => this.groupCache.groups, now: () => clock.now(), steps: this.steps };
  }

  /** Those that can judge. */
  get rules(): StreamRule[] {
    return [...this.#known.values()].flatMap(({ rule }) => rule ?? []);
  }

  /** Why the text of a rule is not right any more; undefined where it is. */
  reasonOf(guid: string): string | undefined {
    return this.#known.get(guid)?.reason;
  }

  /** To be called when an address group has gone or is there again: rules that ask one that has gone match nothing. */
  groupsChanged(guids: readonly string[]): void {
    for (const { groups, rule } of this.#known.values()) {
      if (rule && groups.some((group) => guids.includes(group))) this.#activate(rule, groups);
    }
  }

  /** Takes the rules of these rows in, and forgets those of `guids` that have none. */
  async update(db: Db, guids: Iterable<string>, rows: readonly RuleRow[]): Promise<void> {
    const inForce = new Map(rows.map((row) => [row.guid, row]));
    const changed = rows.filter((row) => this.#known.get(row.guid)?.mark !== markOf(row));
    const groupsOf = new Map(changed.map((row) => [row.guid, groupsIn(row)]));
    for (const guid of guids) if (!inForce.has(guid)) this.#forget(guid);
    const kept = [...this.#known].filter(([guid]) => !groupsOf.has(guid)).flatMap(([, { groups }]) => groups);
    await this.groupCache.retain(db, new Set([...kept, ...[...groupsOf.values()].flat()]));
    await inTurns(this.#compileEach(changed, groupsOf));
  }

  *#compileEach(
    rows: readonly RuleRow[],
    groupsOf: ReadonlyMap<string, readonly string[]>,
  ): Generator<undefined, void> {
    for (const row of rows) {
      this.#compileRow(row, groupsOf.get(row.guid) ?? []);
      yield;
    }
  }

  /** As `update`, of all that there are. */
  async updateAll(db: Db, rows: readonly RuleRow[]): Promise<void> {
    await this.update(db, [...this.#known.keys()], rows);
  }

  /** The rules that look at logs of a schema; undefined where there are none. */
  indexFor(schema: string | null | undefined, origin: Origin | undefined): RuleIndex | undefined {
    return typeof schema === 'string' ? this.#schemas.get(schema)?.of(origin) : undefined;
  }

  /** Resolves when `indexFor` has nothing left to make for logs of these schemas, if nothing is changed meanwhile. */
  async prepare(schemas: Iterable<string>, origin: Origin | undefined): Promise<void> {
    for (const schema of schemas) await this.#schemas.get(schema)?.prepare(origin);
  }

  isReady(schemas: readonly string[], origin: Origin | undefined): boolean {
    return schemas.every((schema) => this.#schemas.get(schema)?.isReady(origin) ?? true);
  }

  #compileRow(row: RuleRow, groups: readonly string[]): void {
    this.#forget(row.guid);
    const compiled = this.#compile(row);
    this.#known.set(row.guid, { mark: markOf(row), groups, ...compiled });
    if (compiled.rule) this.#activate(compiled.rule, groups);
  }

  /** Puts a rule where it judges, or takes it away while a group that it asks is not there. */
  #activate(rule: StreamRule, groups: readonly string[]): void {
    this.#deactivate(rule);
    if (!groups.every((group) => this.groupCache.exists(group))) return;
    const ofSchema =
      this.#schemas.get(rule.schema) ?? new SchemaRules({ zone: this.context.zone, groups: this.context.groups });
    this.#schemas.set(rule.schema, ofSchema);
    ofSchema.put(rule);
  }

  #forget(guid: string): void {
    const rule = this.#known.get(guid)?.rule;
    this.#known.delete(guid);
    if (rule) this.#deactivate(rule);
  }

  #deactivate({ schema, rule: { guid } }: StreamRule): void {
    const ofSchema = this.#schemas.get(schema);
    ofSchema?.remove(guid);
    if (ofSchema?.isEmpty) this.#schemas.delete(schema);
  }

  /** A mistake in one rule is no reason for others not to be there. */
  #compile(row: RuleRow): Pick<KnownRule, 'rule' | 'reason'> {
    try {
      return { rule: streamRuleOf(row, this.context), reason: undefined };
    } catch (failure) {
      const reason = failure instanceof QueryError ? `(${failure.code}) ${failure.message}` : String(failure);
      this.#deps.broken({ guid: row.guid, name: row.name, reason });
      return { rule: undefined, reason };
    }
  }
}

/** Differs where a rule is another one, whatever it is called. */
const markOf = ({ version, created_at }: RuleRow): string => `${version} ${created_at}`;
