// The import of a complete upload of rows into a lookup: the outcome is recorded in the unit that puts the rows into force.

import { notFound, noUploadStream, wrongGzip } from '#contract/errors.ts';
import { WrongGzip } from '#files/gunzip.ts';
import { loadLookup } from '#ingest/lookups/lookup-load.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { UnitEntry } from '#operations/endpoint.ts';
import type { LoadMode, StoredLookups } from '#queries/lookups/stored-lookups.ts';
import { type LoadedRows, textOf } from '#resources/upload-streams/model.ts';
import { findLookup } from '#store/rows/lookups.ts';
import type { UploadStreamRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import { completeStream } from './store.ts';
import type { UploadLimits } from './uploads.ts';

interface RowsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly storedLookups: StoredLookups;
  readonly limits: Pick<UploadLimits, 'lineBytes'>;
  readonly signal: AbortSignal;
  /** Audit entry of the request, if any. */
  readonly entry: UnitEntry | undefined;
}

export async function importRows(
  row: UploadStreamRow,
  bytes: AsyncIterable<Buffer>,
  { store, clock, storedLookups, limits, signal, entry }: RowsDeps,
): Promise<LoadedRows> {
  const { token, lookup_guid, format } = row;
  const guid = lookup_guid ?? '';
  const lookup = await store.read((db) => findLookup(db, guid));
  if (!lookup) throw notFound('lookup', guid);
  const { mode = 'replace' }: { mode?: LoadMode } = JSON.parse(row.metadata);
  const { row_count, version } = await loadLookup(textOf(row, bytes), {
    row: lookup,
    mode,
    format: format === 'csv' ? 'csv' : 'ndjson',
    lineBytes: limits.lineBytes,
    storedLookups,
    signal,
    async note(db, loaded) {
      const outcome = JSON.stringify({ row_count: loaded.row_count, version: loaded.version });
      const now = clock.now().epochMilliseconds;
      if (!(await completeStream(db, token, outcome, now))) throw noUploadStream(token);
      entry?.add({ row_count: loaded.row_count, version: loaded.version });
    },
  }).catch((cause) => {
    throw cause instanceof WrongGzip ? Object.assign(wrongGzip(token), { cause }) : cause;
  });
  entry?.committed();
  return { row_count, version };
}
