// Checks the text of a query for a caller: what it may refer to is what the caller may see, and in the procedures that it
// calls what their owners may. Loaded with the first query, because it brings the whole language along.

import type { Account, Caller } from '#access/caller.ts';
import { isAtLeast, NODE_NAME } from '#contract/values.ts';
import type { LogEngine, TableSpec } from '#engines/engine.ts';
import type { RunLookups } from '#engines/plan-run.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import { lookupsOf } from '#query/analysis/references.ts';
import type { AddressPlaces, RunFacts } from '#query/model/run-facts.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { Plan } from '#query/nodes/plan.ts';
import type { KnownParameter, QueryContext } from '#query/planning/query-context.ts';
import { type CheckedQuery, checkCondition, planQuery, type ReadQuery, readJoined, readQuery } from '#query/query.ts';
import { evaluateConstant } from '#query/values/evaluator.ts';
import type { ExportPlaces } from '#query/values/export-paths.ts';
import { StepMeter } from '#query/values/steps.ts';
import type { Store } from '#store/store.ts';
import { type Constants, constantsOf, type DeclaredParams } from './constants.ts';
import type { LeadingText } from './live-query.ts';
import { knownLookups, type MemoryLookups, type OwnLookups } from './memory-lookups.ts';
import { onceKnown } from './plan-until-known.ts';
import { ReadableGroups } from './readable-groups.ts';
import { ReadableTables } from './readable-tables.ts';
import { RunnableProcedures } from './runnable-procedures.ts';

export interface CheckingParts {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly zone: string;
  readonly systemObjects: ReadonlySet<string>;
  readonly memory: MemoryLookups;
  readonly geoip?: AddressPlaces;
  /** Elements that the lists of one row may make together. */
  readonly listElements?: number;
  readonly exports: ExportPlaces;
  /** Of what the host does with one row. */
  readonly ruleSteps: number;
}

export interface CheckedText {
  readonly caller: Caller;
  readonly text: string;
  /** Where the text begins with commands of another account. */
  readonly lead: LeadingText | undefined;
  /** Whether mistakes in those are told, too. */
  readonly judges: 'all' | 'last';
  readonly params: DeclaredParams;
  readonly constants: Constants;
  /** Of a procedure that is not called; undefined for a query. */
  readonly parameters: readonly KnownParameter[] | undefined;
  readonly now: Temporal.Instant;
  readonly range: TimeRange | undefined;
}

/** What has been worked out of a query that must run in parts. */
export type Worked = Required<Pick<QueryContext, 'setqResults' | 'chartColumns'>>;

const NOTHING_WORKED: Worked = { setqResults: [], chartColumns: [] };

/** What one account may refer to. */
interface Reach {
  readonly account: Account;
  readonly tables: ReadableTables;
  readonly procedures: RunnableProcedures;
}

export class Checking {
  readonly groups: ReadableGroups;
  /** GUIDs of the address groups that the text names itself, be they there or not; procedures and leading commands aside. */
  readonly namedGroups = new Set<string>();
  readonly constants: Constants;
  readonly #parts: CheckingParts;
  readonly #of: CheckedText;
  readonly #own: Reach;
  /** Those of the owners of procedures, and of the author of leading commands, by their guid. */
  readonly #owners = new Map<string, Reach>();
  #worked = NOTHING_WORKED;
  /** Once: it is planned again and again. */
  #read: ReadQuery | undefined;
  /** Those of accounts, as the last check saw them. */
  #lookups = new Map<string, OwnLookups>();

  /** Throws a QueryError for parameters that cannot be. */
  constructor(parts: CheckingParts, of: CheckedText) {
    this.#parts = parts;
    this.#of = of;
    this.#own = this.#reachOf(of.caller);
    this.groups = new ReadableGroups(parts.store, of.now);
    this.constants = new Map([...of.constants, ...constantsOf(of.params, parts.zone)]);
  }

  /** Throws the first QueryError in the text. */
  async check(worked: Worked = NOTHING_WORKED): Promise<CheckedQuery> {
    const { parameters, judges } = this.#of;
    if (!this.#read) await eventLoop.nextSlot();
    this.#read ??= this.#readText();
    const read = this.#read;
    const given = { constants: this.constants, ...(parameters ? { parameters } : {}) };
    this.#worked = worked;
    this.#lookups = new Map();
    return await onceKnown(
      () =>
        planQuery(
          read,
          this.#surroundingsOfTexts().map((around) => ({ ...around, ...given })),
          judges,
        ),
      () => [...this.#reaches().flatMap(({ tables, procedures }) => [tables, procedures]), this.groups],
    );
  }

  /** As `check`, of the condition of a stream rule. Gives the GUIDs of the address groups that it refers to. */
  async checkCondition(): Promise<readonly string[]> {
    await onceKnown(
      () => checkCondition(this.#of.text, { ...this.#queryContext(this.#own), constants: this.constants }),
      () => [this.groups],
    );
    return [...this.groups.groups.keys()];
  }

  /** Of the tables that a plan was told of, by whomever it may read them. */
  specs(names: ReadonlySet<string>): ReadonlyMap<string, TableSpec> {
    return new Map(this.#reaches().flatMap(({ tables }) => [...tables.specs(names)]));
  }

  /** Looks up again what is known of tables: their records may have taught them new columns. */
  async lookAgain(): Promise<void> {
    for (const { tables } of this.#reaches()) await tables.lookAgain();
  }

  /** Whose rights a part of the plan has: those of an account that it names, or the caller's. */
  account(guid: string | undefined): Account {
    if (guid === undefined) return this.#of.caller;
    const named = this.#owners.get(guid);
    if (!named) throw new Error(`a plan names the account ${guid}, which its check does not know`);
    return named.account;
  }

  /** For a run over a plan that was checked last. */
  lookupsFor(plan: Plan): RunLookups {
    const seen = this.#lookups;
    return this.#parts.memory.forRun(
      this.#of.caller.userGuid,
      (account) => this.#lookupsOf(account, seen),
      lookupsOf(plan),
    );
  }

  /** What functions can see of the run; `zone` is the query's. */
  facts(zone: string): RunFacts {
    let row = 0n;
    const nextRow = () => {
      row += 1n;
      return row;
    };
    const { geoip, listElements } = this.#parts;
    const known = { ...(geoip ? { places: geoip } : {}), ...(listElements === undefined ? {} : { listElements }) };
    const steps = new StepMeter(this.#parts.ruleSteps, { isWeighed: false });
    return {
      now: this.#of.now,
      zone,
      user: this.#of.caller.login,
      groups: this.groups.groups,
      nextRow,
      steps,
      ...known,
    };
  }

  /** Commands of different accounts are read as texts of their own. */
  #readText(): ReadQuery {
    const { text, lead } = this.#of;
    if (!lead) return readQuery(text);
    return lead.rest === undefined ? readQuery(lead.text) : readJoined(lead.text, lead.rest);
  }

  /** One for each text that was read. */
  #surroundingsOfTexts(): QueryContext[] {
    const { lead } = this.#of;
    if (!lead) return [this.#queryContext(this.#own)];
    const first = this.#contextOf(lead.account);
    return lead.rest === undefined ? [first] : [first, this.#queryContext(this.#own)];
  }

  #reaches(): Reach[] {
    return [this.#own, ...this.#owners.values()];
  }

  /** Looked at once, so that a check and its run see the same ones. */
  #lookupsOf(account: string, seen: Map<string, OwnLookups>): OwnLookups {
    const own = seen.get(account) ?? this.#parts.memory.of(account);
    seen.set(account, own);
    return own;
  }

  #queryContext(reach: Reach): QueryContext {
    const { account, tables, procedures } = reach;
    return {
      now: this.#of.now,
      zone: this.#parts.zone,
      node: NODE_NAME,
      tables: tables.known(),
      writableTables: tables.writable(),
      lookups: knownLookups(this.#lookupsOf(account.userGuid, this.#lookups)),
      parsers: new Map(),
      procedures: procedures.known((owner) => this.#contextOf(owner)),
      groups: this.groups.known(reach === this.#own ? this.namedGroups : undefined),
      systemObjects: this.#parts.systemObjects,
      constants: new Map(),
      range: this.#of.range,
      ...(isAtLeast(account.role, 'ADMIN') ? { exports: this.#parts.exports } : {}),
      // Counted over the whole text, the procedures in it included.
      ...this.#worked,
      evaluate: (expression, constants) => {
        const zone = constants.get('_timezone');
        return evaluateConstant(expression, this.facts(typeof zone === 'string' ? zone : this.#parts.zone), constants);
      },
    };
  }

  #contextOf(owner: Account): QueryContext {
    const reach = this.#owners.get(owner.userGuid) ?? this.#reachOf(owner);
    this.#owners.set(owner.userGuid, reach);
    return { ...this.#queryContext(reach), account: owner.userGuid };
  }

  #reachOf(account: Account): Reach {
    const { store } = this.#parts;
    return {
      account,
      tables: new ReadableTables(this.#parts, account),
      procedures: new RunnableProcedures(store, account),
    };
  }
}
