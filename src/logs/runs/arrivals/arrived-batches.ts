// Records that have arrived, as the batches that the local evaluator makes rows of: those that were pushed as they came, those that were
// imported as a whole as a statement reads them back.

import type { TableSpec } from '#logs/log-store.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { Column } from '#query/model/columns.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { CompileContext, FurtherTypes } from '#query/plan-nodes/shared/compile-context.ts';
import type { TableScan } from '#query/plan-nodes/table.ts';
import { rowsStatement } from '#query/statements/statements.ts';
import type { Arrival } from './tap.ts';
import type { ArrivedBatch } from './window-rows.ts';

type DuckdbModule = typeof import('@duckdb/node-api');

export interface ArrivedRowsDeps {
  readonly duckdb: DuckdbModule;
  readonly context: CompileContext;
  /** A new session: the transaction of the run does not see records that arrived later. */
  session(): RunSession;
}

/** Of one batch: a few milliseconds of work. */
const BATCH_RECORDS = 256;

/** For the local evaluator to work on. */
export async function* arrivedBatches(arrival: Arrival, deps: ArrivedRowsDeps): AsyncGenerator<ArrivedBatch> {
  if ('committed' in arrival) {
    using committed = arrival.committed;
    yield* committed.batches(deps);
    return;
  }
  const { table, records, firstId } = arrival;
  for (let from = 0; from < records.length; from += BATCH_RECORDS) {
    const some = records.slice(from, from + BATCH_RECORDS).map(({ text, time }) => ({ text, time }));
    yield { table, firstId: firstId + from, records: some };
  }
}

/** The records of a SELECT in the order of their numbers, with the columns that they have by now. */
export async function* storedBatches(
  source: string,
  { spec, columns, further = new Map() }: StoredTable,
  deps: ArrivedRowsDeps,
): AsyncGenerator<ArrivedBatch> {
  const scan = wholeScan({ spec, columns });
  const isRow = spec.layout === 'row';
  const types = {
    storedColumns: () => (isRow ? new Map() : columns),
    furtherTypes: () => (isRow ? new Map() : further),
  };
  const context = { ...deps.context, ...types };
  await using session = deps.session();
  for await (const texts of session.texts(rowsStatement(scan, context).filled(deps.duckdb, () => source))) {
    yield { stored: texts, rows: scan.rows };
  }
}

interface StoredTable {
  readonly spec: TableSpec;
  readonly columns: ReadonlyMap<string, ColumnType>;
  readonly further?: ReadonlyMap<string, FurtherTypes>;
}

/** All fields of a table, whatever their types; `_node` is given to the rows of the window. */
function wholeScan({ spec: { name, layout }, columns }: StoredTable): TableScan {
  const declared =
    layout === 'row' ? [] : [...columns.keys()].map((column) => ({ name: column, type: 'any' as const }));
  const own = [
    { name: '_table', type: 'string' as const },
    { name: '_time', type: 'date' as const },
    { name: '_id', type: 'long' as const },
  ];
  const all: Column[] = [...own, ...declared].map((column, index) => ({ ...column, id: index + 1 }));
  const rows = {
    columns: all,
    overflow: { id: all.length + 1, without: [] },
    order: [{ column: 3, descending: false }],
  };
  const about = { command: 'table', text: '', begin: 0, end: 0, rows, preservesCount: false };
  const tables = [{ name, columns: declared, isOpen: true }];
  return { ...about, kind: 'table', tables, range: {}, direction: 'asc', offset: 0n, node: '' };
}
