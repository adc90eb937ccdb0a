// The records of a request for one table, on their way from lines to the intake.

import type { VisibleTable } from '#access/table-rights.ts';
import type { Destination, LogBatch } from '#ingest/intake.ts';
import { FATES, type Fate, type RecordGroup } from './decoded.ts';

export interface TableLines {
  readonly table: VisibleTable;
  readonly groups: readonly RecordGroup[];
}

export interface TableBatch extends LogBatch {
  readonly destination: Destination;
  /** Its lines as they were decoded, rejected ones included. */
  readonly groups: readonly RecordGroup[];
  readonly accepted: number;
  readonly acceptedBytes: number;
}

/** Stream rules look at records as at imported ones: they come from no logger. */
export const destinationOf = ({ id, name, layout, compression, schema_code }: VisibleTable): Destination => ({
  table: { id, name, layout, compression },
  schemaCode: schema_code,
  origin: undefined,
});

export const fateNumber = (fate: Fate): number => FATES.indexOf(fate);

/** Changes the fate of items that are to be kept so far. */
export function markItems(fates: Uint8Array, items: Uint32Array, fate: Fate): void {
  const number = fateNumber(fate);
  for (const item of items) if (fates[item] === 0) fates[item] = number;
}

/** Without the lines of items that are not kept any more. Plain loops: a group may have a million lines. */
export function keptLines(group: RecordGroup, fates: Uint8Array): RecordGroup {
  const { name, lines, ends, items } = group;
  let count = 0;
  for (const item of items) if (fates[item] === 0) count += 1;
  if (count === items.length) return group;
  const [keptEnds, keptItems] = [new Uint32Array(count), new Uint32Array(count)];
  let [at, length] = [0, 0];
  for (let line = 0; line < items.length && at < count; line += 1) {
    const item = items[line] ?? 0;
    if (fates[item] !== 0) continue;
    const [from, end] = [line === 0 ? 0 : (ends[line - 1] ?? 0), ends[line] ?? 0];
    lines.copyWithin(length, from, end);
    length += end - from;
    keptEnds[at] = length;
    keptItems[at] = item;
    at += 1;
  }
  return { name, lines: lines.subarray(0, length), ends: keptEnds, items: keptItems };
}
