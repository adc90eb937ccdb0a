// A process of its own that stores records on ClickHouse until it is killed, or reads what is there. It is started with what
// `NodeOrder` says, and tells its parent what was acknowledged.

import { systemClock } from '#kernel/time/clock.ts';
import type { LogRecord, LogStore, TableSpec } from '#logs/log-store.ts';
import { shapeOf } from '#logs/shape.ts';
import type { ServerAddress } from '#logs/stores/clickhouse/server/address.ts';
import { openStore } from '#store/store.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { openClickhouse } from '#test/support/open-clickhouse.ts';
import type { Batch, BatchState } from './batch-ledger.ts';

export interface NodeOrder {
  readonly folder: string;
  /** Of the metadata store. */
  readonly location: string;
  readonly addresses: readonly ServerAddress[];
  readonly kind: 'work' | 'read';
  /** Numbers of records begin here: no two processes use the same. */
  readonly firstNumber: number;
}

export interface Found {
  readonly numbers: readonly number[];
  /** The last record of the source whose position is stored with its records. */
  readonly position: number;
  /** Uploads that the catalog still knows. */
  readonly uploads: number;
}

export type Told =
  | { readonly kind: BatchState; readonly batch: Batch; readonly isSource?: boolean }
  | { readonly kind: 'found'; readonly found: Found };

const SOURCE = 'file';
const NOON = Temporal.Instant.from('2026-11-15T03:00:00Z').epochMilliseconds;
const DAY = 86_400_000;

const order: NodeOrder = JSON.parse(process.argv[2] ?? '');
const store = await openStore(order.location, { groupCommitted() {}, storeFailed() {} });
const engine = await openClickhouse({ ...order, store, clock: systemClock, failed() {} });
const table = await openTable();
let next = order.firstNumber;
let isOver = false;
process.on('message', () => {
  isOver = true;
});
await (order.kind === 'work' ? work() : read());
await engine.close();
await store.close();
process.disconnect?.();

async function openTable(): Promise<TableSpec> {
  const form = { name: 'web', layout: 'columnar', compression: 'snappy' } as const;
  const [known] = await store.reader.all('select id from log_tables');
  if (known) return { id: Number(known.id), ...form };
  const empty = { retention: 0, group_guid: null, schema_code: null, search: 'web', created_at: 1, updated_at: 1 };
  return { id: await store.write((db) => engine.insertTable(db, { ...form, ...empty })), ...form };
}

async function work(): Promise<void> {
  await Promise.all([
    repeat((batch) => engine.append(table, recordsOf(batch, 1)), { most: 8 }),
    repeat((batch) => engine.append(table, recordsOf(batch, 2)), { most: 8 }),
    repeat((batch) => upload(engine, batch), { most: 40 }),
    repeat((batch) => engine.append(table, recordsOf(batch, 1), offsetOf(batch)), { most: 4, isSource: true }),
  ]);
}

async function repeat(
  storeBatch: (batch: Batch) => Promise<unknown>,
  { most, isSource = false }: { most: number; isSource?: boolean },
): Promise<void> {
  while (!isOver) {
    const batch = { first: next, count: 1 + Math.floor(Math.random() * most) };
    next += batch.count;
    tell({ kind: 'begun', batch, isSource });
    const kind = await storeBatch(batch).then(
      () => 'stored' as const,
      () => 'refused' as const,
    );
    tell({ kind, batch, isSource });
    // What follows a batch that is not stored would say that it is.
    if (isSource && kind === 'refused') return;
  }
}

/** Added in two parts, of which a kill may fall between. */
async function upload({ stage }: LogStore, batch: Batch): Promise<void> {
  const staging = await stage.call(engine, table);
  try {
    const records = recordsOf(batch, 3);
    const half = Math.ceil(records.length / 2);
    await staging.add(records.slice(0, half));
    if (half < records.length) await staging.add(records.slice(half));
    await staging.commit(async () => undefined);
  } finally {
    await staging.discard();
  }
}

/** In turn on so many days. */
function recordsOf({ first, count }: Batch, days: number): LogRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const fields = { n: first + index, text: `한글 ${first}` };
    return { time: NOON - (index % days) * DAY, text: JSON.stringify(fields), shape: shapeOf(fields) };
  });
}

function offsetOf({ first, count }: Batch) {
  return [{ source: SOURCE, position: first + count - 1 }];
}

async function read(): Promise<void> {
  const { rows, plan } = await queryOn(engine, [table], 'table web | fields n');
  const at = plan.result.rows.columns.findIndex(({ name }) => name === 'n');
  const position = (await engine.sourceOffsets(table)).get(SOURCE) ?? 0;
  const uploads = await store.reader.all('select upload from clickhouse_uploads');
  tell({
    kind: 'found',
    found: { numbers: rows.map((row) => Number(row[at])), position, uploads: uploads.length },
  });
}

function tell(told: Told): void {
  process.send?.(told);
}
