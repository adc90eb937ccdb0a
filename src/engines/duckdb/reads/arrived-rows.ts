// Records of an embedded table as they arrive: those that were imported as a whole are read back from their segments.

import { redact } from '#engines/duckdb/instance/redacting-instance.ts';
import type { Segment } from '#engines/duckdb/storage/catalog.ts';
import { valueTypes } from '#engines/duckdb/storage/known-table.ts';
import { recordsSource } from '#engines/duckdb/storage/records.ts';
import { blamed } from '#engines/duckdb/storage/segment-storage.ts';
import type { LogTable } from '#engines/duckdb/storage/table.ts';
import { type ArrivedRowsDeps, storedBatches } from './arrived-batches.ts';
import type { ArrivingTable } from './tap.ts';
import type { ArrivedBatch } from './window-rows.ts';

export const arrivingTable = (table: LogTable): ArrivingTable => ({
  name: table.spec.name,
  listen: ({ appended, committed }) =>
    table.arrivals.listen({
      appended,
      committed(segments) {
        const held = table.hold();
        const batches = (deps: ArrivedRowsDeps) => imported(table, segments, deps);
        committed({ batches, [Symbol.dispose]: () => held[Symbol.dispose]() });
      },
    }),
});

async function* imported(
  table: LogTable,
  segments: readonly Segment[],
  deps: ArrivedRowsDeps,
): AsyncGenerator<ArrivedBatch> {
  const { columns, spec, storage } = table;
  using files = await storage.borrow(segments);
  const source = recordsSource({ paths: files.paths, hotTables: [] }, { layout: spec.layout, columns });
  try {
    yield* storedBatches(source, { spec, columns: valueTypes(columns) }, deps);
  } catch (error) {
    const cause = await blamed(error, storage, segments);
    throw storage.isSecret ? redact(cause, spec.name) : cause;
  }
}
