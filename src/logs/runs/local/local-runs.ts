// Runs the local chains of a plan (15.10), batch by batch and in a thread. Rows are pulled by their consumer, so nothing is
// made before it is wanted. Rows that statements go on with are gathered in a file without a name and loaded as a whole.

import type { NamelessFile } from '#files/nameless.ts';
import { writeWhole } from '#files/whole.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { RunWatch } from '#logs/run.ts';
import { type ArrivedRowsDeps, arrivedBatches } from '#logs/runs/arrivals/arrived-batches.ts';
import { type ArrivingTable, Tap } from '#logs/runs/arrivals/tap.ts';
import type { RunWork } from '#logs/runs/duckdb/execution-slots.ts';
import { exhausted, isExhausted } from '#logs/runs/duckdb/exhausted.ts';
import type { StageMeter, StageRecorder } from '#logs/stage-recorder.ts';
import type { LocalCount } from '#query/analysis/push-counts.ts';
import { FileFailure, MAX_LINE } from '#query/local/file-failures.ts';
import { asksForNothing } from '#query/local/local-pipeline.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import { after } from '#query/model/times.ts';
import type { RequestSender, SourceEffect } from '#query/plan-nodes/effect.ts';
import { declarationOf, effectOf, inputOf, sourceEffectOf } from '#query/plan-nodes/facts.ts';
import type { EffectServices } from '#query/plan-nodes/kinds.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { localCallBudgetOf } from '#query/sql/local-call-budget.ts';
import { answeredRows } from './answered-rows.ts';
import { type LocalChain, topOf } from './local-chain.ts';
import type { LocalThread, LocalThreads } from './local-threads.ts';
import { type LocalBatch, type LocalOutput, portableTask } from './local-work.ts';
import { fieldBatches, rowBatches } from './outside-rows.ts';

export interface LocalRunsDeps {
  readonly facts: RunFacts;
  readonly watch: RunWatch;
  readonly signal: AbortSignal;
  readonly work: RunWork;
  readonly clock: Clock;
  readonly arrivals: ArrivedRowsDeps;
  readonly threads: LocalThreads;
  /** What the effects of nodes are opened with. */
  readonly services: EffectServices;
  readonly recorder?: StageRecorder | undefined;
  arriving(table: string): ArrivingTable;
  /** Rows of a node that statements make, as texts that the local evaluator reads. */
  inputTexts(node: PlanNode): AsyncGenerator<readonly string[]>;
  /** In memory where the run reads encrypted records. */
  file(): Promise<NamelessFile>;
  /** Sinks that store rows as they arrive. */
  readonly flowing: ArrivalSinks;
}

/** Sinks among the nodes of chains whose rows arrive. */
interface ArrivalSinks {
  /** Aborted with the error of a sink that could not store its rows. */
  readonly failed: AbortSignal;
  /** `texts` are rows of the node. */
  add(node: PlanNode, texts: readonly string[]): Promise<void>;
  /** All of its rows have come. */
  end(node: PlanNode): Promise<void>;
}

/** Rows on their way back into a statement. */
interface Gathered {
  readonly file: NamelessFile;
  /** Bytes of the longest line. */
  readonly longest: number;
}

interface Awaited {
  readonly tap: Tap;
  readonly end: Temporal.Instant;
}

export class LocalRuns implements AsyncDisposable {
  readonly counts = new Map<PlanNode, LocalCount>();
  readonly #deps: LocalRunsDeps;
  readonly #awaited = new Map<PlanNode, Awaited>();
  readonly #gathering = new Map<PlanNode, Promise<Gathered>>();

  constructor(deps: LocalRunsDeps) {
    this.#deps = deps;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { tap } of this.#awaited.values()) tap[Symbol.dispose]();
    for (const gathered of await Promise.allSettled(this.#gathering.values())) {
      if (gathered.status === 'fulfilled') await gathered.value.file[Symbol.asyncDispose]();
    }
  }

  /** Lets the windows of these begin, all at once; but for `flowing` their rows are gathered from now on. */
  begin(chains: readonly LocalChain[], flowing?: LocalChain): void {
    const { clock, facts, arriving, watch } = this.#deps;
    const now = clock.now();
    for (const { source } of chains) {
      const arrivals = arrivalsOf(source);
      if (!arrivals || this.#awaited.has(source)) continue;
      const tables = arrivals.tables.map(arriving);
      watch.moved(source, 'Running');
      // Records arrive only once.
      this.#markVisible();
      this.#awaited.set(source, {
        tap: new Tap(tables),
        end: after({ now, zone: facts.zone }, arrivals.length) ?? now,
      });
    }
    for (const chain of chains) {
      if (arrivalsOf(chain.source) && chain.source !== flowing?.source) void this.gathered(chain);
    }
  }

  /** The rows of a chain, as texts of a result. */
  async *texts(chain: LocalChain): AsyncGenerator<readonly string[]> {
    for await (const { made } of this.#outputs(chain, 'texts')) if (!('lines' in made) && made.length > 0) yield made;
  }

  async *#outputs(chain: LocalChain, as: 'texts' | 'lines'): AsyncGenerator<LocalOutput> {
    const { planNodes: nodes } = chain;
    const { facts, watch, work, threads, recorder, flowing } = this.#deps;
    const meter = recorder?.begin({ engine: 'node', planNodes: nodes });
    let counts: readonly bigint[] = nodes.map(() => 0n);
    let isCut = asksForNothing(nodes);
    let thread: LocalThread | undefined;
    try {
      // Not before there are rows: the statement that makes them may need a thread itself.
      const begun = async () => {
        thread ??= await threads.begin(portableTask(nodes, as, facts), work);
        return thread;
      };
      for await (const batch of isCut ? [] : this.#input(chain, begun)) {
        if (meter) readBatch(meter, batch);
        for await (const output of (await begun()).outputs(batch)) {
          counts = output.counts;
          isCut = output.isSatisfied;
          for (const { index, texts } of output.sunk) {
            const sink = nodes[index];
            if (sink) await flowing.add(sink, texts);
          }
          for (const [index, node] of nodes.entries()) watch.reached(node, counts[index] ?? 0n);
          yield output;
        }
        if (isCut) break;
      }
      for (const node of nodes) if (declarationOf(node).local?.isSink) await flowing.end(node);
    } catch (error) {
      if (error instanceof FileFailure) throw fileError(error, chain.source);
      // A value that is too large here is too large everywhere.
      throw isExhausted(error) ? exhausted(error, { isApart: true }) : error;
    } finally {
      await thread?.[Symbol.asyncDispose]();
      meter?.ended();
      for (const [index, node] of nodes.entries()) this.counts.set(node, { rows: counts[index] ?? 0n, isCut });
    }
  }

  async *#answered(
    source: PlanNode,
    sender: RequestSender,
    begun: () => Promise<LocalThread>,
  ): AsyncGenerator<LocalBatch> {
    const { signal, work, inputTexts } = this.#deps;
    for await (const texts of inputTexts(inputOf(source))) {
      // A request is not sent again.
      work.markVisible();
      yield* answeredRows(texts, { sender, signal, thread: await begun() });
    }
  }

  /** All of them, made once. */
  gathered(chain: LocalChain): Promise<Gathered> {
    const top = topOf(chain);
    const known = this.#gathering.get(top);
    if (known) return known;
    const gathering = this.#gather(chain);
    // The next await of it rejects.
    gathering.catch(() => undefined);
    this.#gathering.set(top, gathering);
    return gathering;
  }

  async #gather(chain: LocalChain): Promise<Gathered> {
    const file = await this.#deps.file();
    let longest = 0;
    let size = 0;
    try {
      for await (const { made } of this.#outputs(chain, 'lines')) {
        if (!('lines' in made)) continue;
        longest = Math.max(longest, made.longest);
        await writeWhole(file.handle, Buffer.from(made.lines.buffer), size);
        size += made.lines.length;
      }
      return { file, longest };
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  async *#input({ source }: LocalChain, begun: () => Promise<LocalThread>): AsyncGenerator<LocalBatch> {
    const effect = sourceEffectOf(source);
    if (effect) yield* this.#outside(source, effect, begun);
    else for await (const texts of this.#deps.inputTexts(inputOf(source))) yield { texts };
  }

  #outside(
    source: PlanNode,
    effect: SourceEffect<EffectServices>,
    begun: () => Promise<LocalThread>,
  ): AsyncIterable<LocalBatch> {
    const { services, signal, inputTexts } = this.#deps;
    switch (effect.kind) {
      case 'requests':
        return this.#answered(source, effect.open(services, signal), begun);
      case 'rows':
        if (effect.isOnce) this.#markVisible();
        return rowBatches(source, effect.sequence, effect.open(services, signal));
      case 'fields':
        return fieldBatches(source, effect, { services, signal, texts: inputTexts(inputOf(source)) });
      case 'bytes':
        return effect.open(services, signal);
      case 'arrivals':
        return this.#arrived(source);
    }
  }

  /** The run does not begin again. */
  #markVisible(): void {
    this.#deps.work.markVisible();
    localCallBudgetOf(this.#deps.facts).isShort = false;
  }

  async *#arrived(source: PlanNode): AsyncGenerator<LocalBatch> {
    const awaited = this.#awaited.get(source);
    if (!awaited) throw new Error('the window has not begun');
    const { clock, signal, arrivals, flowing } = this.#deps;
    const ending = AbortSignal.any([signal, flowing.failed]);
    try {
      for await (const arrival of awaited.tap.until(awaited.end, clock, ending))
        yield* arrivedBatches(arrival, arrivals);
    } finally {
      awaited.tap[Symbol.dispose]();
    }
  }
}

function arrivalsOf(node: PlanNode) {
  const effect = effectOf(node);
  return effect?.kind === 'arrivals' ? effect : undefined;
}

/** How many records a piece of a file or an arrival has is known to the thread alone. */
function readBatch(meter: StageMeter, batch: LocalBatch): void {
  const texts = 'texts' in batch ? batch.texts : undefined;
  meter.read(texts?.length ?? null, texts?.reduce((sum, text) => sum + Buffer.byteLength(text), 0) ?? null);
}

/** At the command that reads the file. */
function fileError({ code, size }: FileFailure, source: PlanNode): QueryError {
  const effect = effectOf(source);
  const name = effect?.kind === 'bytes' ? effect.name : '';
  return new QueryError(code, source, code === 10803 ? { n: size, max: MAX_LINE } : { name });
}
