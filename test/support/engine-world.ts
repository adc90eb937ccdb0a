// Runs the queries of a world on an engine, the way the service does: its tables are stored as records, each phase is a run, and
// lookups, files and hosts are those of the world.

import { withElement } from '#kernel/with-element.ts';
import { LocalBudgetExceeded, type LogStore, type TableSpec } from '#logs/log-store.ts';
import { RowRecords } from '#logs/row-record.ts';
import type { Page } from '#logs/run.ts';
import { subPlans } from '#query/analysis/sub-plans.ts';
import { MEMORY_LOOKUPS } from '#query/model/lookups.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { MapValue } from '#query/model/values.ts';
import type { Plan } from '#query/plan-nodes/plan.ts';
import { hasRows } from '#query/plan-nodes/plan.ts';
import type { SystemRows } from '#query/plan-nodes/system.ts';
import type { QueryContext } from '#query/planning/query-context.ts';
import { type CheckedQuery, checkQuery } from '#query/query.ts';
import { RowTexts } from '#query/rows/row-texts.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import { pathAt } from '#query/values/export-paths.ts';
import { servicesWith } from './effect-services.ts';
import type { EngineHome } from './engine-conformance/suite.ts';
import { Watched } from './engine-query.ts';
import { type ExampleHosts, openExampleHosts } from './example-answers.ts';
import { exampleFileBytes } from './example-files.ts';
import { groupsOf } from './example-tables.ts';
import { writtenText } from './local-lines.ts';
import { contextOf, EXAMPLE_NOW, EXAMPLE_USER, rowOf, type World } from './query-examples.ts';
import type { QueryResult, Row } from './query-result.ts';
import { columnsIn } from './result-rows.ts';
import { sinkOf } from './row-sinks.ts';
import { storedColumns, systemRows, timeOf } from './stored-rows.ts';
import { WorldLookups } from './world-lookups.ts';

export type EngineResult = Pick<QueryResult, 'rows' | 'columns' | 'pushes' | 'isOrdered' | 'normalized' | 'warnings'>;

export interface StoreOptions {
  readonly layout?: TableSpec['layout'];
  /** Stores the rows of a table; without it they are appended together. */
  readonly store?: (home: EngineHome, table: TableSpec, rows: readonly Row[]) => Promise<void>;
}

/** Rows as a query stores them. */
export const recordsOf = (rows: readonly Row[]) => {
  const records = new RowRecords();
  return rows.map((row, index) => records.of(new Map(row), timeOf(row, index).epochMilliseconds));
};

const append: NonNullable<StoreOptions['store']> = async ({ engine }, table, rows) => {
  if (rows.length > 0) await engine.append(table, recordsOf(rows));
};

interface Attempt {
  readonly page: Page | undefined;
  readonly isInThreads: boolean;
}

interface Begun {
  readonly before: Partial<QueryContext>;
  readonly watch: Watched;
  readonly isInThreads: boolean;
}

export class EngineWorld implements AsyncDisposable {
  /** Texts of files that were written, by path. */
  readonly written = new Map<string, string>();
  readonly #home: EngineHome;
  readonly #world: World;
  readonly #context: QueryContext;
  readonly #lookups: WorldLookups;
  readonly #hosts: ExampleHosts;
  readonly #specs = new Map<string, TableSpec>();

  private constructor(home: EngineHome, world: World, hosts: ExampleHosts) {
    this.#home = home;
    this.#world = world;
    this.#hosts = hosts;
    this.#context = contextOf(world, {
      evaluate: (expression, constants) => {
        const zone = constants.get('_timezone');
        return evaluateConstant(
          expression,
          this.#facts(typeof zone === 'string' ? zone : this.#context.zone),
          constants,
        );
      },
    });
    this.#lookups = new WorldLookups(this.#context.lookups);
  }

  static async open(home: EngineHome, world: World, options: StoreOptions = {}): Promise<EngineWorld> {
    const { layout = 'columnar', store = append } = options;
    const opened = new EngineWorld(home, world, await openExampleHosts(world.answers));
    try {
      await opened.#lookups.load(world);
      for (const [name, rows] of Object.entries(world.tables ?? {})) {
        const spec = await home.createTable({ name, layout, compression: 'snappy' });
        opened.#specs.set(name, spec);
        await store(home, spec, rows.map(rowOf));
      }
      return opened;
    } catch (error) {
      // Tables that stay would fail every later world of the same names, and hide this failure.
      await opened[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hosts[Symbol.asyncDispose]();
    const { store, engine } = this.#home;
    for (const spec of this.#specs.values()) {
      await store.write(async (db) => void (await db.deleteFrom('log_tables').where('id', '=', spec.id).execute()));
      await engine.drop(spec);
    }
  }

  /** Records of a table in the order of their times. */
  async stored(table: string): Promise<readonly Row[]> {
    return (await this.run(`table order=asc ${table}`)).rows;
  }

  /** Begins again with threads, as a run of the service does. */
  async run(text: string, page?: Page): Promise<EngineResult> {
    try {
      return await this.#ended(text, { page, isInThreads: false });
    } catch (error) {
      if (!(error instanceof LocalBudgetExceeded)) throw error;
      return await this.#ended(text, { page, isInThreads: true });
    }
  }

  async #ended(text: string, { page, isInThreads }: Attempt): Promise<EngineResult> {
    const watch = new Watched();
    const before: bigint[] = [];
    let known: Partial<QueryContext> = {};
    for (;;) {
      const { checked, run, ...found } = await this.#complete(text, { before: known, watch, isInThreads });
      await using _ = run;
      known = found.known;
      if (checked.next?.kind === 'phase') {
        const { plan, index, after } = checked.next;
        await Array.fromAsync(run.rows(plan));
        await run.counted(plan);
        if (plan === checked.phase) before.push(...pushesOf(plan, watch));
        known = { ...known, endedPhases: new Map(known.endedPhases).set(index, after) };
        continue;
      }
      const { plan } = checked;
      const texts = (await Array.fromAsync(run.rows(plan, page))).flat();
      await run.counted(plan, page ? undefined : BigInt(texts.length));
      const reader = new RowTexts(plan.result);
      const rows = texts.map((one) => reader.fields(one));
      return {
        rows,
        columns: columnsIn(plan.result, rows),
        pushes: [...before, ...pushesOf(plan, watch)],
        isOrdered: plan.result.rows.order !== undefined,
        normalized: checked.normalized,
        warnings: checked.warnings.map(({ code }) => code),
      };
    }
  }

  /** A run in which all is known that its phase needs. */
  async #complete(text: string, { before, ...begun }: Begun) {
    let known = before;
    let checked = await this.#check(text, known);
    const run = await this.#home.engine.begin(this.#runDeps(checked, begun));
    for (;;) {
      checked = await this.#check(text, known);
      const { next } = checked;
      if (!next || next.kind === 'phase') return { checked, run, known };
      if (next.kind === 'setq') {
        const first = (await run.firstRow(next.query)) ?? new Map();
        known = { ...known, setqResults: withElement(known.setqResults ?? [], next.index, first) };
      } else {
        const columns = await run.chartColumns(next.planNode, { isResult: next.planNode === checked.plan.result });
        known = { ...known, chartColumns: withElement(known.chartColumns ?? [], next.index, columns) };
      }
    }
  }

  async #check(text: string, known: Partial<QueryContext>): Promise<CheckedQuery> {
    const { engine } = this.#home;
    const tables = await Promise.all([...this.#specs.values()].map((spec) => engine.describe(spec)));
    return checkQuery(text, {
      ...this.#context,
      tables: new Map(tables.map((table) => [table.name, table])),
      lookups: new Map(this.#lookups.stored),
      memoryLookups: new Map(this.#lookups.inMemory),
      ...known,
    });
  }

  #runDeps({ zone }: CheckedQuery, { watch, isInThreads }: Omit<Begun, 'before'>): Parameters<LogStore['begin']>[0] {
    return {
      tables: this.#specs,
      awaited: new Set(),
      facts: this.#facts(zone),
      account: EXAMPLE_USER,
      watch,
      hasSecretRows: false,
      isApart: false,
      isInThreads,
      isLong: false,
      signal: new AbortController().signal,
      lookups: this.#lookups.ofRun(),
      services: servicesWith({
        lookupSink: async (node) => this.#lookups.sink(node),
        fileBytes: (node) => listed(exampleFileBytes(this.#world.files ?? {}, node)),
        fileSink: async (node) =>
          sinkOf(async (rows) => {
            const path = pathAt(node.path, { logtime: EXAMPLE_NOW, now: EXAMPLE_NOW, zone });
            this.written.set(path, writtenText(node, rows, zone));
          }),
        requests: { send: (node, request) => this.#hosts.send(node, request) },
        systemRows: (node) => listed(this.#systemRows(node)),
      }),
    };
  }

  async #systemRows(node: SystemRows): Promise<MapValue[][]> {
    const tables = new Map(
      Object.entries(this.#world.tables ?? {}).map(([name, given]) => {
        const rows = given.map(rowOf);
        return [name, { rows, columns: storedColumns(rows, new Set()) }] as const;
      }),
    );
    const rows = node.object === MEMORY_LOOKUPS ? this.#lookups.listed() : systemRows(node, tables);
    return [rows.map((row) => new Map(row))];
  }

  #facts(zone: string): RunFacts {
    let row = 0n;
    const nextRow = () => {
      row += 1n;
      return row;
    };
    return { now: EXAMPLE_NOW, zone, user: EXAMPLE_USER, groups: groupsOf(this.#world), nextRow };
  }
}

async function* listed<T>(all: Promise<readonly T[]>): AsyncGenerator<T> {
  yield* await all;
}

const pushesOf = (plan: Plan, watch: Watched): bigint[] =>
  [plan, ...subPlans(plan)].flatMap(({ commands }) => commands).map((node) => (hasRows(node) ? watch.most(node) : 0n));
