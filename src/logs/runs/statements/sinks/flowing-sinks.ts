// Sinks behind a window (7.4): rows are stored as they come, at most a second behind, and stay whatever becomes of the run.
// Rows that come while others are being stored wait for them, so that a flood of small arrivals is few writes.

import type { Clock } from '#kernel/time/clock.ts';
import type { LogRecord } from '#logs/log-store.ts';
import type { KeptRows, RunDeps } from '#logs/run.ts';
import type { MapValue } from '#query/model/values.ts';
import type { RowSink } from '#query/plan-nodes/effect.ts';
import { effectOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { RowTexts } from '#query/rows/row-texts.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { rowRecords } from './imported-rows.ts';

/** From one write to the next. */
const PERIOD = Temporal.Duration.from({ milliseconds: 500 });
/** Characters of rows that wait before the run waits for them. */
const MAX_WAITING = 2 ** 24;

export interface FlowDeps extends Pick<RunDeps, 'services' | 'facts' | 'signal'> {
  readonly clock: Clock;
  /** Stores records that the next query sees. */
  append(table: string, records: readonly LogRecord[]): Promise<void>;
}

export class FlowingSinks implements AsyncDisposable {
  readonly #deps: FlowDeps;
  readonly #flows = new Map<PlanNode, Flow>();
  readonly #failing = new AbortController();

  constructor(deps: FlowDeps) {
    this.#deps = deps;
  }

  /** Aborted with the error of a sink that could not store its rows. */
  get failed(): AbortSignal {
    return this.#failing.signal;
  }

  get kept(): readonly KeptRows[] {
    return [...this.#flows].map(([node, { stored }]) => ({ planNode: node, rows: stored }));
  }

  /** `texts` are rows of the node. */
  async add(node: PlanNode, texts: readonly string[]): Promise<void> {
    await this.#flowOf(node).add(texts);
  }

  /** All of its rows have come. */
  async end(node: PlanNode): Promise<void> {
    await this.#flowOf(node).end();
  }

  /** Rows that a run has handed to its sinks are stored where that is possible, also if it fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const flow of this.#flows.values()) await flow[Symbol.asyncDispose]();
  }

  #flowOf(node: PlanNode): Flow {
    const known = this.#flows.get(node);
    if (known) return known;
    const open = () => writerOf(node, this.#deps);
    const flow = new Flow(new RowTexts(node), open, {
      clock: this.#deps.clock,
      fail: (error) => this.#failing.abort(error),
    });
    this.#flows.set(node, flow);
    return flow;
  }
}

interface FlowOptions {
  readonly clock: Clock;
  readonly fail: (error: unknown) => void;
}

class Flow implements AsyncDisposable {
  stored = 0n;
  readonly #reader: RowTexts;
  readonly #open: () => Promise<RowWriter>;
  readonly #options: FlowOptions;
  #writer: Promise<RowWriter> | undefined;
  #waiting: MapValue[] = [];
  #characters = 0;
  #writing: Promise<void> | undefined;
  #pause = new AbortController();
  #failure: { readonly error: unknown } | undefined;
  #isEnded = false;

  constructor(reader: RowTexts, open: () => Promise<RowWriter>, options: FlowOptions) {
    this.#reader = reader;
    this.#open = open;
    this.#options = options;
  }

  async add(texts: readonly string[]): Promise<void> {
    this.#waiting.push(...texts.map((text) => this.#reader.fields(text)));
    this.#characters += texts.reduce((sum, { length }) => sum + length, 0);
    this.#writing ??= this.#write();
    if (this.#characters > MAX_WAITING) {
      this.#pause.abort();
      await this.#writing;
    }
    this.#throwFailure();
  }

  async end(): Promise<void> {
    await this.#settle();
    this.#throwFailure();
    const writer = await this.#opened();
    this.#isEnded = true;
    await writer.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#settle();
    if (this.#isEnded || !this.#writer) return;
    this.#isEnded = true;
    // The run has failed already, with the error that matters.
    await this.#writer.then((writer) => writer.release()).catch(() => undefined);
  }

  async #settle(): Promise<void> {
    while (this.#writing) {
      this.#pause.abort();
      await this.#writing;
    }
  }

  /** Until nothing waits any more. */
  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const rows = this.#waiting;
        [this.#waiting, this.#characters] = [[], 0];
        await (await this.#opened()).write(rows);
        this.stored += BigInt(rows.length);
        await this.#options.clock.sleep(PERIOD, this.#pause.signal);
        this.#pause = new AbortController();
      }
    } catch (error) {
      this.#failure = { error };
      this.#options.fail(error);
    } finally {
      this.#writing = undefined;
    }
  }

  #opened(): Promise<RowWriter> {
    this.#writer ??= this.#open();
    return this.#writer;
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/** Stores rows for good, again and again. */
interface RowWriter {
  write(rows: readonly MapValue[]): Promise<void>;
  /** After the last rows. */
  end(): Promise<void>;
  /** In place of `end` if the run has failed. */
  release(): Promise<void>;
}

async function writerOf(node: PlanNode, deps: FlowDeps): Promise<RowWriter> {
  const effect = effectOf(node);
  if (effect?.kind === 'ingest') return tableWriter(effect.table, deps);
  if (effect?.kind !== 'sink') throw new Error(`${node.command} is not a sink`);
  const { services, signal } = deps;
  if (effect.isImmediate) {
    const sink = await effect.open(services, signal);
    return { ...flushed({ ...boundTo(sink), flush: () => sink.prepare() }), end: () => sink.commit() };
  }
  const writer = flushed(await effect.open(services, signal));
  return effect.distinct ? firstOfEachKey(effect.distinct, writer) : writer;
}

const boundTo = (sink: RowSink): Pick<RowSink, 'add' | 'discard'> => ({
  add: (rows) => sink.add(rows),
  discard: () => sink.discard(),
});

function tableWriter(table: string, { append, facts }: FlowDeps): RowWriter {
  const records = rowRecords(facts.now);
  return {
    write: async (rows) => await append(table, records(rows) satisfies readonly LogRecord[]),
    end: async () => {},
    release: async () => {},
  };
}

type Flushed = Pick<RowSink, 'add' | 'discard'> & { flush(): Promise<void> };

function flushed(sink: Flushed): RowWriter {
  return {
    async write(rows) {
      await sink.add(rows);
      await sink.flush();
    },
    async end() {
      await sink.flush();
      await sink.discard();
    },
    release: () => sink.discard(),
  };
}

interface DistinctRows {
  readonly key: string;
  readonly records: PlanNode;
}

/** A lookup gets the columns of its records, of the first row of each key, over all writes. */
function firstOfEachKey({ key, records }: DistinctRows, writer: RowWriter): RowWriter {
  const names = records.rows.columns.map(({ name }) => name);
  const known = new Set<string>();
  const isFirst = (row: MapValue): boolean => {
    const value = row.get(key) ?? null;
    const text = taggedJson(typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value);
    if (value === null || known.has(text)) return false;
    known.add(text);
    return true;
  };
  return {
    ...writer,
    async write(rows) {
      const firsts = rows.filter(isFirst);
      if (firsts.length === 0) return;
      await writer.write(firsts.map((row) => new Map(names.map((name) => [name, row.get(name) ?? null]))));
    },
  };
}
