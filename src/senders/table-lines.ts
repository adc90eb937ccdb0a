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

/** Without the lines of items that are not kept any more. */
export function keptLines(group: RecordGroup, fates: Uint8Array): RecordGroup {
  const { lines, ends, items } = group;
  if (items.every((item) => fates[item] === 0)) return group;
  const kept = items.filter((item) => fates[item] === 0);
  const keptEnds = new Uint32Array(kept.length);
  let [at, length] = [0, 0];
  for (const [line, item] of items.entries()) {
    if (fates[item] !== 0) continue;
    const [from, end] = [line === 0 ? 0 : (ends[line - 1] ?? 0), ends[line] ?? 0];
    lines.copyWithin(length, from, end);
    length += end - from;
    keptEnds[at] = length;
    at += 1;
  }
  return { name: group.name, lines: lines.subarray(0, length), ends: keptEnds, items: kept };
}
