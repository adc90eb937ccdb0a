// What the host makes, between the statements of a run: rows of the result, or a table that statements go on with.

import { type Followed, followed } from '#engines/duckdb/reads/time-slices.ts';
import type { RunStatements } from '#engines/duckdb/runs/run-statements.ts';
import type { Page } from '#engines/plan-run.ts';
import type { HostCount } from '#query/analysis/push-counts.ts';
import { idsOf } from '#query/model/columns.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { CompileContext } from '#query/nodes/sql-compiler.ts';
import { hostRowsStatement, hostStageStatement } from '#query/statements/statements.ts';
import { HostRuns, type HostRunsParts } from './host-runs.ts';
import { offsetPeriodsIn, type Stretch, topOf } from './host-segment.ts';

export interface HostStagesParts extends Omit<HostRunsParts, 'inputTexts'> {
  readonly isInThreads: boolean;
  readonly statements: RunStatements;
  readonly around: CompileContext;
  /** Tables of the run by the nodes whose rows they hold. */
  readonly stages: Map<PlanNode, string>;
  nextStage(): string;
  staged(node: PlanNode): void;
  /** Rows in the order of time, span by span. */
  spans(node: PlanNode, found: Followed, statement: typeof hostRowsStatement): AsyncGenerator<readonly string[]>;
}

interface HostStage {
  readonly table: string;
  readonly counts: readonly (HostCount | undefined)[];
}

export class HostStages implements AsyncDisposable {
  readonly #parts: HostStagesParts;
  readonly #runs: HostRuns;
  /** By place and columns: a query that is planned again finds what it has made before. */
  readonly #made = new Map<string, HostStage>();

  constructor(parts: HostStagesParts) {
    this.#parts = parts;
    this.#runs = new HostRuns({ ...parts, inputTexts: (node) => this.#inputTexts(node) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runs[Symbol.asyncDispose]();
  }

  get counts(): ReadonlyMap<PlanNode, HostCount> {
    return this.#runs.counts;
  }

  /** From now on rows are awaited; those of `flowing` will be asked for one by one. */
  begin(root: PlanNode, flowing?: Stretch): void {
    const isNew = (stretch: Stretch) => !this.#made.has(keyOf(topOf(stretch)));
    this.#runs.begin(offsetPeriodsIn(root, this.#parts.isInThreads).filter(isNew), flowing);
  }

  /** Makes tables of all that the host makes below a node or as its rows, so that statements can read of it. */
  async stage(root: PlanNode): Promise<void> {
    for (const stretch of offsetPeriodsIn(root, this.#parts.isInThreads)) {
      const top = topOf(stretch);
      if (this.#parts.stages.has(top)) continue;
      const key = keyOf(top);
      const stage = this.#made.get(key) ?? (await this.#load(stretch, top));
      this.#made.set(key, stage);
      stretch.nodes.forEach((node, index) => {
        const count = stage.counts[index];
        if (count) this.#runs.counts.set(node, count);
      });
      this.#parts.stages.set(top, stage.table);
      this.#parts.staged(top);
    }
  }

  /** Where the host has the last word. All rows are counted, however few are asked for. */
  async *texts(stretch: Stretch, page: Page | undefined): AsyncGenerator<readonly string[]> {
    const [from, to] = page ? [page.offset, page.offset + page.limit] : [0n, undefined];
    let place = 0n;
    for await (const texts of this.#runs.texts(stretch)) {
      const wanted = texts.filter((_, index) => {
        const at = place + BigInt(index);
        return at >= from && (to === undefined || at < to);
      });
      place += BigInt(texts.length);
      if (wanted.length > 0) yield wanted;
    }
  }

  async #load(stretch: Stretch, top: PlanNode): Promise<HostStage> {
    const { statements, around, nextStage } = this.#parts;
    const table = nextStage();
    const { file, longest } = await this.#runs.gathered(stretch);
    const most = Math.max(longest, MIN_LINE);
    const how = { table, path: file.path, longest: most };
    await statements.read(() => hostStageStatement(top, around, how), top);
    return { table, counts: stretch.nodes.map((node) => this.#runs.counts.get(node)) };
  }

  /** For the host to go on with. */
  async *#inputTexts(node: PlanNode): AsyncGenerator<readonly string[]> {
    await this.stage(node);
    const { statements, around, spans } = this.#parts;
    const found = followed(node);
    if (found) yield* spans(node, found, hostRowsStatement);
    else yield* statements.texts(() => hostRowsStatement(node, around), node);
  }
}

/** What DuckDB takes a line to be at most, unless told otherwise. */
const MIN_LINE = 2 ** 24;

const keyOf = ({ begin, end, rows }: PlanNode): string => `${begin} ${end} ${idsOf(rows).join(' ')}`;
