// Checks the text of a query for a caller: what it may refer to is what the caller may see, and in the procedures that it
// calls what their owners may. Loaded with the first query, because it brings the whole language along.

import type { Caller, Rightful } from '#access/caller.ts';
import { isAtLeast, NODE_NAME } from '#contract/values.ts';
import type { LogEngine, TableSpec } from '#engines/engine.ts';
import type { RunLookups } from '#engines/plan-run.ts';
import { turn } from '#kernel/turns.ts';
import { evaluateConstant } from '#query/evaluate/index.ts';
import type { AddressPlaces } from '#query/evaluate/places.ts';
import { StepMeter } from '#query/evaluate/steps.ts';
import type { ExportPlaces } from '#query/export-paths.ts';
import type { RunFacts } from '#query/functions/function.ts';
import type { Plan, TimeRange } from '#query/plan.ts';
import { type CheckedQuery, checkCondition, planQuery, type ReadQuery, readQuery } from '#query/query.ts';
import type { KnownParameter, Surroundings } from '#query/surroundings.ts';
import type { Store } from '#store/store.ts';
import { type Constants, constantsOf, type GivenParams } from './constants.ts';
import { knownLookups, type MemoryLookups, type OwnLookups } from './memory-lookups.ts';
import { onceKnown } from './once-known.ts';
import { lookupsOf } from './plan-nodes.ts';
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
  readonly exports: ExportPlaces;
  /** Of what the host does with one row. */
  readonly ruleSteps: number;
}

export interface CheckedText {
  readonly caller: Caller;
  readonly text: string;
  readonly params: GivenParams;
  readonly constants: Constants;
  /** Of a procedure that is not called; undefined for a query. */
  readonly parameters: readonly KnownParameter[] | undefined;
  readonly now: Temporal.Instant;
  readonly range: TimeRange | undefined;
}

/** What has been worked out of a query that must run in parts. */
export type Worked = Required<Pick<Surroundings, 'setqResults' | 'chartColumns'>>;

const NOTHING_WORKED: Worked = { setqResults: [], chartColumns: [] };

/** What one account may refer to. */
interface Reach {
  readonly account: Rightful;
  readonly tables: ReadableTables;
  readonly procedures: RunnableProcedures;
}

export class Checking {
  readonly groups: ReadableGroups;
  readonly constants: Constants;
  readonly #parts: CheckingParts;
  readonly #of: CheckedText;
  readonly #own: Reach;
  /** Those of the owners of procedures, by their guid. */
  readonly #owners = new Map<string, Reach>();
  #worked = NOTHING_WORKED;
  /** Once: it is planned again and again. */
  #read: ReadQuery | undefined;
  /** As the last check saw them. */
  #lookups: OwnLookups = new Map();

  /** Throws a QueryMistake for parameters that cannot be. */
  constructor(parts: CheckingParts, of: CheckedText) {
    this.#parts = parts;
    this.#of = of;
    this.#own = this.#reachOf(of.caller);
    this.groups = new ReadableGroups(parts.store, of.now);
    this.constants = new Map([...of.constants, ...constantsOf(of.params, parts.zone)]);
  }

  /** Throws the first QueryMistake in the text. */
  async check(worked: Worked = NOTHING_WORKED): Promise<CheckedQuery> {
    const { text, parameters } = this.#of;
    if (!this.#read) await turn();
    this.#read ??= readQuery(text);
    const read = this.#read;
    const given = { constants: this.constants, ...(parameters ? { parameters } : {}) };
    this.#worked = worked;
    this.#lookups = this.#parts.memory.of(this.#of.caller.userGuid);
    return await onceKnown(
      () => planQuery(read, { ...this.#surroundings(this.#own), ...given }),
      () => [...this.#reaches().flatMap(({ tables, procedures }) => [tables, procedures]), this.groups],
    );
  }

  /** As `check`, of the condition of a stream rule. Gives the GUIDs of the address groups that it refers to. */
  async checkCondition(): Promise<readonly string[]> {
    await onceKnown(
      () => checkCondition(this.#of.text, { ...this.#surroundings(this.#own), constants: this.constants }),
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

  /** Whose rights a part of the plan has: those of an owner that it names, or the caller's. */
  account(guid: string | undefined): Rightful {
    return (guid === undefined ? undefined : this.#owners.get(guid)?.account) ?? this.#of.caller;
  }

  /** For a run over a plan that was checked last. */
  lookupsFor(plan: Plan): RunLookups {
    return this.#parts.memory.forRun(this.#of.caller.userGuid, this.#lookups, lookupsOf(plan));
  }

  /** What functions can see of the run; `zone` is the query's. */
  facts(zone: string): RunFacts {
    let row = 0n;
    const nextRow = () => {
      row += 1n;
      return row;
    };
    const { geoip } = this.#parts;
    const known = geoip ? { places: geoip } : {};
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

  #reaches(): Reach[] {
    return [this.#own, ...this.#owners.values()];
  }

  #surroundings({ account, tables, procedures }: Reach): Surroundings {
    return {
      now: this.#of.now,
      zone: this.#parts.zone,
      node: NODE_NAME,
      tables: tables.known(),
      writableTables: tables.writable(),
      lookups: knownLookups(this.#lookups),
      parsers: new Map(),
      procedures: procedures.known((owner) => this.#surroundingsOf(owner)),
      groups: this.groups.known(),
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

  #surroundingsOf(owner: Rightful): Surroundings {
    const reach = this.#owners.get(owner.userGuid) ?? this.#reachOf(owner);
    this.#owners.set(owner.userGuid, reach);
    return { ...this.#surroundings(reach), account: owner.userGuid };
  }

  #reachOf(account: Rightful): Reach {
    const { store } = this.#parts;
    return {
      account,
      tables: new ReadableTables(this.#parts, account),
      procedures: new RunnableProcedures(store, account),
    };
  }
}
