// A logger brings logs into a table. Its model says of which kind it is and how text is parsed.

import { toStamp } from '#contract/times.ts';
import { boolean, guidText, int32, int64, object, optional, orNull, stamp, string } from '#http/shapes.ts';
import type { Counts } from '#ingest/counters.ts';
import { searchable } from '#kernel/folded.ts';
import type { LoggerRow } from '#store/schema.ts';

/** A row with what is looked up for it; null where the model or the group has gone. */
export interface LoggerView extends LoggerRow {
  readonly model_name: string | null;
  readonly logger_factory_name: string | null;
  readonly group_name: string | null;
}

export const loggerRecord = object({
  id: int32,
  guid: guidText,
  model_guid: guidText,
  model_name: orNull(string),
  logger_factory_name: orNull(string),
  name: string,
  description: optional(string),
  table_name: string,
  group_guid: optional(guidText),
  group_name: optional(orNull(string)),
  node: string,
  enabled: boolean,
  status: { type: 'string', enum: ['running', 'stopped'] },
  failure: orNull(string),
  is_passive: boolean,
  log_count: int64,
  log_volume: int64,
  drop_count: int64,
  drop_volume: int64,
  created: stamp,
  updated: stamp,
});

/** `pending` is what the row does not count yet. */
export function toRecord(logger: LoggerView, pending: Counts, zone: string) {
  const isEnabled = logger.enabled === 1;
  return {
    id: logger.id,
    guid: logger.guid,
    model_guid: logger.model_guid,
    model_name: logger.model_name,
    logger_factory_name: logger.logger_factory_name,
    name: logger.name,
    ...(logger.description === null ? {} : { description: logger.description }),
    table_name: logger.table_name,
    ...(logger.group_guid === null ? {} : { group_guid: logger.group_guid, group_name: logger.group_name }),
    node: logger.node,
    enabled: isEnabled,
    status: isEnabled ? 'running' : 'stopped',
    failure: null,
    is_passive: logger.logger_factory_name !== 'file',
    log_count: logger.log_count + pending.logs,
    log_volume: logger.log_volume + pending.volume,
    drop_count: logger.drop_count + pending.drops,
    drop_volume: logger.drop_volume + pending.dropVolume,
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(logger.created_at), zone),
    updated: toStamp(Temporal.Instant.fromEpochMilliseconds(logger.updated_at), zone),
  };
}

export const searchOf = ({ name }: Pick<LoggerRow, 'name'>): string => searchable([name]);
