// Runs queries over a sample on the embedded engine: over its records on the node, or over those on the servers with their share.

import { withElement } from '#kernel/with-element.ts';
import type { TableSpec } from '#logs/log-store.ts';
import type { Run, RunDeps } from '#logs/run.ts';
import type { Runs } from '#logs/runs/statements/runs.ts';
import type { RunContext, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { Share, StageRecorder } from '#logs/stage-recorder.ts';
import { ClickhouseRunTables } from '#logs/stores/clickhouse/reads/run-tables.ts';
import type { StatementLimits } from '#logs/stores/clickhouse/reads/shard-statements.ts';
import type { Shards } from '#logs/stores/clickhouse/storage/shards.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { EffectServices } from '#query/plan-nodes/kinds.ts';
import type { QueryContext } from '#query/planning/query-context.ts';
import { type CheckedQuery, checkQuery } from '#query/query.ts';
import { RowTexts } from '#query/rows/row-texts.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import { NodeTables } from './node-tables.ts';
import type { Row } from './same-rows.ts';
import type { Sample } from './sample.ts';

const USER = 'verify-engine';
const NODE = 'vigil';

export interface Answer {
  readonly rows: readonly Row[];
  readonly columns: readonly string[];
  readonly isOrdered: boolean;
}

/** What the servers did for an answer. */
export interface Told {
  readonly shares: ReadonlySet<Share>;
  readonly statements: readonly string[];
}

interface SampleQueriesDeps {
  readonly runs: Runs;
  readonly shards: Shards;
  readonly limits: StatementLimits;
  /** By the names of tables. */
  readonly samples: ReadonlyMap<string, Sample>;
  readonly now: Temporal.Instant;
  readonly zone: string;
  readonly signal: AbortSignal;
}

type OpenTables = (context: RunContext) => Promise<TablesOfRun>;

export class SampleQueries {
  readonly #deps: SampleQueriesDeps;

  constructor(deps: SampleQueriesDeps) {
    this.#deps = deps;
  }

  get zone(): string {
    return this.#deps.zone;
  }

  async onNode(text: string): Promise<Answer> {
    return await this.#run(text, async (context) => new NodeTables(this.#deps.samples, context));
  }

  async withServers(text: string): Promise<Answer & Told> {
    const { samples, shards, limits } = this.#deps;
    const recorder = new Recorder();
    const tables = new Map([...samples].map(([name, { table, where }]) => [name, { ...table, where, reading: WHOLE }]));
    const open: OpenTables = async (context) => new ClickhouseRunTables({ tables, context, limits, shards });
    return { ...(await this.#run(text, open, recorder)), shares: recorder.shares, statements: recorder.statements };
  }

  async #run(text: string, tables: OpenTables, recorder?: StageRecorder): Promise<Answer> {
    const { runs } = this.#deps;
    await using run = await runs.begin(this.#runDeps(recorder), {
      tables,
      shared: () => runs.openShared(),
      secret: refuse,
      stage: refuse,
      append: refuse,
      lookupPath: refuse,
    });
    const { plan } = await this.#complete(text, run);
    const texts = (await Array.fromAsync(run.rows(plan))).flat();
    const reader = new RowTexts(plan.result);
    return {
      rows: texts.map((one) => reader.fields(one)),
      columns: plan.result.rows.columns.map(({ name }) => name),
      isOrdered: plan.result.rows.order !== undefined,
    };
  }

  /** Charts are known with the values that they read. */
  async #complete(text: string, run: Run): Promise<CheckedQuery> {
    let context = this.#context();
    for (;;) {
      const checked = checkQuery(text, context);
      const { next } = checked;
      if (!next) return checked;
      if (next.kind !== 'chart') throw new Error(`a generated pipeline has a ${next.kind}: ${text}`);
      const columns = await run.chartColumns(next.planNode, { isResult: next.planNode === checked.plan.result });
      context = { ...context, chartColumns: withElement(context.chartColumns ?? [], next.index, columns) };
    }
  }

  #context(): QueryContext {
    const { samples, now, zone } = this.#deps;
    const facts = this.#facts();
    return {
      now,
      zone,
      node: NODE,
      mayMakeLookups: false,
      tables: new Map([...samples].map(([name, { known }]) => [name, known])),
      writableTables: new Set(),
      groups: new Set(),
      systemObjects: new Set(),
      lookups: new Map(),
      memoryLookups: new Map(),
      parsers: new Map(),
      procedures: new Map(),
      constants: new Map(),
      evaluate: (expression, constants) => evaluateConstant(expression, facts, constants),
    };
  }

  #facts(): RunFacts {
    const { now, zone } = this.#deps;
    let row = 0n;
    const nextRow = () => {
      row += 1n;
      return row;
    };
    return { now, zone, user: USER, groups: new Map(), nextRow };
  }

  #runDeps(recorder: StageRecorder | undefined): RunDeps {
    const { samples, signal } = this.#deps;
    const specs = new Map<string, TableSpec>([...samples].map(([name, { table }]) => [name, table.spec]));
    return {
      tables: specs,
      awaited: new Set(),
      facts: this.#facts(),
      account: USER,
      recorder,
      signal,
      hasSecretRows: false,
      isApart: false,
      isInThreads: false,
      isLong: false,
      services: NO_SERVICES,
      watch: { moved() {}, reached() {} },
    };
  }
}

/** Changes of a sample are found out behind a run. */
const WHOLE = { isWhole: true, [Symbol.dispose]() {} };

/** An effect in a generated pipeline is a defect of the grammar: each of its services refuses. */
const NO_SERVICES = new Proxy({} as EffectServices, { get: refuse });

function refuse(): never {
  throw new Error('generated pipelines read samples of tables alone');
}

class Recorder implements StageRecorder {
  readonly shares = new Set<Share>();
  readonly statements: string[] = [];

  begin({ engine, share, statement }: Parameters<StageRecorder['begin']>[0]) {
    if (engine === 'clickhouse') {
      if (share) this.shares.add(share);
      if (statement) this.statements.push(statement());
    }
    return { read() {}, moved() {}, ended() {} };
  }

  plan(): void {}
}
