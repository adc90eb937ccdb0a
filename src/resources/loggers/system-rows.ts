// `system loggers`: the records of the loggers that an account may see.

import { grantee } from '#access/rights/table-rights.ts';
import { listedAtOnce, recordRow, type SystemObject } from '#queries/runs/system-rows.ts';
import type { MapValue } from '#query/model/values.ts';
import type { Store } from '#store/store.ts';
import { type LoggerViewDeps, loggerRecords } from './collector-hooks.ts';
import type { LoggerRecord } from './model.ts';
import { listLoggers } from './store.ts';

const ALL = { offset: 0, limit: 2_147_483_647, keywords: undefined, schema_code: undefined, group_guid: undefined };
const DATES = ['last_log', 'silent_since', 'created', 'updated'];

export const loggerObject = (store: Store, deps: LoggerViewDeps): SystemObject =>
  listedAtOnce('MEMBER', async ({ account }) => {
    const { rows } = await store.read((db) => listLoggers(db, { ...ALL, grantee: grantee(account) }));
    return (await loggerRecords(rows, deps)).map(rowOf);
  });

function rowOf(record: LoggerRecord): MapValue {
  const stored = BigInt(record.log_count);
  const failed = BigInt(record.drop_count);
  const row = recordRow(record, DATES);
  return row
    .set('last_time', row.get('last_log') ?? null)
    .set('model', record.model_name)
    .set('is_running', record.status === 'running')
    .set('received', stored + failed)
    .set('stored', stored)
    .set('failed', failed);
}
