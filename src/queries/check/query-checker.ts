// Checks the text of a query for a caller. The text may refer to objects that the caller may see; the procedures that it
// calls, to objects that their owners may see. Loaded with the first query, because it imports the whole language.

import type { Account } from '#access/caller.ts';
import { isAtLeast } from '#contract/values.ts';
import type { HostList } from '#kernel/net/host-list.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { LogStore, TableSpec } from '#logs/log-store.ts';
import type { RunLookups } from '#logs/run.ts';
import { CheckedPaths } from '#queries/imports/checked-paths.ts';
import type { ImportFolders } from '#queries/imports/import-folders.ts';
import { type HeldLookups, holdLookups } from '#queries/lookups/held-lookups.ts';
import { lookupSink } from '#queries/lookups/lookup-sink.ts';
import type { MemoryLookups } from '#queries/lookups/memory-lookups.ts';
import { ReadableLookups } from '#queries/lookups/readable-lookups.ts';
import { SeenLookups } from '#queries/lookups/seen-lookups.ts';
import type { StoredLookups } from '#queries/lookups/stored-lookups.ts';
import { KnownProfiles } from '#queries/names/known-profiles.ts';
import type { NamedObjects } from '#queries/names/named-objects.ts';
import { namedNodes, type OtherNode } from '#queries/names/other-nodes.ts';
import { ReadableGroups } from '#queries/names/readable-groups.ts';
import { ReadableTables } from '#queries/names/readable-tables.ts';
import { RunnableProcedures } from '#queries/names/runnable-procedures.ts';
import { StoredParsers } from '#queries/names/stored-parsers.ts';
import type { CheckRequest } from '#queries/query-request.ts';
import { type Constants, constantsOf, rangeOfConstants } from '#queries/runs/constants.ts';
import type { SystemObjects } from '#queries/runs/system-rows.ts';
import type { PlanReferences } from '#query/analysis/references.ts';
import { readFacets } from '#query/facets.ts';
import { QueryError, type QueryWarning } from '#query/model/query-error.ts';
import type { AddressLocations, RunFacts } from '#query/model/run-facts.ts';
import type { FlushingSink } from '#query/plan-nodes/effect.ts';
import type { LookupFill } from '#query/plan-nodes/outputlookup.ts';
import type { LookupName } from '#query/plan-nodes/shared/lookup-rows.ts';
import type { InterimResults } from '#query/planning/pending-parts.ts';
import type { QueryContext } from '#query/planning/query-context.ts';
import {
  type CheckedQuery,
  checkCondition,
  checkParser,
  planQuery,
  type ReadQuery,
  readJoined,
  readQuery,
} from '#query/query.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import type { ExportPaths } from '#query/values/export-paths.ts';
import { StepMeter } from '#query/values/steps.ts';
import type { Store } from '#store/store.ts';
import { planUntilKnown } from './plan-until-known.ts';

export interface QueryCheckerDeps {
  readonly store: Store;
  readonly engine: LogStore;
  readonly zone: string;
  /** Name of this node. */
  readonly node: string;
  /** The others that have ever started; absent: there are none. */
  otherNodes?(): Promise<readonly OtherNode[]>;
  readonly systemObjects: SystemObjects;
  readonly memory: MemoryLookups;
  readonly storedLookups: StoredLookups;
  readonly geoip?: AddressLocations;
  /** Maximum of list elements that one row may produce. */
  readonly listElements?: number;
  readonly exports: ExportPaths;
  readonly imports: ImportFolders;
  readonly outboundHosts: HostList;
  /** Maximum of evaluation steps for one row of the local evaluator. */
  readonly ruleSteps: number;
}

export interface CheckOptions extends CheckRequest {
  readonly now: Temporal.Instant;
}

/** The objects that one account may refer to. */
interface AccountScope {
  readonly account: Account;
  readonly tables: ReadableTables;
  readonly procedures: RunnableProcedures;
  readonly lookups: ReadableLookups;
  readonly profiles: KnownProfiles;
}

export class QueryChecker {
  readonly groups: ReadableGroups;
  /** GUIDs of address groups in the text itself, existing or not; those of procedures and leading commands are not included. */
  readonly namedGroups = new Set<string>();
  readonly constants: Constants;
  readonly #deps: QueryCheckerDeps;
  readonly #options: CheckOptions;
  readonly #importPaths: CheckedPaths;
  readonly #callerScope: AccountScope;
  /** Scopes of the owners of procedures and of the author of leading commands, by GUID. */
  readonly #ownerScopes = new Map<string, AccountScope>();
  readonly #parsers: StoredParsers;
  #interim: InterimResults = {};
  /** Parsed once, because the text is planned several times. */
  #read: ReadQuery | undefined;
  readonly #inMemory: SeenLookups;
  readonly #otherNodes: NamedObjects<OtherNode>;

  /** Throws a QueryError for invalid parameters. */
  constructor(deps: QueryCheckerDeps, of: CheckOptions) {
    this.#deps = deps;
    this.#options = of;
    this.#callerScope = this.#scopeOf(of.caller);
    this.groups = new ReadableGroups(deps.store, of.now);
    this.#importPaths = new CheckedPaths(deps.imports);
    this.#parsers = new StoredParsers(deps.store);
    this.#inMemory = new SeenLookups(deps.memory);
    this.#otherNodes = namedNodes(deps);
    this.constants = new Map([...(of.constants ?? []), ...constantsOf(of.params ?? {}, deps.zone)]);
  }

  get #zone(): string {
    return this.#options.zone ?? this.#deps.zone;
  }

  /** Throws the first QueryError in the text. `worked` has the results of the parts that have run. */
  async check(worked: InterimResults = {}): Promise<CheckedQuery> {
    const { parameters, reports = 'all', isRun, isReadOnly, mayReceive } = this.#options;
    const read = await this.#readOnce();
    const values = {
      constants: this.constants,
      ...(parameters ? { parameters } : {}),
      ...(isRun ? {} : { isCheck: true as const }),
      ...(mayReceive ? { mayReceive } : {}),
    };
    this.#interim = worked;
    this.#inMemory.forget();
    const checked = await planUntilKnown(
      () =>
        planQuery(
          read,
          this.#contextsOfTexts().map((context) => ({ ...context, ...values })),
          reports,
        ),
      () => [
        ...this.#scopes().flatMap(({ account: _, ...objects }) => Object.values(objects)),
        ...[this.groups, this.#importPaths, this.#parsers, this.#inMemory, this.#otherNodes],
      ],
    );
    if (isReadOnly) refuseChanges(checked);
    return checked;
  }

  /** As `check`, for the condition of a stream rule. Returns the GUIDs of the address groups that it refers to, too. */
  async checkCondition(): Promise<{ groups: readonly string[]; warnings: readonly QueryWarning[] }> {
    const { warnings } = await planUntilKnown(
      () => checkCondition(this.#options.text, this.#stepsContext()),
      () => [this.groups, this.#parsers, this.#inMemory, this.#callerScope.procedures],
    );
    return { groups: [...this.groups.groups.keys()], warnings };
  }

  /** As `check`, for the text of a parser. */
  async checkParser(): Promise<readonly QueryWarning[]> {
    const { warnings } = await planUntilKnown(
      () => checkParser(this.#options.text, this.#stepsContext()),
      () => [this.groups, this.#parsers, this.#inMemory, this.#callerScope.procedures],
    );
    return warnings;
  }

  #stepsContext(): QueryContext {
    return { ...this.#queryContext(this.#callerScope), constants: this.constants, isCheck: true };
  }

  /** Specs of the tables in a plan, whichever account reads them. */
  specs(names: ReadonlySet<string>): ReadonlyMap<string, TableSpec> {
    return new Map(this.#scopes().flatMap(({ tables }) => [...tables.specs(names)]));
  }

  /** Reloads the known tables: new records may have added columns. */
  async refreshTables(): Promise<void> {
    for (const { tables } of this.#scopes()) await tables.refresh();
  }

  /** The account whose rights a node of the plan has: the account that it names, or the caller. */
  account(guid: string | undefined): Account {
    if (guid === undefined) return this.#options.caller;
    const named = this.#ownerScopes.get(guid);
    if (!named) throw new Error(`a plan names the account ${guid}, which its check does not know`);
    return named.account;
  }

  /** Lookups for a run of the plan that was checked last. */
  lookupsFor({ lookups }: PlanReferences, held: HeldLookups): RunLookups {
    const found = {
      inMemory: (name: LookupName) => held.inMemory(this.#ownerOf(name), name.lookup),
      stored: (guid: string) => held.dataOf(guid),
    };
    return this.#deps.memory.forRun(this.#options.caller.userGuid, found, lookups);
  }

  /** Keeps the lookups of a plan as they are now; later checks see the stored ones like that. */
  async holdLookups({ lookups }: PlanReferences): Promise<HeldLookups> {
    const held = await holdLookups(this.#deps, {
      // A lookup that an earlier phase makes has none before.
      stored: lookups.flatMap(({ stored = '' }) => (stored === '' ? [] : stored)),
      inMemory: lookups.flatMap((name) => {
        const owner = this.#ownerOf(name);
        const lookup = name.stored === undefined ? this.#inMemory.find(owner, name.lookup) : undefined;
        return lookup ? [{ owner, lookup }] : [];
      }),
    });
    for (const { lookups: own } of this.#scopes()) for (const row of held.rows) own.pin(row);
    return held;
  }

  /** The next check reads lookups anew. */
  forgetLookups(): void {
    for (const { lookups } of this.#scopes()) lookups.forget();
  }

  /** A stored lookup as a sink of a run. */
  lookupSink(node: LookupFill, now: Temporal.Instant): Promise<FlushingSink> {
    return lookupSink(node, { lookups: this.#deps.storedLookups, owner: this.account(node.account), now });
  }

  /** The facts of a run that functions read; `zone` is that of the query. */
  facts(zone: string): RunFacts {
    let row = 0n;
    const nextRow = () => {
      row += 1n;
      return row;
    };
    const { geoip, listElements } = this.#deps;
    const known = { ...(geoip ? { locations: geoip } : {}), ...(listElements === undefined ? {} : { listElements }) };
    const steps = new StepMeter(this.#deps.ruleSteps, { isWeighed: false });
    return {
      now: this.#options.now,
      zone,
      user: this.#options.caller.login,
      groups: this.groups.groups,
      nextRow,
      steps,
      ...known,
    };
  }

  /** Procedures may be commands of the text (8.5), so that it is read again once they are known. */
  async #readOnce(): Promise<ReadQuery> {
    this.#read ??= await planUntilKnown(
      () => this.#readText(),
      () => this.#scopes().map(({ procedures }) => procedures),
    );
    return this.#read;
  }

  /** Commands of different accounts are parsed as separate texts. */
  #readText(): SlicedWork<ReadQuery> {
    const { text, lead, facets } = this.#options;
    const { procedures } = this.#queryContext(this.#callerScope);
    if (facets) return readFacets(facets, procedures);
    if (!lead) return readQuery(text, procedures);
    const first = { text: lead.text, procedures: this.#ownerContext(lead.account).procedures };
    return lead.rest === undefined
      ? readQuery(first.text, first.procedures)
      : readJoined(first, { text: lead.rest, procedures });
  }

  /** A context for each parsed text. */
  #contextsOfTexts(): QueryContext[] {
    const { lead, calledBy, facets } = this.#options;
    const own = this.#queryContext(this.#callerScope);
    if (facets) return (this.#read ?? []).map(() => own);
    const caller = calledBy ? { ...own, ...this.#calledFrom(calledBy) } : own;
    if (!lead) return [caller];
    const first = { ...this.#ownerContext(lead.account), callers: [...(caller.callers ?? []), own] };
    return lead.rest === undefined ? [first] : [first, caller];
  }

  #calledFrom(accounts: readonly Account[]): Partial<QueryContext> {
    const callers = accounts.map((account) => this.#ownerContext(account));
    const { askedBy, caller } = this.#options;
    if (askedBy === undefined || accounts.every(({ userGuid }) => userGuid === caller.userGuid)) return { callers };
    // On the node that asked, the text was one of another account, such as that of a procedure.
    const isCallerAdministrator = isAtLeast(accounts[0]?.role ?? 'MEMBER', 'ADMIN');
    return { callers, callerProfiles: callers[0]?.profiles ?? new Map(), isCallerAdministrator };
  }

  #scopes(): AccountScope[] {
    return [this.#callerScope, ...this.#ownerScopes.values()];
  }

  #ownerOf({ account = this.#options.caller.userGuid }: LookupName): string {
    return account;
  }

  #queryContext(reach: AccountScope): QueryContext {
    const { account, tables, procedures, lookups, profiles } = reach;
    return {
      now: this.#options.now,
      zone: this.#zone,
      node: this.#deps.node,
      otherNodes: this.#otherNodes.known((node) => node),
      ...(this.#options.askedBy === undefined ? {} : { isPassedOn: true as const }),
      tables: tables.known(),
      writableTables: tables.writable(),
      lookups: lookups.known(),
      memoryLookups: this.#inMemory.known(account.userGuid),
      mayMakeLookups: isAtLeast(account.role, 'ADMIN'),
      parsers: this.#parsers.known(),
      procedures: procedures.known((owner) => this.#ownerContext(owner)),
      profiles: profiles.known(),
      groups: this.groups.known(reach === this.#callerScope ? this.namedGroups : undefined),
      systemObjects: this.#systemObjectsOf(account),
      constants: new Map(),
      range: this.#options.range ?? rangeOfConstants(this.constants),
      ...(isAtLeast(account.role, 'ADMIN')
        ? { exports: this.#deps.exports, imports: this.#importPaths, hosts: this.#deps.outboundHosts }
        : {}),
      isCallerAdministrator: isAtLeast(this.#options.caller.role, 'ADMIN'),
      // Counted over the whole text, the procedures in it included.
      ...this.#interim,
      evaluate: (expression, constants) => {
        const zone = constants.get('_timezone');
        return evaluateConstant(expression, this.facts(typeof zone === 'string' ? zone : this.#zone), constants);
      },
    };
  }

  /** Objects whose operations the account may call. */
  #systemObjectsOf({ role }: Account): ReadonlySet<string> {
    const objects = Object.entries(this.#deps.systemObjects).filter(([, { access }]) => isAtLeast(role, access));
    return new Set(objects.map(([name]) => name));
  }

  #ownerContext(owner: Account): QueryContext {
    const reach = this.#ownerScopes.get(owner.userGuid) ?? this.#scopeOf(owner);
    this.#ownerScopes.set(owner.userGuid, reach);
    const callerProfiles = this.#callerScope.profiles.known();
    return { ...this.#queryContext(reach), account: owner.userGuid, callerProfiles };
  }

  #scopeOf(account: Account): AccountScope {
    const { store } = this.#deps;
    return {
      account,
      tables: new ReadableTables(this.#deps, account),
      procedures: new RunnableProcedures(store, account),
      lookups: new ReadableLookups(store, account),
      profiles: new KnownProfiles(store, account),
    };
  }
}

/** With every plan, because values of parameters may decide: nothing of a query has run before its first one. */
function refuseChanges({ references }: CheckedQuery): void {
  const [first] = references.changes;
  if (first) throw new QueryError(92004, first, { name: first.name });
}
