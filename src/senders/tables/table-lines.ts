// The records of a request for one table, on their way from lines to the intake.

import type { VisibleTable } from '#access/rights/table-rights.ts';
import type { Destination, LogBatch } from '#ingest/intake.ts';
import type { LineBatch } from '#logs/log-store.ts';
import { countYielding } from '#runtime/event-loop.ts';
import type { Fate, RecordGroup } from '#senders/decoded.ts';
import type { Fates } from '#senders/fates.ts';
import type { SenderName } from '#senders/names.ts';

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
export const destinationOf = (
  { id, name, layout, compression, schema_code }: VisibleTable,
  protocol: SenderName,
): Destination => ({
  table: { id, name, layout, compression },
  schemaCode: schema_code,
  origin: undefined,
  protocol,
});

/** All records of a request as one batch, made for a table that was foreseen. */
export interface FoundBatch {
  readonly batch: LineBatch;
  readonly tableId: number;
}

/** Undefined where the batch is for another table, or has records that are not kept any more. */
export async function filedTableBatch(
  { batch, tableId }: FoundBatch,
  { table, groups }: TableLines,
  { fates, destination }: { fates: Fates; destination: Destination },
): Promise<TableBatch | undefined> {
  const [only] = groups;
  if (!only || tableId !== table.id || (await countRejected(fates, only.items)) > 0) return undefined;
  const acceptedBytes = only.lines.length - batch.count;
  return { destination, parts: [batch], groups, accepted: batch.count, acceptedBytes };
}

/** Rejects the items that are to be kept so far. */
export async function rejectItems(fates: Fates, items: Uint32Array, reason: Exclude<Fate, 'kept'>): Promise<void> {
  await countYielding(items.length, (at) => {
    const item = items[at] ?? 0;
    if (fates.isKept(item)) fates.reject(item, reason);
  });
}

export async function countRejected(fates: Fates, items: Uint32Array): Promise<number> {
  let count = 0;
  if (fates.rejected === 0) return count;
  await countYielding(items.length, (at) => {
    if (!fates.isKept(items[at] ?? 0)) count += 1;
  });
  return count;
}

/** Without the lines of items that are not kept any more. */
export async function keptLines(group: RecordGroup, fates: Fates): Promise<RecordGroup> {
  const { name, lines, ends, items } = group;
  const count = items.length - (await countRejected(fates, items));
  if (count === items.length) return group;
  const keptEnds = new Uint32Array(count);
  const keptItems = new Uint32Array(count);
  let at = 0;
  let length = 0;
  await countYielding(items.length, (line) => {
    const item = items[line] ?? 0;
    if (!fates.isKept(item)) return;
    const from = line === 0 ? 0 : (ends[line - 1] ?? 0);
    const end = ends[line] ?? 0;
    lines.copyWithin(length, from, end);
    length += end - from;
    keptEnds[at] = length;
    keptItems[at] = item;
    at += 1;
  });
  return { name, lines: lines.subarray(0, length), ends: keptEnds, items: keptItems };
}
