// Rows of `system loggers`.

import type { Rightful } from '#access/caller.ts';
import { grantee } from '#access/table-rights.ts';
import type { Collectors } from '#collectors/collectors.ts';
import type { LoggerCounters } from '#ingest/counters.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { Db } from '#store/kysely.ts';
import { type LoggerView, stateOf } from './model.ts';
import { listLoggers } from './store.ts';

interface Known {
  readonly counters: LoggerCounters;
  readonly collectors: Collectors;
}

const ALL = { offset: 0, limit: 2_147_483_647, keywords: undefined, schema_code: undefined, group_guid: undefined };

export async function loggerRows(db: Db, caller: Rightful, known: Known): Promise<MapValue[]> {
  const { rows } = await listLoggers(db, { ...ALL, grantee: grantee(caller) });
  return rows.map((logger) => rowOf(logger, known));
}

function rowOf(logger: LoggerView, { counters, collectors }: Known): MapValue {
  const pending = counters.pending(logger.guid);
  const stored = BigInt(logger.log_count + pending.logs);
  const failed = BigInt(logger.drop_count + pending.drops);
  return new Map<string, Value>([
    ['guid', logger.guid],
    ['name', logger.name],
    ['model', logger.model_name],
    ['table_name', logger.table_name],
    ['is_running', stateOf(logger, collectors.stateOf(logger.guid)).isRunning],
    ['received', stored + failed],
    ['stored', stored],
    ['failed', failed],
    // Not stored yet.
    ['last_time', null],
  ]);
}
