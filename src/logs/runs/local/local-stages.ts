// Rows that the local evaluator makes between the statements of a run: of the result, or of a table that statements go on with.

import type { NamelessFile } from '#files/nameless.ts';
import type { Page } from '#logs/run.ts';
import { type Followed, followed } from '#logs/runs/tables/time-slices.ts';
import type { StageMeter } from '#logs/stage-recorder.ts';
import type { LocalCount } from '#query/analysis/push-counts.ts';
import { idsOf } from '#query/model/columns.ts';
import type { MapValue } from '#query/model/values.ts';
import { effectOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { CompileContext } from '#query/plan-nodes/shared/compile-context.ts';
import { localRowsStatement, localStageStatement, type PlanStatement } from '#query/statements/statements.ts';
import { driversIn, writeRows } from './driver-rows.ts';
import { type LocalChain, localChainsIn, topOf } from './local-chain.ts';
import { LocalRuns, type LocalRunsDeps } from './local-runs.ts';

/** Runs statements of a plan, each over the segments that `root` reads. */
interface StatementRunner {
  read(write: () => PlanStatement, root: PlanNode, options?: { isLoad?: boolean }): Promise<unknown>;
  texts(write: () => PlanStatement, root: PlanNode): AsyncGenerator<readonly string[]>;
}

interface LocalStagesDeps extends Omit<LocalRunsDeps, 'inputTexts'> {
  readonly isInThreads: boolean;
  readonly statements: StatementRunner;
  readonly context: CompileContext;
  /** Tables of the run by the nodes whose rows they hold. */
  readonly stages: Map<PlanNode, string>;
  nextStage(): string;
  staged(node: PlanNode): void;
  /** Makes tables of nodes below this one where its statement would be too deep. */
  shorten(node: PlanNode): Promise<void>;
  /** Rows in the order of time, span by span. */
  spans(node: PlanNode, found: Followed, statement: typeof localRowsStatement): AsyncGenerator<readonly string[]>;
}

interface LocalStage {
  readonly table: string;
  readonly counts: readonly (LocalCount | undefined)[];
}

export class LocalStages implements AsyncDisposable {
  readonly #deps: LocalStagesDeps;
  readonly #runs: LocalRuns;
  /** By position in the query and columns: a query that is planned again reuses its stages. */
  readonly #made = new Map<string, LocalStage>();

  constructor(deps: LocalStagesDeps) {
    this.#deps = deps;
    this.#runs = new LocalRuns({ ...deps, inputTexts: (node) => this.#inputTexts(node) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runs[Symbol.asyncDispose]();
  }

  get counts(): ReadonlyMap<PlanNode, LocalCount> {
    return this.#runs.counts;
  }

  /** From now on rows are awaited; those of `flowing` will be asked for one by one. */
  begin(root: PlanNode, flowing?: LocalChain): void {
    const isNew = (chain: LocalChain) => !this.#made.has(keyOf(topOf(chain)));
    this.#runs.begin(localChainsIn(root, this.#deps.isInThreads).filter(isNew), flowing);
  }

  /** Makes tables of all that the local evaluator makes below a node or as its rows, so that statements can read of it. */
  async stage(root: PlanNode): Promise<void> {
    await this.stageDrivers(root);
    for (const chain of localChainsIn(root, this.#deps.isInThreads)) {
      const top = topOf(chain);
      if (this.#deps.stages.has(top)) continue;
      const key = keyOf(top);
      const stage = this.#made.get(key) ?? (await this.#load(chain, top));
      this.#made.set(key, stage);
      chain.planNodes.forEach((node, index) => {
        const count = stage.counts[index];
        if (count) this.#runs.counts.set(node, count);
      });
      this.#deps.stages.set(top, stage.table);
      this.#deps.staged(top);
    }
  }

  /** As `stage`, of drivers whose rows come from outside of the engine. */
  async stageDrivers(root: PlanNode): Promise<void> {
    for (const node of driversIn(root)) {
      if (this.#deps.stages.has(node)) continue;
      const key = keyOf(node);
      const stage = this.#made.get(key) ?? (await this.#loadDriver(node));
      this.#made.set(key, stage);
      this.#deps.stages.set(node, stage.table);
      this.#deps.staged(node);
    }
  }

  /** Where the local evaluator has the last word. All rows are counted, however few are asked for. */
  async *texts(chain: LocalChain, page: Page | undefined): AsyncGenerator<readonly string[]> {
    const [from, to] = page ? [page.offset, page.offset + page.limit] : [0n, undefined];
    let count = 0n;
    for await (const texts of this.#runs.texts(chain)) {
      const wanted = texts.filter((_, index) => {
        const at = count + BigInt(index);
        return at >= from && (to === undefined || at < to);
      });
      count += BigInt(texts.length);
      if (wanted.length > 0) yield wanted;
    }
  }

  async #load(chain: LocalChain, top: PlanNode): Promise<LocalStage> {
    const { file, longest } = await this.#runs.gathered(chain);
    const table = await this.#loadFile(top, file, longest);
    return { table, counts: chain.planNodes.map((node) => this.#runs.counts.get(node)) };
  }

  async #loadDriver(node: PlanNode): Promise<LocalStage> {
    await using file = await this.#deps.file();
    const meter = this.#deps.recorder?.begin({ engine: 'node', planNodes: [node] });
    const longest = await writeRows(file, node, counted(rowsOf(node, this.#deps), meter));
    return { table: await this.#loadFile(node, file, longest), counts: [] };
  }

  async #loadFile(top: PlanNode, { path }: NamelessFile, longest: number): Promise<string> {
    const { statements, context, nextStage } = this.#deps;
    const table = nextStage();
    const how = { table, path, longest: Math.max(longest, MIN_LINE) };
    await statements.read(() => localStageStatement(top, context, how), top, { isLoad: true });
    return table;
  }

  /** For the local evaluator to go on with. */
  async *#inputTexts(node: PlanNode): AsyncGenerator<readonly string[]> {
    await this.stage(node);
    const { statements, context, spans, stages, shorten } = this.#deps;
    await shorten(node);
    const found = followed(node, (below) => stages.has(below));
    if (found) yield* spans(node, found, localRowsStatement);
    else yield* statements.texts(() => localRowsStatement(node, context), node);
  }
}

function rowsOf(node: PlanNode, { services, signal }: LocalStagesDeps): AsyncIterable<readonly MapValue[]> {
  const effect = effectOf(node);
  if (effect?.kind !== 'rows') throw new Error(`${node.command} has no rows from outside`);
  return effect.open(services, signal);
}

async function* counted(blocks: AsyncIterable<readonly MapValue[]>, meter: StageMeter | undefined) {
  for await (const block of blocks) {
    meter?.read(block.length, null);
    yield block;
  }
  meter?.ended();
}

/** The default limit of DuckDB for a line. */
const MIN_LINE = 2 ** 24;

const keyOf = ({ begin, end, rows }: PlanNode): string => `${begin} ${end} ${idsOf(rows).join(' ')}`;
