// A batch of records on its way into a table: its text, a line per record, and the figures that it adds to its table.

import { parseJson } from '#kernel/json/parse-json.ts';
import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';
import type { Day, Days } from '#kernel/time/days.ts';
import {
  type BatchFileFacts,
  FIELD_FATES,
  type Field,
  type Fields,
  type FileColumns,
  isReserved,
  type Layout,
  type LineBatch,
  type LogRecord,
  type RecordBatch,
  type Shape,
  type SourceOffset,
} from '#logs/log-store.ts';
import { numberRecords, timesIn } from '#logs/parquet/file-rows.ts';
import { shapeOf } from '#logs/shape.ts';
import type { ColumnRegistry, StoredColumn, StoredColumns } from '#logs/stores/shared/columns.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { ArrivingLeaves } from './arriving-leaves.ts';
import { BatchLines } from './batch-lines.ts';
import { columnOf, type FrameFile } from './file-frames.ts';
import type { Frame } from './journal-frames.ts';
import { LineBuffer } from './line-buffer.ts';
import { columnarLine, dividedLine, FURTHER, rowLine } from './lines.ts';

/** The clock is looked at after so many characters; a record costs more than its text, and much more with fields apart. */
const LOOK_CHARACTERS = 64 * 1024;
const RECORD_COST = 100;
const DIVIDED_COST = 10;

const NO_LINES = Buffer.alloc(0);

/** Records that are summed up between two slices; each has a few hundred names at most. */
const SUMMED = 256;

interface BatchSums extends Omit<BatchFacts, 'columns'> {
  /** Of columns that its fields are in. */
  readonly names: ReadonlySet<string>;
}

type SummedPart = readonly Pick<LogRecord, 'time' | 'shape'>[] | LineBatch;

/** The fields of a record, with those of the service. */
type JournalLine = Fields & { readonly _time: number; readonly [FURTHER]?: Fields; readonly _rest?: Fields };

export interface BatchFacts {
  readonly rows: number;
  readonly minTime: number;
  readonly maxTime: number;
  /** The number of its records on each of their days. */
  readonly days: ReadonlyMap<string, number>;
  /** Whether no record is older than the one before it. */
  readonly isSorted: boolean;
  /** Those that its records use, as they are now: the registry may learn more before they are written. */
  readonly columns: StoredColumns;
}

/** Writes the records of a table as lines, and learns columns from them. */
export class Batches {
  readonly registry: ColumnRegistry;
  readonly leaves: ArrivingLeaves;
  readonly #layout: Layout;
  readonly #days: Days;
  readonly #batchLines: BatchLines;

  constructor(layout: Layout, registry: ColumnRegistry, days: Days) {
    this.#layout = layout;
    this.registry = registry;
    this.#days = days;
    this.#batchLines = new BatchLines(layout, registry);
    const leaves = new ArrivingLeaves(registry);
    this.leaves = leaves;
    this.fileColumns = {
      numbersOf: (fields) => Uint16Array.from(fields, ({ name, type }) => registry.numberOf(name, type)),
      get leaves() {
        return leaves.text;
      },
    };
  }

  /** See `FileColumns`. */
  readonly fileColumns: FileColumns;

  /** Makes a frame of records, and sums them up; see `facts`. */
  async encode(
    parts: RecordBatch['parts'],
    firstId: number,
    offsets?: readonly SourceOffset[],
  ): Promise<{ readonly frame: Frame; readonly sums: BatchSums }> {
    const filed = this.filed(parts, firstId);
    if (filed) return { frame: { firstId, lines: NO_LINES, offsets, file: filed.file }, sums: filed.sums };
    const lines = new LineBuffer(estimatedBytes(parts));
    await eventLoop.runInSlots(this.#write(parts, firstId, lines));
    return { frame: { firstId, lines: lines.bytes, offsets }, sums: await eventLoop.runInSlots(this.#sums(parts)) };
  }

  /** All records as the file that was made of them for this table, with their ids; undefined where there is none. */
  filed(
    parts: RecordBatch['parts'],
    firstId: number,
  ): { readonly file: FrameFile; readonly sums: BatchSums } | undefined {
    const file = this.#fileOf(parts);
    if (!file) return undefined;
    numberRecords(file.bytes, file, firstId);
    return { file, sums: this.#fileSums(file) };
  }

  #fileOf(parts: RecordBatch['parts']): FrameFile | undefined {
    const [only] = parts;
    const batch = parts.length === 1 && only && 'count' in only ? only : undefined;
    if (batch?.file?.columns !== this.fileColumns) return undefined;
    const { columns, sought, often, ...file } = batch.file;
    for (const { name, records } of often ?? []) this.registry.noted(name, records);
    if (!this.#learn(file)) return undefined;
    if (sought) this.leaves.learn(sought);
    return this.placed(file);
  }

  /** Whether the fields have gone where they belong. */
  #learn({ fields }: BatchFileFacts): boolean {
    return fields.every(({ name, type, number }) => {
      const column = this.registry.columnFor(name, type);
      const known = column === undefined ? undefined : this.registry.storedColumn(column)?.number;
      return (known ?? FIELD_FATES.leftOver) === number;
    });
  }

  /** With the names of the columns that its fields are in. */
  placed(file: FrameFile): FrameFile {
    const fields = file.fields.map((field) => {
      const column = field.number > FIELD_FATES.leftOver ? this.registry.columnFor(field.name, field.type) : undefined;
      return column === undefined ? field : { ...field, column };
    });
    return { ...file, fields };
  }

  #fileSums(file: FrameFile): BatchSums {
    const { rows, minTime, maxTime, isSorted, fields } = file;
    const names = new Set(fields.flatMap(columnOf));
    const first = this.#days.of(minTime);
    const days = maxTime < first.ends ? new Map([[first.name, rows]]) : this.#daysOf(timesIn(file.bytes, file));
    return { rows, minTime, maxTime, isSorted, names, days };
  }

  #daysOf(times: Iterable<number>): BatchFacts['days'] {
    const sums = new Sums(this.#days);
    for (const time of times) sums.add(time);
    return sums.days;
  }

  *#write(parts: RecordBatch['parts'], firstId: number, target: LineBuffer): SlicedWork<void> {
    let id = firstId;
    for (const part of parts) {
      yield* 'count' in part ? this.#writeLineBatch(part, id, target) : this.#writeRecords(part, id, target);
      id += countOf(part);
      yield;
    }
  }

  *#writeLineBatch(batch: LineBatch, firstId: number, target: LineBuffer): SlicedWork<void> {
    for (let at = 0; at < batch.count; at += 1) {
      this.writeBatchLine(batch, at, firstId + at, target);
      if (at % SUMMED === SUMMED - 1) yield;
    }
  }

  *#writeRecords(records: readonly LogRecord[], firstId: number, target: LineBuffer): SlicedWork<void> {
    let unlooked = 0;
    for (const [index, record] of records.entries()) {
      const line = this.line(record, firstId + index);
      target.writeText(line ?? (yield* dividedLine(record, firstId + index, this.registry)));
      unlooked += record.text.length * (line === undefined ? DIVIDED_COST : 1) + RECORD_COST;
      if (unlooked < LOOK_CHARACTERS) continue;
      unlooked = 0;
      yield;
    }
  }

  /** The line of a record; undefined where some of its fields do not fit their columns, see `dividedLine`. */
  line(record: LogRecord, id: number): string | undefined {
    return this.#layout === 'row' ? rowLine(record, id) : columnarLine(record, id, this.registry);
  }

  /** Writes the line of one record of a batch. */
  writeBatchLine(batch: LineBatch, at: number, id: number, target: LineBuffer): void {
    this.#batchLines.write(batch, at, id, target);
  }

  /** Right before the records are appended: columns may widen, and hot tables follow in the order of their batches. */
  facts({ names, rows, minTime, maxTime, days, isSorted }: BatchSums): BatchFacts {
    const columns = new Map<string, StoredColumn>();
    for (const name of names) {
      const column = this.registry.storedColumn(name);
      if (column) columns.set(name, column);
    }
    return { rows, minTime, maxTime, days, isSorted, columns };
  }

  *#sums(parts: readonly SummedPart[]): SlicedWork<BatchSums> {
    const sums = new Sums(this.#days);
    for (const part of parts) {
      const count = countOf(part);
      for (let at = 0; at < count; at += 1) {
        sums.add('count' in part ? (part.times[at] ?? 0) : (part[at]?.time ?? 0));
        if (at % SUMMED === SUMMED - 1) yield;
      }
      if (this.#layout === 'columnar') yield* 'count' in part ? this.#batchNames(part, sums) : this.#names(part, sums);
    }
    return sums;
  }

  *#names(records: readonly Pick<LogRecord, 'shape'>[], { names }: Sums): SlicedWork<void> {
    let last: Shape | undefined;
    for (const [index, { shape }] of records.entries()) {
      if (shape === last) continue;
      last = shape;
      for (const name of this.registry.placement(shape).columns.values()) names.add(name);
      if (index % SUMMED === SUMMED - 1) yield;
    }
  }

  *#batchNames({ fields, firstMembers, memberFields, count }: LineBatch, { names }: Sums): SlicedWork<void> {
    const isUsed = usedFields(memberFields.subarray(firstMembers[0], firstMembers[count]), fields.length);
    yield;
    for (const [index, { name, type }] of fields.entries()) {
      const column = isUsed[index] === 1 && !isReserved(name) ? this.registry.columnFor(name, type) : undefined;
      if (column !== undefined) names.add(column);
    }
  }

  /** Learns from scanned lines in the order of their records; fields that are not `fitting`, by their indexes, were left over. */
  learn({ fields, memberFields }: LineBatch, fitting: Uint8Array): void {
    const isKnown = new Uint8Array(fields.length);
    for (const index of memberFields) {
      const field = isKnown[index] === 1 ? undefined : fields[index];
      isKnown[index] = 1;
      if (!field || isReserved(field.name)) continue;
      if (fitting[index] === 1) this.#restoreFits(field);
      else this.registry.leftOver({ [field.name]: field.type === 'null' ? null : true });
    }
  }

  /** Facts of scanned lines that an earlier process wrote. */
  batchFacts(batch: LineBatch): BatchFacts {
    return this.facts(runToEnd(this.#sums([batch])));
  }

  /** A frame of an earlier process teaches the same columns again, in any order of the frames. */
  examine({ lines, file }: Frame): BatchFacts {
    if (file) return this.#examineFile(file);
    const records = lines
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => parseJson<JournalLine>(line));
    const sums = this.#sums([
      records.map((record) => {
        const { _id, _time, _rest, [FURTHER]: further, ...fields } = record;
        if (this.#layout === 'columnar') this.#restoreColumns(shapeOf(fields));
        const shape = shapeOf({ ...fields, ...(this.#layout === 'columnar' ? this.#restored(further) : {}) });
        if (this.#layout === 'columnar') this.registry.placement(shape);
        if (_rest) this.registry.leftOver(_rest);
        return { time: _time, shape };
      }),
    ]);
    return this.facts(runToEnd(sums));
  }

  #restoreColumns({ names, types }: Shape): void {
    for (const [index, name] of names.entries()) this.registry.restoredFirst(name, types[index] ?? 'other');
  }

  #restoreFits({ name, type }: Field): void {
    this.registry.restoredFirst(name, type);
    this.registry.fits(name, type);
  }

  /** The fields of further columns, which are learnt. */
  #restored(further: Fields = {}): Fields {
    return Object.fromEntries(
      Object.entries(further).map(([column, value]) => [this.registry.restored(column), value]),
    );
  }

  #examineFile(file: FrameFile): BatchFacts {
    for (const { name, type, number, column = name } of file.fields) {
      if (column !== name) this.registry.restored(column);
      else if (number > FIELD_FATES.leftOver) this.#restoreFits({ name, type });
      else this.registry.leftOver({ [name]: type === 'null' ? null : true });
    }
    return this.facts(this.#fileSums(file));
  }
}

/** By the index of a field, 1 for those that some record has. */
export function usedFields(memberFields: Uint16Array, count: number): Uint8Array {
  const isUsed = new Uint8Array(count);
  for (const index of memberFields) isUsed[index] = 1;
  return isUsed;
}

class Sums implements BatchSums {
  readonly #days: Days;
  rows = 0;
  minTime = Number.POSITIVE_INFINITY;
  maxTime = Number.NEGATIVE_INFINITY;
  isSorted = true;
  readonly names = new Set<string>();
  readonly #rowsByDay = new Map<string, number>();
  #day: Day | undefined;
  /** Records that followed each other on `#day` and are not in `#rowsByDay` yet. */
  #rowsOfDay = 0;

  constructor(days: Days) {
    this.#days = days;
  }

  add(time: number): void {
    this.rows += 1;
    if (time < this.minTime) this.minTime = time;
    if (time >= this.maxTime) this.maxTime = time;
    else this.isSorted = false;
    if (!this.#day || time < this.#day.begins || time >= this.#day.ends) {
      this.#closeDay();
      this.#day = this.#days.of(time);
    }
    this.#rowsOfDay += 1;
  }

  get days(): BatchFacts['days'] {
    this.#closeDay();
    return this.#rowsByDay;
  }

  #closeDay(): void {
    if (!this.#day || this.#rowsOfDay === 0) return;
    const { name } = this.#day;
    this.#rowsByDay.set(name, (this.#rowsByDay.get(name) ?? 0) + this.#rowsOfDay);
    this.#rowsOfDay = 0;
  }
}

export const countOf = (part: readonly unknown[] | LineBatch): number => ('count' in part ? part.count : part.length);

/** Of `_id` and `_time` in a line, and of what a line buffer wants to have at hand. */
const OWN_BYTES = 64;
const SPARE_BYTES = 16 * 1024;

function estimatedBytes(parts: RecordBatch['parts']): number {
  let bytes = SPARE_BYTES;
  for (const part of parts) {
    bytes += countOf(part) * OWN_BYTES;
    if ('count' in part) bytes += (part.ends[part.count - 1] ?? 0) - (part.begins[0] ?? 0);
    else for (const { text } of part) bytes += text.length;
  }
  return bytes;
}
