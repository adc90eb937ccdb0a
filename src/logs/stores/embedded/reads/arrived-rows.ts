// Records of an embedded table as they arrive: those that were imported as a whole are read back from their segments.

import { type ArrivedRowsDeps, storedBatches } from '#logs/runs/arrivals/arrived-batches.ts';
import type { ArrivingTable } from '#logs/runs/arrivals/tap.ts';
import type { ArrivedBatch } from '#logs/runs/arrivals/window-rows.ts';
import { redact } from '#logs/runs/duckdb/redacting-instance.ts';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import { recordsSource } from '#logs/stores/embedded/storage/records.ts';
import { blamed } from '#logs/stores/embedded/storage/segment-storage.ts';
import type { LogTable } from '#logs/stores/embedded/storage/table.ts';
import { firstColumns } from '#logs/stores/shared/columns.ts';
import { furtherTypes, valueTypes } from '#logs/stores/shared/known-table.ts';

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
  const { columns, leaves, spec, storage } = table;
  using files = await storage.borrow(segments);
  const source = recordsSource({ paths: files.paths, hotTables: [] }, { layout: spec.layout, columns, leaves });
  try {
    const further = furtherTypes(columns, (field) => table.isMixed(field));
    yield* storedBatches(source, { spec, columns: valueTypes(firstColumns(columns)), further }, deps);
  } catch (error) {
    const cause = await blamed(error, storage, segments);
    throw storage.isSecret ? redact(cause, spec.name) : cause;
  }
}
