// `system tables`: as in Get Tables, with dates and numbers of the query language.

import type { Rightful } from '#access/caller.ts';
import { grantee, visibleTables } from '#access/rights/table-rights.ts';
import type { LogStore } from '#logs/log-store.ts';
import { recordRow, type SystemObject } from '#queries/runs/system-rows.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { Store } from '#store/store.ts';
import { specOf, TableRecords } from './model.ts';
import { listTables, type TableView } from './store.ts';

const ALL = { offset: 0, limit: 2_147_483_647 };
const NO_FILTER = { keywords: undefined, schema_code: undefined, table_name: undefined, group_guid: undefined };
const DATES = ['min_day', 'max_day'];
const BLOCK = 100;

interface TableParts {
  readonly store: Store;
  readonly engine: LogStore;
  readonly zone: string;
}

export const tableObject = (parts: TableParts): SystemObject => ({
  access: 'MEMBER',
  async *rows({ account, isVerbose }) {
    const { rows: tables } = await parts.store.read((db) =>
      listTables(db, { ...ALL, ...NO_FILTER, grantee: grantee(account) }),
    );
    const records = await TableRecords.of(tables, parts);
    const details = isVerbose ? await detailsOf(account, records, parts) : undefined;
    for (let at = 0; at < tables.length; at += BLOCK) {
      const block: MapValue[] = [];
      for (const table of tables.slice(at, at + BLOCK)) {
        const row = recordRow(records.listed(table), DATES);
        for (const [name, value] of (await details?.(table)) ?? []) row.set(name, value);
        block.push(row);
      }
      yield block;
    }
  },
});

/** The values that `verbose=t` adds to the record. */
async function detailsOf(account: Rightful, records: TableRecords, { store, engine }: TableParts) {
  const visible = await store.read((db) => visibleTables(db, account));
  const writable = new Set(visible.filter(({ right }) => right === 'write').map(({ id }) => id));
  return async (table: TableView): Promise<[string, Value][]> => {
    const { columns } = await engine.describe(specOf(table));
    return [
      ['row_count', BigInt(records.rowCount(table))],
      ['schema_code', table.schema_code],
      ['columns', columns.map(({ name }) => name)],
      ['is_writable', writable.has(table.id)],
    ];
  };
}
