// A batch of records on its way into a table: its text, a line per record, and what it adds to the statistics.

import type { Layout, LogRecord, Mark, RecordRun } from '#engines/engine.ts';
import { shapeOf } from '#engines/shape.ts';
import type { Days } from '#kernel/days.ts';
import type { ColumnRegistry, Columns, ColumnType } from './columns.ts';
import type { Frame } from './journal-frames.ts';
import { columnarLine, type Room, rowLine, runLines } from './lines.ts';

/** After so many records others get their turn. */
const TURN_RECORDS = 2000;

export interface BatchFacts {
  readonly rows: number;
  readonly minTime: number;
  readonly maxTime: number;
  readonly days: ReadonlySet<string>;
  /** Those that its records use, as they are now: the registry may learn more before they are written. */
  readonly columns: Columns;
}

/** How records of a table are written and what is learnt from them. */
export class Batches {
  readonly registry: ColumnRegistry;
  readonly #layout: Layout;
  readonly #days: Days;

  constructor(layout: Layout, registry: ColumnRegistry, days: Days) {
    this.#layout = layout;
    this.registry = registry;
    this.#days = days;
  }

  async frame(records: readonly LogRecord[], firstId: number, marks?: readonly Mark[]): Promise<Frame> {
    const parts: string[] = [];
    for (let from = 0; from < records.length; from += TURN_RECORDS) {
      if (from > 0) await new Promise(setImmediate);
      const turn = records.slice(from, from + TURN_RECORDS);
      parts.push(turn.map((record, index) => this.#line(record, firstId + from + index)).join(''));
    }
    return { firstId, text: parts.join(''), marks };
  }

  /** The lines of a run, when it can be taken as it is. */
  runLines(run: RecordRun, firstId: number, room: Room): Buffer | undefined {
    const isPlain = this.#layout === 'columnar' && run.shape.names.length > 0;
    return isPlain && this.registry.misfits(run.shape).length === 0 ? runLines(run, firstId, room) : undefined;
  }

  facts(records: readonly Pick<LogRecord, 'time' | 'shape'>[]): BatchFacts {
    let minTime = Number.POSITIVE_INFINITY;
    let maxTime = Number.NEGATIVE_INFINITY;
    const days = new Set<string>();
    for (const { time } of records) {
      minTime = Math.min(minTime, time);
      maxTime = Math.max(maxTime, time);
      days.add(this.#days.of(time).name);
    }
    return { rows: records.length, minTime, maxTime, days, columns: this.#columnsOf(records) };
  }

  /** A frame that a former process wrote teaches the same columns again, whatever order the frames are in. */
  examine({ text }: Frame): BatchFacts {
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return this.facts(
      records.map((record) => {
        const { _id, _time, _rest, ...fields } = record;
        const shape = shapeOf(fields);
        if (this.#layout === 'columnar') this.registry.misfits(shape);
        if (_rest) this.registry.leftOver(_rest);
        return { time: _time, shape };
      }),
    );
  }

  #columnsOf(records: readonly Pick<LogRecord, 'shape'>[]): Columns {
    const used = new Map<string, ColumnType>();
    if (this.#layout === 'row') return used;
    for (const { names } of new Set(records.map(({ shape }) => shape))) {
      for (const name of names) {
        const type = this.registry.columns.get(name);
        if (type) used.set(name, type);
      }
    }
    return used;
  }

  #line(record: LogRecord, id: number): string {
    return this.#layout === 'row' ? rowLine(record, id) : columnarLine(record, id, this.registry);
  }
}
