// Runs what a plan leaves to the host (15.10), batch by batch: whoever asks for rows pulls them through, so nothing is made
// before it is wanted. What statements are to go on with is gathered in a file without a name and loaded as a whole.

import type { RunWatch } from '#engines/plan-run.ts';
import type { NamelessFile } from '#files/nameless.ts';
import { writeWhole } from '#files/whole.ts';
import type { Clock } from '#kernel/clock.ts';
import { hostLineOf } from '#query/dialects/duckdb.ts';
import { HostPipeline } from '#query/evaluate/host-pipeline.ts';
import type { Row } from '#query/evaluate/row-steps.ts';
import type { RunFacts } from '#query/functions/function.ts';
import type { PlanNode, WindowScan } from '#query/plan.ts';
import type { HostCount } from '#query/push-counts.ts';
import { after } from '#query/times.ts';
import { type ArrivalParts, ArrivedRows } from './arrived-rows.ts';
import { exhausted, isExhausted } from './exhausted.ts';
import { type Stretch, topOf } from './host-stretch.ts';
import type { LogTable } from './table.ts';
import { Tap } from './tap.ts';

export interface HostRunsParts {
  readonly facts: RunFacts;
  readonly watch: RunWatch;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly arrivals: ArrivalParts;
  table(name: string): LogTable;
  /** Rows of a node that statements make. */
  inputRows(node: PlanNode): AsyncGenerator<readonly Row[]>;
  /** As secret as what the run reads. */
  file(): Promise<NamelessFile>;
}

/** Rows on their way back into a statement. */
export interface Gathered {
  readonly file: NamelessFile;
  /** Bytes of the longest line. */
  readonly longest: number;
}

interface Awaited {
  readonly tap: Tap;
  readonly end: Temporal.Instant;
}

export class HostRuns implements AsyncDisposable {
  readonly counts = new Map<PlanNode, HostCount>();
  readonly #parts: HostRunsParts;
  readonly #awaited = new Map<WindowScan, Awaited>();
  readonly #gathering = new Map<PlanNode, Promise<Gathered>>();

  constructor(parts: HostRunsParts) {
    this.#parts = parts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { tap } of this.#awaited.values()) tap[Symbol.dispose]();
    for (const gathered of await Promise.allSettled(this.#gathering.values())) {
      if (gathered.status === 'fulfilled') await gathered.value.file[Symbol.asyncDispose]();
    }
  }

  /** Lets the windows of these begin, all at once; but for `flowing` their rows are gathered from now on. */
  begin(stretches: readonly Stretch[], flowing?: Stretch): void {
    const { clock, facts, table, watch } = this.#parts;
    const now = clock.now();
    for (const { source } of stretches) {
      if (source.kind !== 'window' || this.#awaited.has(source)) continue;
      const tables = source.tables.map(({ name }) => table(name));
      watch.moved(source, 'Running');
      this.#awaited.set(source, { tap: new Tap(tables), end: after({ now, zone: facts.zone }, source.length) ?? now });
    }
    for (const stretch of stretches) {
      if (stretch.source.kind === 'window' && stretch.source !== flowing?.source) void this.gathered(stretch);
    }
  }

  /** What comes out of a stretch. */
  async *rows(stretch: Stretch): AsyncGenerator<readonly Row[]> {
    const { facts, watch } = this.#parts;
    const pipeline = new HostPipeline(stretch.nodes, { run: facts, constants: new Map() });
    try {
      if (pipeline.isSatisfied) return;
      for await (const batch of this.#input(stretch)) {
        const out: Row[] = [];
        for (const row of batch) {
          out.push(...pipeline.push(row));
          if (pipeline.isSatisfied) break;
        }
        for (const [node, rows] of pipeline.counts) watch.reached(node, rows);
        if (out.length > 0) yield out;
        if (pipeline.isSatisfied) return;
      }
    } catch (error) {
      // A value that is too large here is too large everywhere.
      throw isExhausted(error) ? exhausted(error, { isApart: true }) : error;
    } finally {
      for (const [node, rows] of pipeline.counts) this.counts.set(node, { rows, isCut: pipeline.isSatisfied });
    }
  }

  /** All of them, made once. */
  gathered(stretch: Stretch): Promise<Gathered> {
    const top = topOf(stretch);
    const known = this.#gathering.get(top);
    if (known) return known;
    const gathering = this.#gather(stretch);
    // Whoever asks for it is told.
    gathering.catch(() => undefined);
    this.#gathering.set(top, gathering);
    return gathering;
  }

  async #gather(stretch: Stretch): Promise<Gathered> {
    const file = await this.#parts.file();
    const { rows } = topOf(stretch);
    let [longest, size] = [0, 0];
    try {
      for await (const batch of this.rows(stretch)) {
        const lines = batch.map((row) => Buffer.from(hostLineOf(row, rows)));
        for (const line of lines) longest = Math.max(longest, line.length);
        const bytes = Buffer.concat(lines);
        await writeWhole(file.handle, bytes, size);
        size += bytes.length;
      }
      return { file, longest };
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  async *#input({ source }: Stretch): AsyncGenerator<readonly Row[]> {
    if (source.kind === 'evalc') {
      yield* this.#parts.inputRows(source.input);
      return;
    }
    const awaited = this.#awaited.get(source);
    if (!awaited) throw new Error('the window has not begun');
    const { clock, signal, arrivals } = this.#parts;
    const arrived = new ArrivedRows(source, arrivals);
    try {
      for await (const arrival of awaited.tap.until(awaited.end, clock, signal)) yield* arrived.of(arrival);
    } finally {
      awaited.tap[Symbol.dispose]();
    }
  }
}
