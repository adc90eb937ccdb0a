// Records as rows of an insert. An insert names the columns that its records use, with their types: a server whose columns are
// others refuses it instead of reading other values.

import { nameOf, scanSliced } from '#kernel/json/json-members.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { isReserved, type Layout, type LineBatch, type LogRecord, type RecordBatch } from '#logs/log-store.ts';
import type { ColumnRegistry, ColumnType } from '#logs/stores/shared/columns.ts';
import { FIELD_TYPES, type FieldColumn, OWN_COLUMNS } from './layout.ts';
import { RowBuffer } from './row-buffer.ts';

/** Records that follow each other in their numbers. */
export interface NumberedRecords {
  readonly part: RecordBatch['parts'][number];
  readonly firstId: number;
}

/** What all rows of an insert have in common. */
export interface RowFacts {
  readonly day: number;
  readonly arrived: number;
  readonly upload: number;
  readonly node: string;
  readonly fields: readonly FieldColumn[];
}

/** Records between two slices. */
const SLICE_RECORDS = 256;

/** Learns columns from records, and gives the names of those that they use. */
export function* learn(
  parts: RecordBatch['parts'],
  layout: Layout,
  registry: ColumnRegistry,
): SlicedWork<ReadonlySet<string>> {
  const names = new Set<string>();
  if (layout === 'row') return names;
  for (const part of parts)
    yield* 'count' in part ? learnBatch(part, registry, names) : learnRecords(part, registry, names);
  return names;
}

function* learnRecords(records: readonly LogRecord[], registry: ColumnRegistry, names: Set<string>): SlicedWork<void> {
  for (const [index, { shape }] of records.entries()) {
    for (const name of registry.verdict(shape).fitting) names.add(name);
    if (index % SLICE_RECORDS === SLICE_RECORDS - 1) yield;
  }
}

function* learnBatch(
  { fields, firstMembers, memberFields, count }: LineBatch,
  registry: ColumnRegistry,
  names: Set<string>,
): SlicedWork<void> {
  const isUsed = new Uint8Array(fields.length);
  for (const index of memberFields.subarray(firstMembers[0], firstMembers[count])) isUsed[index] = 1;
  yield;
  for (const [index, { name, type }] of fields.entries()) {
    if (isUsed[index] === 1 && !isReserved(name) && registry.fits(name, type)) names.add(name);
  }
}

/** The header, and the rows. */
export function* encode(groups: readonly NumberedRecords[], options: EncodeOptions): SlicedWork<Buffer> {
  const target = new RowBuffer();
  writeHeader(target, options.facts.fields);
  const rows = new RowWriter(target, options);
  for (const { part, firstId } of groups) {
    const count = 'count' in part ? part.count : part.length;
    for (let from = 0; from < count; from += SLICE_RECORDS) {
      const to = Math.min(from + SLICE_RECORDS, count);
      const records = 'count' in part ? part.records(from, to) : part.slice(from, to);
      for (const [index, record] of records.entries()) yield* rows.write(record, firstId + from + index);
      yield;
    }
  }
  return target.bytes;
}

export const columnNames = (fields: readonly FieldColumn[]): string[] => [
  ...OWN_COLUMNS.map(([name]) => name),
  ...fields.map(({ name }) => name),
];

/** The names and types of the columns. */
export function writeHeader(target: RowBuffer, fields: readonly FieldColumn[]): void {
  target.count(OWN_COLUMNS.length + fields.length);
  for (const name of columnNames(fields)) target.text(name);
  for (const [, type] of OWN_COLUMNS) target.text(type);
  for (const { type } of fields) target.text(FIELD_TYPES[type]);
}

interface EncodeOptions {
  readonly layout: Layout;
  readonly registry: ColumnRegistry;
  readonly facts: RowFacts;
}

class RowWriter {
  readonly #target: RowBuffer;
  readonly #options: EncodeOptions;
  /** Of each field of the facts, the text of its value in the present record. */
  readonly #sources: (string | undefined)[];
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(target: RowBuffer, options: EncodeOptions) {
    this.#target = target;
    this.#options = options;
    const { fields } = options.facts;
    this.#sources = fields.map(() => undefined);
    this.#indexes = new Map(fields.map(({ field }, index) => [field, index]));
  }

  *write(record: LogRecord, id: number): SlicedWork<void> {
    const rest = yield* this.#divide(record);
    const { day, arrived, upload, node, fields } = this.#options.facts;
    const target = this.#target;
    target.int64(id);
    target.uint32(day);
    target.int64(record.time);
    target.int64(arrived);
    target.int64(upload);
    target.text(node);
    target.count(rest.length);
    for (const [name, source] of rest) {
      target.text(name);
      target.text(source);
    }
    for (const [index, { type }] of fields.entries()) writeValue(target, type, this.#sources[index]);
  }

  /** Puts the values that fit their columns into `#sources`; gives the names and texts of the others. */
  *#divide({ text, shape }: LogRecord): SlicedWork<[string, string][]> {
    const { layout, registry } = this.#options;
    const fitting = layout === 'row' ? NONE : new Set(registry.verdict(shape).fitting);
    this.#sources.fill(undefined);
    const rest: [string, string][] = [];
    for (const [key, source] of (yield* scanSliced(text)).members) {
      const name = nameOf(key);
      const index = fitting.has(name) ? this.#indexes.get(name) : undefined;
      if (index === undefined) rest.push([name, source]);
      else this.#sources[index] = source;
    }
    return rest;
  }
}

const NONE: ReadonlySet<string> = new Set();

function writeValue(target: RowBuffer, type: ColumnType, source: string | undefined): void {
  target.byte(source === undefined ? 1 : 0);
  if (source === undefined) return;
  if (type === 'VARCHAR') target.text(JSON.parse(source));
  else if (type === 'BOOLEAN') target.byte(source === 'true' ? 1 : 0);
  else if (type === 'BIGINT') target.int64(Number(source));
  else target.float64(Number(source));
}
