// Get Tables: GET /tables

import { grantee } from '#access/rights/table-rights.ts';
import type { LogStore } from '#logs/log-store.ts';
import { listOf } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, guid, keywords, paging } from '#operations/params/params.ts';
import { TableRecords, tableRecord } from './model.ts';
import { listTables } from './store.ts';

export const list = endpoint({
  title: 'Get Tables',
  notes:
    'In the order of names. A MEMBER sees the tables granted to it or to its groups. `keywords` is contained in ' +
    'the name, `table_name` and `schema_code` are equal. `crypto_profile_guid` and `crypto_profile_name` are ' +
    'shown where `encrypted` is true.',
  method: 'GET',
  path: '/api/core/tables',
  access: 'MEMBER',
  params: {
    ...paging,
    keywords,
    schema_code: described(anyText, 'Code that the log schema of the table equals.'),
    table_name: described(anyText, 'Name that the table has.'),
    group_guid: described(guid, 'GUID of the table group that the table is in.'),
  },
  answer: listOf('tables', tableRecord),

  async run(input, { db, caller, engine, zone }: Call & { engine: LogStore; zone: string }) {
    const { total, rows } = await listTables(db, { ...input, grantee: grantee(caller) });
    const records = await TableRecords.of(rows, { engine, zone });
    return { total_count: total, tables: rows.map((row) => records.listed(row)) };
  },
});
