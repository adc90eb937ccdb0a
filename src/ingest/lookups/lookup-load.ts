// Loads rows of a body or an upload into a stored lookup, all or none.

import { noSpaceLeft, notFound, tooMany, wrongLookupRow } from '#contract/errors.ts';
import { Exhausted, NoSpace } from '#logs/log-store.ts';
import { columnNames } from '#queries/lookups/lookup-version.ts';
import type { Loaded, LoadMode, LoadNote, LookupLoad, StoredLookups } from '#queries/lookups/stored-lookups.ts';
import type { MapValue } from '#query/model/values.ts';
import { RunFailure } from '#query/values/failures.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import type { LookupRow } from '#store/schema/schema.ts';
import { type LookupFormat, lookupRows } from './lookup-rows.ts';

interface LookupLoading {
  readonly row: LookupRow;
  readonly mode: LoadMode;
  readonly format: LookupFormat;
  readonly lineBytes: number;
  /** Most rows of the bytes; absent: those that a lookup may have. */
  readonly maxRows?: number;
  readonly storedLookups: StoredLookups;
  readonly note: LoadNote;
  readonly signal?: AbortSignal;
}

export async function loadLookup(bytes: AsyncIterable<Buffer>, how: LookupLoading): Promise<Loaded> {
  const { row, storedLookups, mode, note } = how;
  const layout = { columns: columnNames(row), key: row.key };
  await using load = await storedLookups.begin(layout);
  try {
    await takeRows(load, lookupRows(bytes, { ...how, ...layout }), how.signal);
    await using prepared = await storedLookups.prepare(load, { guid: row.guid, mode });
    const loaded = prepared && (await storedLookups.commit(prepared, note));
    if (!loaded) throw notFound('lookup', row.guid);
    return loaded;
  } catch (cause) {
    const refusal = refusalOf(cause, how);
    throw refusal ? Object.assign(refusal, { cause }) : cause;
  }
}

/** A key that comes twice before a row that is wrong otherwise is the first error. */
async function takeRows(load: LookupLoad, batches: AsyncIterable<MapValue[]>, signal?: AbortSignal): Promise<void> {
  let failure: unknown;
  try {
    for await (const rows of batches) {
      signal?.throwIfAborted();
      await load.add(rows);
    }
  } catch (error) {
    failure = error;
  }
  const repeated = await load.findRepeatedKey();
  if (repeated !== undefined) throw wrongLookupRow(repeated, 'duplicate-key');
  if (failure !== undefined) throw failure;
}

function refusalOf(cause: unknown, { row, storedLookups }: LookupLoading) {
  const isTooLarge = cause instanceof RunFailure || cause instanceof Exhausted;
  if (isTooLarge) return tooMany('lookup rows', storedLookups.maxRows);
  return cause instanceof NoSpace || isOutOfSpace(cause) ? noSpaceLeft(row.name) : undefined;
}
