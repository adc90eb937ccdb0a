// Records that arrive while a run lasts, as its windows get them: those that this node takes in, and those that others tell of.

import { type ArrivedRowsDeps, storedBatches } from '#logs/runs/arrivals/arrived-batches.ts';
import type { ArrivingTable, CommittedRecords } from '#logs/runs/arrivals/tap.ts';
import type { ArrivalNews } from '#logs/stores/clickhouse/storage/arrival-news.ts';
import type { HiddenRows } from '#logs/stores/clickhouse/storage/catalog.ts';
import { tableName } from '#logs/stores/clickhouse/storage/layout.ts';
import type { ClickhouseTable } from '#logs/stores/clickhouse/storage/table.ts';
import { type Condition, newRowsOf, ofUpload } from '#logs/stores/clickhouse/storage/visibility.ts';
import { valueTypes } from '#logs/stores/shared/known-table.ts';
import type { ShardStatements } from './shard-statements.ts';
import { allOf, recordsSelect, selectList } from './stored-rows.ts';

/** What arrives on other nodes. */
export interface DistantArrivals {
  readonly news: ArrivalNews;
  /** Takes what other nodes have learnt, before their records are read. */
  refresh(): Promise<void>;
}

interface ArrivedDeps {
  readonly table: ClickhouseTable;
  readonly statements: ShardStatements;
  readonly distant: DistantArrivals;
  /** What the run saw when it began. */
  readonly hidden: HiddenRows | undefined;
  readonly until: number;
}

export function listenTo(
  deps: ArrivedDeps,
  { appended, committed }: Parameters<ArrivingTable['listen']>[0],
): Disposable {
  const { table, distant, hidden, until } = deps;
  const listening = new DisposableStack();
  const stored = (batches: CommittedRecords['batches']) => committed({ batches, [Symbol.dispose]() {} });
  const own = (upload: number) => stored((reading) => arrivedRows(deps, ofUpload(upload), reading));
  listening.use(table.arrivals.listen({ appended, committed: own }));
  listening.use(
    distant.news.listen(table.spec.id, (arrival) => {
      const where = newRowsOf(arrival, hidden, until);
      if (where) stored((reading) => distantRows(deps, where, arrival.node, reading));
    }),
  );
  return listening;
}

async function* distantRows(deps: ArrivedDeps, where: Condition, node: string, reading: ArrivedRowsDeps) {
  await deps.distant.refresh();
  for await (const batch of arrivedRows(deps, where, reading)) yield { ...batch, node };
}

async function* arrivedRows({ table, statements }: ArrivedDeps, where: Condition, reading: ArrivedRowsDeps) {
  const { spec, columns } = table;
  const reads = allOf(columns);
  const from = `select ${selectList(columns, reads)} from ${tableName(spec.id)} where ${where.text}`;
  const files = await statements.fetch(from, { params: where.params });
  try {
    yield* storedBatches(recordsSelect(files, columns, reads), { spec, columns: valueTypes(columns) }, reading);
  } finally {
    for (const file of files) await file[Symbol.asyncDispose]();
  }
}
