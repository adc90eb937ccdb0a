// The enabled stream rules, compiled, and their address groups. Loaded with the first rule, because it imports the whole language.

import type { Origin } from '#ingest/intake.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { QueryError } from '#query/model/query-error.ts';
import { StepMeter } from '#query/values/steps.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Db } from '#store/kysely.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';
import type { StreamRule } from './compiled-rule.ts';
import { GroupCache } from './groups/group-cache.ts';
import { groupsIn } from './rule-rows.ts';
import { type RuleIndex, SchemaRules } from './schema-rules.ts';
import { type StreamContext, streamRuleOf } from './stream-rule.ts';

/** A rule that cannot be compiled, and why. */
export interface BrokenRule {
  readonly guid: string;
  readonly name: string;
  readonly reason: string;
}

export interface ActiveRulesDeps {
  readonly clock: Clock;
  readonly zone: string;
  /** Step limit of one rule for one record. */
  readonly ruleSteps: number;
  /** Called once for each version of a rule. */
  broken(rule: BrokenRule): void;
}

interface KnownRule {
  readonly mark: string;
  readonly groups: readonly string[];
  /** Undefined where its text is no longer valid. */
  readonly rule: StreamRule | undefined;
  /** Why the text is invalid. */
  readonly reason: string | undefined;
}

export class ActiveRules {
  readonly groupCache: GroupCache;
  /** Context of compilation. */
  readonly context: StreamContext;
  /** Shared by all rules; the evaluation starts each record and rule. */
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

  /** Rules that can be evaluated. */
  get rules(): StreamRule[] {
    return [...this.#known.values()].flatMap(({ rule }) => rule ?? []);
  }

  /** Of all that are in force, valid or not. */
  get guids(): string[] {
    return [...this.#known.keys()];
  }

  /** Why the text of a rule is invalid; undefined for a valid text. */
  reasonOf(guid: string): string | undefined {
    return this.#known.get(guid)?.reason;
  }

  /** Called when an address group was removed or created: rules with a missing group match nothing. */
  groupsChanged(guids: readonly string[]): void {
    for (const { groups, rule } of this.#known.values()) {
      if (rule && groups.some((group) => guids.includes(group))) this.#activate(rule, groups);
    }
  }

  /** Compiles the rules of `rows` and removes those of `guids` without a row. */
  async update(db: Db, guids: Iterable<string>, rows: readonly RuleRow[]): Promise<void> {
    const inForce = new Map(rows.map((row) => [row.guid, row]));
    const changed = rows.filter((row) => this.#known.get(row.guid)?.mark !== markOf(row));
    const groupsOf = new Map(changed.map((row) => [row.guid, groupsIn(row)]));
    for (const guid of guids) if (!inForce.has(guid)) this.#forget(guid);
    const kept = [...this.#known].filter(([guid]) => !groupsOf.has(guid)).flatMap(([, { groups }]) => groups);
    await this.groupCache.retain(db, new Set([...kept, ...[...groupsOf.values()].flat()]));
    await eventLoop.runInSlots(this.#compileEach(changed, groupsOf));
  }

  *#compileEach(rows: readonly RuleRow[], groupsOf: ReadonlyMap<string, readonly string[]>): SlicedWork<void> {
    for (const row of rows) {
      yield* this.#compileRow(row, groupsOf.get(row.guid) ?? []);
      yield;
    }
  }

  /** As `update`, for all rules. */
  async updateAll(db: Db, rows: readonly RuleRow[]): Promise<void> {
    await this.update(db, [...this.#known.keys()], rows);
  }

  /** The rules for logs of a schema; undefined without any. */
  indexFor(schema: string | null | undefined, origin: Origin | undefined): RuleIndex | undefined {
    return typeof schema === 'string' ? this.#schemas.get(schema)?.of(origin) : undefined;
  }

  /** Builds the indexes for logs of these schemas; changes meanwhile invalidate them. */
  async prepare(schemas: Iterable<string>, origin: Origin | undefined): Promise<void> {
    for (const schema of schemas) await this.#schemas.get(schema)?.prepare(origin);
  }

  isReady(schemas: readonly string[], origin: Origin | undefined): boolean {
    return schemas.every((schema) => this.#schemas.get(schema)?.isReady(origin) ?? true);
  }

  /** Until it is compiled, the version before judges records. */
  *#compileRow(row: RuleRow, groups: readonly string[]): SlicedWork<void> {
    const compiled = yield* this.#compile(row);
    this.#forget(row.guid);
    this.#known.set(row.guid, { mark: markOf(row), groups, ...compiled });
    if (compiled.rule) this.#activate(compiled.rule, groups);
  }

  /** Activates a rule, or deactivates it while one of its groups is missing. */
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

  /** An error in one rule does not affect others. */
  *#compile(row: RuleRow): SlicedWork<Pick<KnownRule, 'rule' | 'reason'>> {
    try {
      return { rule: yield* streamRuleOf(row, this.context), reason: undefined };
    } catch (failure) {
      const reason = failure instanceof QueryError ? `(${failure.code}) ${failure.message}` : String(failure);
      this.#deps.broken({ guid: row.guid, name: row.name, reason });
      return { rule: undefined, reason };
    }
  }
}

/** Identifies a version of a rule. */
const markOf = ({ version, created_at }: RuleRow): string => `${version} ${created_at}`;
