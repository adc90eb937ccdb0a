// Rows of `system tables`: as in Get Tables, with dates and numbers of the query language.

import type { Rightful } from '#access/caller.ts';
import { grantee } from '#access/table-rights.ts';
import { fromStamp } from '#contract/times.ts';
import type { LogEngine } from '#engines/engine.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { Db } from '#store/kysely.ts';
import { TableRecords } from './model.ts';
import { listTables } from './store.ts';

const ALL = { offset: 0, limit: 2_147_483_647 };
const NO_FILTER = { keywords: undefined, schema_code: undefined, table_name: undefined, group_guid: undefined };

export async function tableRows(
  db: Db,
  caller: Rightful,
  parts: { engine: LogEngine; zone: string },
): Promise<MapValue[]> {
  const { rows } = await listTables(db, { ...ALL, ...NO_FILTER, grantee: grantee(caller) });
  const records = await TableRecords.of(rows, parts);
  return rows.map((row) => rowOf(records.listed(row)));
}

function rowOf(record: ReturnType<TableRecords['listed']>): MapValue {
  const { min_day, max_day, group_guid, group_name } = record;
  return new Map<string, Value>([
    ['table_name', record.table_name],
    ['layout', record.layout],
    ['compression', record.compression],
    ['retention', BigInt(record.retention)],
    ['encrypted', record.encrypted],
    ['min_day', dateOf(min_day)],
    ['max_day', dateOf(max_day)],
    ['table_size', BigInt(record.table_size)],
    ['index_size', BigInt(record.index_size)],
    ['ratio', record.ratio],
    ['group_guid', group_guid ?? null],
    ['group_name', group_name ?? null],
  ]);
}

const dateOf = (stamp: string | undefined): Value => (stamp === undefined ? null : (fromStamp(stamp) ?? null));
