// Runs queries on DuckDB in tests: tables of rows are stored as the engine stores records, in typed columns and `_rest`.

import * as duckdb from '@duckdb/node-api';
import { withElement } from '#kernel/with-element.ts';
import { driversIn } from '#logs/runs/local/driver-rows.ts';
import { localChainsIn, topOf } from '#logs/runs/local/local-chain.ts';
import { knownConstants } from '#queries/runs/constants.ts';
import { type LocalCount, pushCounts } from '#query/analysis/push-counts.ts';
import { MEMORY_LOOKUPS } from '#query/model/lookups.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { inputsOf } from '#query/plan-nodes/facts.ts';
import type { Import } from '#query/plan-nodes/import.ts';
import type { MemoryBuild } from '#query/plan-nodes/memlookup.ts';
import type { Output } from '#query/plan-nodes/output.ts';
import type { LookupFill } from '#query/plan-nodes/outputlookup.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import type { ChartColumn } from '#query/plan-nodes/shared/chart-cells.ts';
import { type CompileContext, isTableSelect, type Source } from '#query/plan-nodes/shared/compile-context.ts';
import type { QueryContext } from '#query/planning/query-context.ts';
import { type CheckedQuery, checkQuery } from '#query/query.ts';
import { RowTexts } from '#query/rows/row-texts.ts';
import { foundColumns } from '#query/statements/chart-run.ts';
import {
  countStatement,
  isCounting,
  localStageStatement,
  type PlanStatement,
  type RowsPage,
  rowsStatement,
  stageStatement,
} from '#query/statements/statements.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import { pathAt } from '#query/values/export-paths.ts';
import { known } from '#test/support/known-plan-node.ts';
import { answeredRows } from './example-answers.ts';
import { exampleFileRows } from './example-files.ts';
import { groupsOf, openTables, uncounted, withTime } from './example-tables.ts';
import { driverLines, localLines, sinksOf, writtenText } from './local-lines.ts';
import { LocalPlan } from './local-plan.ts';
import { fieldsOf } from './local-rows.ts';
import { contextOf, EXAMPLE_NOW, EXAMPLE_USER, rowOf, type World } from './query-examples.ts';
import type { QueryResult, Row } from './query-result.ts';
import { columnsIn } from './result-rows.ts';
import { builtBy, RunnerLookups } from './runner-lookups.ts';
import { countsOf, opened, systemRows } from './stored-rows.ts';
import { StoredWorld } from './stored-world.ts';

/** Which nodes are statements of their own. */
type Apart = 'none' | 'counting' | 'all';

let shared: Promise<duckdb.DuckDBConnection> | undefined;

export class QueryRunner implements AsyncDisposable {
  context: QueryContext;
  /** Texts of files that were written, by path. */
  readonly written = new Map<string, string>();
  readonly #connection: duckdb.DuckDBConnection;
  readonly #world: StoredWorld;
  readonly #keptGroups = new Map<readonly ChartColumn[], string>();
  readonly #lookups: RunnerLookups;
  readonly #groups: RunFacts['groups'];
  readonly #files: Readonly<Record<string, string>>;
  readonly #answers: World['answers'];

  private constructor(connection: duckdb.DuckDBConnection, example: World, undeclared: ReadonlySet<string>) {
    this.#connection = connection;
    this.#world = new StoredWorld(connection, undeclared);
    this.#groups = groupsOf(example);
    this.#files = example.files ?? {};
    this.#answers = example.answers;
    const context = contextOf(example, {
      evaluate: (expression, constants) => {
        const zone = constants.get('_timezone');
        return evaluateConstant(
          expression,
          this.#facts(typeof zone === 'string' ? zone : this.context.zone),
          constants,
        );
      },
    });
    this.context = { ...context, tables: openTables(context.tables, undeclared) };
    this.#lookups = new RunnerLookups(connection, context.lookups, (what) => this.#world.named(what));
  }

  /** Fields of these names are no columns of their tables: they stay in the overflow of their rows. */
  static async open(example: World, undeclared: readonly string[] = []): Promise<QueryRunner> {
    shared ??= opened();
    const runner = new QueryRunner(await shared, example, new Set(undeclared));
    for (const [name, rows] of Object.entries(example.tables ?? {})) await runner.#world.store(name, rows.map(rowOf));
    await runner.#lookups.load(example);
    return runner;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#world[Symbol.asyncDispose]();
  }

  #facts(zone: string): RunFacts {
    return { now: EXAMPLE_NOW, zone, user: EXAMPLE_USER, groups: this.#groups, nextRow: uncounted };
  }

  /** Rows of a table in the order of arrival. */
  stored(name: string): readonly Row[] {
    return this.#world.rows(name);
  }

  /** With `apart` nodes are statements of their own, so that nothing can be moved from one into another. */
  async run(text: string, { apart = 'none' }: { apart?: Apart } = {}): Promise<QueryResult> {
    const before: bigint[] = [];
    const checked = await this.#complete(text, before);
    const { result } = checked.plan;
    const { rows, pushes, stageCounts, queryContext } = await this.#runPhase(checked.plan, checked, apart);
    return {
      rows,
      columns: columnsIn(result, rows),
      pushes: [...before, ...pushes],
      stageCounts,
      counted: async (node) => await this.#count(node, queryContext),
      isOrdered: result.rows.order !== undefined,
      constants: knownConstants(this.context.constants, checked),
      normalized: checked.normalized,
      warnings: checked.warnings.map(({ code }) => code),
    };
  }

  async #runPhase(plan: Plan, checked: CheckedQuery, apart: Apart = 'none') {
    const stages = new Map<PlanNode, string>();
    const queryContext: CompileContext = { ...this.#planContext(checked), stages };
    const local = await this.#localParts(plan.result, stages, queryContext);
    const commits: (() => Promise<void>)[] = [];
    for (const node of sinksOf(plan)) commits.push(await this.#sink(node, stages, queryContext));
    await this.#stage(plan.result, apart, stages, queryContext);
    const rows = await this.#rows(plan.result, queryContext);
    const stageCounts = await countsOf(this.#connection, stages);
    const counts = { rows: BigInt(rows.length), stages: stageCounts, local };
    const pushes = await pushCounts(plan, counts, (node) => this.#count(node, queryContext));
    for (const commit of commits) await commit();
    if (commits.length > 0) this.context = { ...this.context, tables: this.#world.known(), ...this.#lookupsNow };
    return { rows, pushes, stageCounts, queryContext };
  }

  /** Checks again and again until all that must be known before has run; `pushes` gets those of earlier phases. */
  async #complete(text: string, pushes: bigint[] = []): Promise<CheckedQuery> {
    let known: QueryContext = this.context;
    for (;;) {
      const checked = checkQuery(text, known);
      const { next } = checked;
      if (!next) return checked;
      const stages = new Map<PlanNode, string>();
      const queryContext = { ...this.#planContext(checked), stages };
      if (next.kind === 'phase') {
        const ended = await this.#runPhase(next.plan, checked);
        if (next.plan === checked.phase) pushes.push(...ended.pushes);
        known = { ...known, ...this.context, endedPhases: new Map(known.endedPhases).set(next.index, next.after) };
        continue;
      }
      await this.#localParts(next.kind === 'setq' ? next.query.result : next.planNode, stages, queryContext);
      if (next.kind === 'setq') {
        const [first = new Map<string, Value>()] = await this.#rows(next.query.result, queryContext);
        known = { ...known, setqResults: withElement(known.setqResults ?? [], next.index, first) };
      } else {
        const table = () => this.#world.named('groups');
        const read = (write: () => PlanStatement) => this.#read(write());
        const kept = { context: queryContext, keptGroups: this.#keptGroups };
        const columns = await foundColumns(next.planNode, { ...kept, table, read });
        known = { ...known, chartColumns: withElement(known.chartColumns ?? [], next.index, columns) };
      }
    }
  }

  get #lookupsNow(): Pick<QueryContext, 'lookups' | 'memoryLookups'> {
    return { lookups: new Map(this.#lookups.stored), memoryLookups: new Map(this.#lookups.inMemory) };
  }

  #planContext({ zone }: CheckedQuery): CompileContext {
    return {
      run: this.#facts(zone),
      storedColumns: (table) => this.#world.tables.get(table)?.columns ?? new Map(),
      furtherTypes: (table) => this.#world.tables.get(table)?.further ?? new Map(),
      lookupColumns: (name) => this.#lookups.columns(name),
      keptGroups: this.#keptGroups,
    };
  }

  async #count(node: PlanNode, queryContext: CompileContext): Promise<bigint> {
    const [found] = await this.#read(countStatement(node, queryContext));
    return BigInt(String(found?.[0]));
  }

  async #stage(
    node: PlanNode,
    apart: Apart,
    stages: Map<PlanNode, string>,
    queryContext: CompileContext,
  ): Promise<void> {
    for (const input of inputsOf(node)) await this.#stage(input, apart, stages, queryContext);
    // A lookup that is built on the way reads what others read too.
    if (stages.has(node)) return;
    if (apart === 'none' || (apart === 'counting' && !isCounting(node))) return;
    const table = this.#world.named('stage');
    await this.#read(stageStatement(node, queryContext, table));
    stages.set(node, table);
  }

  /** The rows that the local evaluator makes of a query, in their order. */
  async runLocally(text: string): Promise<Row[]> {
    const checked = await this.#complete(text);
    const local = new LocalPlan({
      run: this.#facts(checked.zone),
      tables: (name) => this.#world.records(name),
      lookups: (name) => this.#lookups.rows(name),
    });
    const { result } = checked.plan;
    return local.rows(result).map((row) => fieldsOf(row, result.rows));
  }

  async #compiled(text: string, page?: RowsPage): Promise<PlanStatement> {
    const checked = await this.#complete(text);
    return rowsStatement(checked.plan.result, this.#planContext(checked), page);
  }

  async statement(text: string): Promise<string> {
    return (await this.#compiled(text)).filled(duckdb, (source) => this.#selectOf(source)).text;
  }

  /** How many rows each scan of a query is asked for at most. */
  async firstRows(text: string, page?: RowsPage): Promise<(bigint | undefined)[]> {
    const { sources } = await this.#compiled(text, page);
    return sources.filter(isTableSelect).map(({ first }) => first);
  }

  /** What runs locally is a table for the rest. */
  async #localParts(root: PlanNode, stages: Map<PlanNode, string>, queryContext: CompileContext) {
    const counts: [PlanNode, LocalCount][] = [];
    for (const node of driversIn(root).map(known)) {
      if (node.kind !== 'system') throw new Error(`no rows of ${node.kind} are here`);
      const isListing = node.object === MEMORY_LOOKUPS;
      const rows = isListing ? this.#lookups.listed() : systemRows(node, this.#world.tables);
      using made = driverLines(rows, node);
      stages.set(node, this.#world.named('stage'));
      await this.#read(localStageStatement(node, queryContext, { table: stages.get(node) ?? '', ...made }));
    }
    for (const chain of localChainsIn(root)) {
      const table = this.#world.named('stage');
      using made = await localLines(chain, queryContext.run, {
        read: (statement) => this.#read(statement(queryContext)),
        outside: (node) => exampleFileRows(this.#files, node),
        answered: (node, rows) => answeredRows(node, rows, { answers: this.#answers, run: queryContext.run }),
      });
      await this.#read(localStageStatement(topOf(chain), queryContext, { table, ...made }));
      stages.set(topOf(chain), table);
      counts.push(...made.counts);
    }
    return new Map(counts);
  }

  /** To be called when the phase ends. */
  async #sink(
    node: Import | Output | MemoryBuild | LookupFill,
    stages: Map<PlanNode, string>,
    queryContext: CompileContext,
  ): Promise<() => Promise<void>> {
    const from = 'records' in node ? node.records : node.input;
    const rows = await this.#rows(from, queryContext);
    if (!stages.has(node.input)) {
      const table = this.#world.named('stage');
      await this.#read(stageStatement(node.input, queryContext, table));
      stages.set(node.input, table);
    }
    return async () => {
      if (node.kind === 'import')
        await this.#world.store(node.table, [...this.stored(node.table), ...rows.map(withTime)]);
      else if (node.kind === 'memlookup') await this.#lookups.build(builtBy(node), rows);
      else if (node.kind === 'outputlookup') await this.#lookups.fill(node, rows);
      else
        this.written.set(
          pathAt(node.path, { logtime: EXAMPLE_NOW, now: EXAMPLE_NOW, zone: queryContext.run.zone }),
          writtenText(node, rows, queryContext.run.zone),
        );
    };
  }

  /** Some of the rows of a query. */
  async page(text: string, page: RowsPage): Promise<Row[]> {
    const checked = await this.#complete(text);
    return await this.#rows(checked.plan.result, this.#planContext(checked), page);
  }

  async #rows(node: PlanNode, queryContext: CompileContext, page?: RowsPage): Promise<Row[]> {
    const reader = new RowTexts(node);
    return (await this.#read(rowsStatement(node, queryContext, page))).map(([text]) => reader.fields(String(text)));
  }

  async #read(statement: PlanStatement): Promise<duckdb.DuckDBValue[][]> {
    const { text, values, types } = statement.filled(duckdb, (source) => this.#selectOf(source));
    try {
      return (await this.#connection.runAndReadAll(text, values, types)).getRows();
    } catch (failure) {
      throw new Error(`${failure}\n${text}`, { cause: failure });
    }
  }

  #selectOf(source: Source): string {
    return isTableSelect(source) ? this.#world.selectOf(source) : this.#lookups.select(source);
  }
}
