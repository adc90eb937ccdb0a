// Records of another place as rows of an insert: under the ids and times that they have there.

import { nameOf, scanSliced } from '#kernel/json/json-members.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { RowBuffer } from './row-buffer.ts';
import { type RowFacts, writeHeader } from './rows.ts';

type Value = bigint | number | boolean | string | null | undefined;

/** The columns of fields by their names on the server; those that are absent have no value. */
export interface CopiedRow {
  readonly id: bigint;
  /** Epoch milliseconds. */
  readonly time: bigint;
  /** All other values, as a JSON object. */
  readonly rest: string | null;
  readonly fields: Readonly<Record<string, Value>>;
}

/** Rows between two slices. */
const SLICE_ROWS = 128;

export function* encodeCopied(rows: readonly CopiedRow[], facts: RowFacts): SlicedWork<Buffer> {
  const target = new RowBuffer();
  writeHeader(target, facts.fields);
  for (const [index, row] of rows.entries()) {
    yield* writeRow(target, row, facts);
    if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
  }
  return target.bytes;
}

function* writeRow(
  target: RowBuffer,
  { id, time, rest, fields: values }: CopiedRow,
  { day, arrived, upload, node, fields }: RowFacts,
): SlicedWork<void> {
  target.int64(Number(id));
  target.uint32(day);
  target.int64(Number(time));
  target.int64(arrived);
  target.int64(upload);
  target.text(node);
  const others = rest === null ? [] : (yield* scanSliced(rest)).members;
  target.count(others.length);
  for (const [key, source] of others) {
    target.text(nameOf(key));
    target.text(source);
  }
  for (const { name, type } of fields) {
    const value = values[name] ?? null;
    target.byte(value === null ? 1 : 0);
    if (value === null) continue;
    if (type === 'VARCHAR') target.text(String(value));
    else if (type === 'BOOLEAN') target.byte(value === true ? 1 : 0);
    else if (type === 'BIGINT') target.int64(Number(value));
    else target.float64(Number(value));
  }
}
