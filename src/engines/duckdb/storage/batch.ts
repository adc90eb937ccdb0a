// A batch of records on its way into a table: its text, a line per record, and the figures that it adds to its table.

import type { Layout, LogRecord, RecordRun, Shape, SourceOffset } from '#engines/engine.ts';
import { shapeOf } from '#engines/shape.ts';
import type { Days } from '#kernel/days.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';
import type { ColumnRegistry, Columns, ColumnType } from './columns.ts';
import type { Frame } from './journal-frames.ts';
import type { LineBuffer } from './line-buffer.ts';
import { columnarLine, dividedLine, rowLine } from './lines.ts';
import { RunLines } from './run-lines.ts';

/** The clock is looked at after so many characters; a record costs more than its text, and much more with fields apart. */
const LOOK_CHARACTERS = 64 * 1024;
const RECORD_COST = 100;
const DIVIDED_COST = 10;

/** Records that are summed up between two slices; each has a few hundred names at most. */
const SUMMED = 256;

interface BatchSums extends Omit<BatchFacts, 'columns'> {
  /** Of the fields that fit their columns. */
  readonly names: ReadonlySet<string>;
}

export interface BatchFacts {
  readonly rows: number;
  readonly minTime: number;
  readonly maxTime: number;
  readonly days: ReadonlySet<string>;
  /** Those that its records use, as they are now: the registry may learn more before they are written. */
  readonly columns: Columns;
}

/** Writes the records of a table as lines, and learns columns from them. */
export class Batches {
  readonly registry: ColumnRegistry;
  readonly #layout: Layout;
  readonly #days: Days;
  readonly #runLines: RunLines;

  constructor(layout: Layout, registry: ColumnRegistry, days: Days) {
    this.#layout = layout;
    this.registry = registry;
    this.#days = days;
    this.#runLines = new RunLines(layout, registry);
  }

  async frame(records: readonly LogRecord[], firstId: number, offsets?: readonly SourceOffset[]): Promise<Frame> {
    return { firstId, lines: await eventLoop.runInSlots(this.#lines(records, firstId)), offsets };
  }

  *#lines(records: readonly LogRecord[], firstId: number): SlicedWork<Buffer> {
    const parts: Buffer[] = [];
    let lines: string[] = [];
    let unlooked = 0;
    for (const [index, record] of records.entries()) {
      const line = this.line(record, firstId + index);
      lines.push(line ?? (yield* dividedLine(record, firstId + index, this.registry)));
      unlooked += record.text.length * (line === undefined ? DIVIDED_COST : 1) + RECORD_COST;
      if (unlooked < LOOK_CHARACTERS) continue;
      parts.push(Buffer.from(lines.join('')));
      [lines, unlooked] = [[], 0];
      yield;
    }
    parts.push(Buffer.from(lines.join('')));
    if (parts.length > 1) yield;
    return Buffer.concat(parts);
  }

  /** The line of a record; undefined where some of its fields do not fit their columns, see `dividedLine`. */
  line(record: LogRecord, id: number): string | undefined {
    return this.#layout === 'row' ? rowLine(record, id) : columnarLine(record, id, this.registry);
  }

  /** Writes the line of one record of a run. */
  writeRunLine(run: RecordRun, at: number, id: number, target: LineBuffer): void {
    this.#runLines.write(run, at, id, target);
  }

  /** Sums up records whose lines have been made; see `facts`. */
  sums(records: readonly Pick<LogRecord, 'time' | 'shape'>[]): Promise<BatchSums> {
    return eventLoop.runInSlots(this.#sums(records));
  }

  /** Right before the records are appended: columns may widen, and hot tables follow in the order of their batches. */
  facts({ names, ...sums }: BatchSums): BatchFacts {
    const columns = new Map<string, ColumnType>();
    for (const name of names) {
      const type = this.registry.columns.get(name);
      if (type) columns.set(name, type);
    }
    return { ...sums, columns };
  }

  *#sums(records: readonly Pick<LogRecord, 'time' | 'shape'>[]): SlicedWork<BatchSums> {
    let minTime = Number.POSITIVE_INFINITY;
    let maxTime = Number.NEGATIVE_INFINITY;
    const days = new Set<string>();
    const names = new Set<string>();
    let last: Shape | undefined;
    for (const [index, { time, shape }] of records.entries()) {
      minTime = Math.min(minTime, time);
      maxTime = Math.max(maxTime, time);
      days.add(this.#days.of(time).name);
      if (shape !== last && this.#layout === 'columnar') {
        for (const name of this.registry.verdict(shape).fitting) names.add(name);
      }
      last = shape;
      if (index % SUMMED === SUMMED - 1) yield;
    }
    return { rows: records.length, minTime, maxTime, days, names };
  }

  /** A frame of an earlier process teaches the same columns again, in any order of the frames. */
  examine({ lines }: Frame): BatchFacts {
    const records = lines
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const sums = this.#sums(
      records.map((record) => {
        const { _id, _time, _rest, ...fields } = record;
        const shape = shapeOf(fields);
        if (this.#layout === 'columnar') this.registry.verdict(shape);
        if (_rest) this.registry.leftOver(_rest);
        return { time: _time, shape };
      }),
    );
    return this.facts(runToEnd(sums));
  }
}
