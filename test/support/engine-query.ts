// Runs queries on an engine in tests, the way the service does: begin, check, run what must be known before, read, count.

import type { Json } from '#kernel/json/canonical-json.ts';
import { parseExactly } from '#kernel/json/parse-json.ts';
import { withElement } from '#kernel/with-element.ts';
import type { LogStore, TableSpec } from '#logs/log-store.ts';
import type { CommandStatus, Page, Run, RunWatch } from '#logs/run.ts';
import type { StageRecorder } from '#logs/stage-recorder.ts';
import { subPlans } from '#query/analysis/sub-plans.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import { hasRows } from '#query/plan-nodes/plan.ts';
import type { QueryContext } from '#query/planning/query-context.ts';
import { checkQuery } from '#query/query.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import { servicesWith } from './effect-services.ts';

export const FACTS: RunFacts = {
  now: Temporal.Instant.from('2026-11-15T03:00:00Z'),
  zone: 'Asia/Seoul',
  user: 'tester',
  groups: new Map(),
  nextRow: () => 0n,
};

export interface EngineQuery {
  readonly plan: Plan;
  /** Cells of each row, as readers take them: without keys of the overflow that a column has, or a command has taken away. */
  readonly rows: readonly (readonly Json[])[];
  /** Of the commands in the order of the text, then those of the subqueries. */
  readonly pushes: readonly bigint[];
}

export interface QueryOptions {
  readonly isApart?: boolean;
  readonly signal?: AbortSignal;
  readonly recorder?: StageRecorder;
  /** Tables of which nothing stored is read. */
  readonly awaited?: ReadonlySet<string>;
  /** As soon as it runs. */
  readonly begun?: () => Promise<void>;
  /** After the first block of rows, before the next is asked for. */
  readonly slowly?: () => Promise<void>;
  /** Between reading the rows and counting. */
  readonly between?: () => Promise<void>;
  /** What the text may name beside its tables. */
  readonly known?: Pick<RunFacts, 'groups'> & Pick<QueryContext, 'constants'>;
  /** Only these rows are read; all count. */
  readonly page?: Page;
  /** After each block of rows. */
  readonly seen?: (run: Run, watch: Watched) => void;
}

/** Remembers what a run tells, and refuses what must not happen. */
export class Watched implements RunWatch {
  readonly counts = new Map<PlanNode, bigint>();
  readonly statuses = new Map<PlanNode, CommandStatus>();
  /** What was begun with the first command that ran. */
  work: Promise<void> | undefined;
  readonly #begun: (() => Promise<void>) | undefined;

  constructor(begun?: () => Promise<void>) {
    this.#begun = begun;
  }

  moved(node: PlanNode, status: CommandStatus): void {
    this.statuses.set(node, status);
    if (this.#begun) this.work ??= Promise.resolve().then(this.#begun);
  }

  reached(node: PlanNode, rows: bigint): void {
    this.counts.set(node, rows > this.most(node) ? rows : this.most(node));
  }

  most(node: PlanNode): bigint {
    return this.counts.get(node) ?? 0n;
  }
}

export async function queryOn(
  engine: LogStore,
  tables: readonly TableSpec[],
  text: string,
  { signal = new AbortController().signal, awaited = new Set(), isApart = false, ...options }: QueryOptions = {},
): Promise<EngineQuery> {
  const { begun, slowly, between, seen, page, recorder, known = NOTHING_KNOWN } = options;
  const facts = { ...FACTS, groups: known.groups };
  const specs = new Map(tables.map((spec) => [spec.name, spec]));
  const watch = new Watched(begun);
  const context = {
    facts,
    services: servicesWith({ systemRows: noSystemRows }),
    hasSecretRows: false,
    account: 'tester',
    awaited,
  };
  await using run = await engine.begin({
    ...context,
    tables: specs,
    watch,
    recorder,
    signal,
    isApart,
    isInThreads: false,
    isLong: false,
  });
  const described = await Promise.all(tables.map((spec) => engine.describe(spec)));
  const plan = await completed(text, run, {
    ...contextOf(facts, new Map(described.map((table) => [table.name, table]))),
    constants: known.constants,
  });
  const rows: string[] = [];
  for await (const block of run.rows(plan, page)) {
    rows.push(...block);
    seen?.(run, watch);
    if (rows.length === block.length) await slowly?.();
  }
  await watch.work;
  await between?.();
  await run.counted(plan, page ? undefined : BigInt(rows.length));
  const commands = [plan, ...subPlans(plan)].flatMap((one) => one.commands);
  return {
    plan,
    rows: rows.map((row) => cellsOf(parseExactly(row) as Json[], plan)),
    pushes: commands.map((node) => (hasRows(node) ? watch.most(node) : 0n)),
  };
}

function cellsOf(cells: Json[], { result: { rows } }: Plan): Json[] {
  const overflow = cells[rows.columns.length];
  if (!rows.overflow || overflow === null || typeof overflow !== 'object') return cells;
  const given = rows.columns.filter((_, at) => cells[at] !== null).map(({ name }) => name);
  const taken = new Set([...given, ...rows.overflow.without]);
  const others = Object.entries(overflow).filter(([name]) => !taken.has(name));
  return cells.with(rows.columns.length, others.length > 0 ? Object.fromEntries(others) : null);
}

async function* noSystemRows(): AsyncGenerator<never> {}

const NOTHING_KNOWN = { groups: new Map(), constants: new Map() };

const contextOf = (facts: RunFacts, tables: QueryContext['tables']): QueryContext => ({
  now: facts.now,
  zone: facts.zone,
  node: 'vigil',
  tables,
  writableTables: new Set(tables.keys()),
  lookups: new Map(),
  memoryLookups: new Map(),
  mayMakeLookups: false,
  parsers: new Map(),
  procedures: new Map(),
  groups: new Set(facts.groups.keys()),
  systemObjects: new Set(),
  constants: new Map(),
  setqResults: [],
  chartColumns: [],
  evaluate: (expression, constants) => evaluateConstant(expression, facts, constants),
});

async function completed(text: string, run: Run, context: QueryContext): Promise<Plan> {
  let known = context;
  for (;;) {
    const { plan, next } = checkQuery(text, known);
    if (!next) return plan;
    if (next.kind === 'phase') throw new Error('phases are runs of their own');
    if (next.kind === 'setq') {
      const first = (await run.firstRow(next.query)) ?? new Map<string, Value>();
      known = { ...known, setqResults: withElement(known.setqResults ?? [], next.index, first) };
    } else {
      const columns = await run.chartColumns(next.planNode);
      known = { ...known, chartColumns: withElement(known.chartColumns ?? [], next.index, columns) };
    }
  }
}
