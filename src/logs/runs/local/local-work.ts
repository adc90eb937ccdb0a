// Work of the local evaluator on rows, as it happens in a thread of its own (local-worker.ts), or right here in a test. Rows come
// as texts and leave as texts, so that the run need not parse them.

import { type ArrivedBatch, WindowRows } from '#logs/runs/arrivals/window-rows.ts';
import { FileRowReader } from '#query/local/file-rows.ts';
import { LocalPipeline } from '#query/local/local-pipeline.ts';
import { portable, revived } from '#query/local/portable.ts';
import { WebRows } from '#query/local/web-rows.ts';
import type { Rows } from '#query/model/columns.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { FileBytes } from '#query/plan-nodes/effect.ts';
import { effectOf, isOf } from '#query/plan-nodes/facts.ts';
import { files } from '#query/plan-nodes/files.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { RowScope } from '#query/plan-nodes/shared/row-scope.ts';
import type { WebAnswer, WebRequest } from '#query/plan-nodes/shared/web.ts';
import { wget } from '#query/plan-nodes/wget.ts';
import { window } from '#query/plan-nodes/window.ts';
import { type Row, readField } from '#query/rows/row.ts';
import { localLineOf, localRowOf, RowTexts, rowTextOf } from '#query/rows/row-texts.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { StepMeter, UnlimitedSteps } from '#query/values/steps.ts';

/** Some rows to be worked on: of a statement, such as have arrived, or those of a piece of a file. */
export type LocalBatch = { readonly texts: readonly string[] } | AnsweredBatch | ArrivedBatch | FileBytes;

/** Rows of a statement, and the answer of a host for each. */
export interface AnsweredBatch {
  readonly texts: readonly string[];
  readonly answers: readonly WebAnswer[];
}

/** The output of some rows of a batch. */
export interface LocalOutput {
  /** Rows of the result; or lines for a statement to read, and the length of the longest. */
  readonly made: readonly string[] | { readonly lines: Uint8Array<ArrayBuffer>; readonly longest: number };
  /** Rows that have come to sinks among the nodes, by their indexes. */
  readonly sunk: readonly { readonly index: number; readonly texts: readonly string[] }[];
  /** Rows that each node has handed on so far. */
  readonly counts: readonly bigint[];
  /** Whether further input gives no further output. */
  readonly isSatisfied: boolean;
  /** Whether the batch is worked off. */
  readonly isDone: boolean;
}

interface LocalTask {
  readonly planNodes: readonly PlanNode[];
  /** Of the input of the first node, where it has one. */
  readonly given: Rows | undefined;
  readonly as: 'texts' | 'lines';
  readonly facts: Pick<RunFacts, 'now' | 'zone' | 'user' | 'listElements'>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Steps of one row; undefined for as many as it takes. */
  readonly rowSteps: number | undefined;
}

/** A task as it is handed to a thread. */
export function portableTask(nodes: readonly PlanNode[], as: 'texts' | 'lines', run: RunFacts): unknown {
  const [first] = nodes;
  const { now, zone, user, listElements } = run;
  // Rows from outside are made before the thread gets them.
  const { kind } = (first && effectOf(first)) ?? {};
  const given = kind === 'rows' || kind === 'fields' ? first?.rows : first?.input?.rows;
  const groups = new Map([...run.groups].map(([guid, { entries }]) => [guid, entries]));
  const rowSteps = run.steps?.most;
  return portable({
    planNodes: nodes,
    given,
    as,
    facts: { now, zone, user, ...(listElements === undefined ? {} : { listElements }) },
    groups,
    rowSteps,
  } satisfies LocalTask);
}

/** Of one output: the first rows of a batch should not wait for all of them. */
const OUTPUT_ROWS = 1024;
const OUTPUT_CHARACTERS = 256 * 1024;

export class LocalWork {
  readonly #task: LocalTask;
  readonly #pipeline: LocalPipeline;
  readonly #window?: WindowRows;
  readonly #files?: FileRowReader;
  readonly #web?: WebRows;
  #rows: Iterator<Row | undefined> = [].values();
  #sunk = new Map<PlanNode, string[]>();
  /** Characters of the rows for sinks. */
  #sunkCharacters = 0;

  constructor(task: unknown) {
    // Made by `portableTask`.
    this.#task = revived(task) as LocalTask;
    const { planNodes: nodes, facts, groups, rowSteps } = this.#task;
    const known = new Map([...groups].map(([guid, entries]) => [guid, new AddressGroup(entries)]));
    const run = {
      ...facts,
      groups: known,
      nextRow: () => 0n,
      steps: rowSteps === undefined ? new UnlimitedSteps() : new StepMeter(rowSteps, { isWeighed: false }),
    };
    this.#pipeline = new LocalPipeline(nodes, { run, constants: new Map() }, (node, row) => this.#sink(node, row));
    const [first] = nodes;
    if (isOf(first, window)) this.#window = new WindowRows(first);
    if (isOf(first, files)) this.#files = new FileRowReader(first);
    if (isOf(first, wget)) this.#web = new WebRows(first, new RowScope({ run, constants: new Map() }, readField));
  }

  /** The requests of rows that will come back with their answers. */
  requests(texts: readonly string[]): WebRequest[] {
    const { given } = this.#task;
    const web = this.#web;
    if (!web || !given) throw new Error('no request is sent here');
    return texts.map((text) => web.request(localRowOf(text, given)));
  }

  /** The one before must be worked off. */
  begin(batch: LocalBatch): void {
    this.#rows = this.#passed(batch);
  }

  /** Goes on with the batch for a while. */
  next(): LocalOutput {
    const made: string[] = [];
    let characters = 0;
    let isDone = false;
    const isFull = () => made.length >= OUTPUT_ROWS || characters + this.#sunkCharacters >= OUTPUT_CHARACTERS;
    while (!isDone && !isFull()) {
      const { value: row, done } = this.#rows.next();
      isDone = done === true;
      if (!row) continue;
      const text = this.#written(row);
      made.push(text);
      characters += text.length;
    }
    const { counts, isSatisfied } = this.#pipeline;
    return {
      made: this.#task.as === 'texts' ? made : linesOf(made),
      sunk: this.#takeSunk(),
      counts: this.#task.planNodes.map((node) => counts.get(node) ?? 0n),
      isSatisfied,
      isDone,
    };
  }

  #sink(node: PlanNode, row: Row): void {
    const texts = this.#sunk.get(node) ?? [];
    const text = rowTextOf(row, node.rows);
    texts.push(text);
    this.#sunk.set(node, texts);
    this.#sunkCharacters += text.length;
  }

  #takeSunk(): LocalOutput['sunk'] {
    const sunk = [...this.#sunk].map(([node, texts]) => ({ index: this.#task.planNodes.indexOf(node), texts }));
    this.#sunk = new Map();
    this.#sunkCharacters = 0;
    return sunk;
  }

  /** Undefined between rows of which none goes on, but a sink has one. */
  *#passed(batch: LocalBatch): Generator<Row | undefined> {
    for (const row of this.#given(batch)) {
      yield* this.#pipeline.push(row);
      if (this.#sunkCharacters > 0) yield undefined;
      if (this.#pipeline.isSatisfied) return;
    }
  }

  *#given(batch: LocalBatch): Generator<Row> {
    const { given } = this.#task;
    if ('bytes' in batch) yield* this.#files?.rows(batch) ?? [];
    else if (!('texts' in batch)) yield* this.#arrived(batch);
    else if (given) {
      const answers = 'answers' in batch ? batch.answers : [];
      for (const [index, text] of batch.texts.entries()) yield this.#answered(localRowOf(text, given), answers[index]);
    }
  }

  #answered(row: Row, answer: WebAnswer | undefined): Row {
    if (answer) this.#web?.fill(row, answer);
    return row;
  }

  *#arrived(batch: ArrivedBatch): Generator<Row> {
    if (!this.#window) throw new Error('nothing arrives here');
    if ('records' in batch) yield* this.#window.records(batch);
    else yield* this.#window.stored(batch, new RowTexts(batch));
  }

  #written(row: Row): string {
    const { as, planNodes: nodes } = this.#task;
    const { rows = { columns: [] } } = nodes.at(-1) ?? {};
    return as === 'texts' ? rowTextOf(row, rows) : localLineOf(row, rows);
  }
}

function linesOf(texts: readonly string[]) {
  const parts = texts.map((text) => Buffer.from(text));
  const lines = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  let longest = 0;
  for (const part of parts) {
    lines.set(part, at);
    at += part.length;
    longest = Math.max(longest, part.length);
  }
  return { lines, longest };
}
