// A logger: the source of logs of a table. Its model defines its kind and the parser.

import type { LoggerState } from '#collectors/collector-supervisor.ts';
import { notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import type { Counts } from '#ingest/counts/counts.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import { searchText } from '#kernel/text/search-text.ts';
import {
  boolean,
  choice,
  guidText,
  int32,
  int64,
  map,
  optional,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import type { JsonObject } from '#operations/params/json-params.ts';
import type { LoggerRow } from '#store/schema/schema.ts';

/** A row with joined names; null for a removed model or group. */
export interface LoggerView extends LoggerRow {
  readonly model_name: string | null;
  readonly logger_factory_name: string | null;
  readonly group_name: string | null;
  readonly table_id: number | null;
}

/** The state of a logger beside its row. */
export interface LoggerContext {
  /** Counts that are not in the row yet. */
  readonly pending: Counts;
  /** Undefined for a logger that does not collect, or is stopped. */
  readonly state: LoggerState | undefined;
  /** Epoch milliseconds of the last log that is not in the row yet. */
  readonly lastLog: number | undefined;
  /** Epoch milliseconds. */
  readonly silentSince: number | undefined;
  /** Whether the node of the logger has gone. */
  readonly isNodeGone: boolean;
  readonly zone: string;
}

export const loggerRecord = record('Logger', {
  id: int32('Number of the logger in this installation.'),
  guid: guidText('GUID of the logger.'),
  model_guid: guidText('GUID of the logger model, which sets the kind of logger.'),
  model_name: orNull(string)('Name of the logger model; null where it has been removed.', 'Web server'),
  logger_factory_name: orNull(string)('Kind of logger; null where the logger model has been removed.', 'http'),
  name: string('Name of the logger, unique among loggers.', 'web01'),
  description: optional(string('Description of the logger, for people.', 'First web server')),
  table_name: string('Name of the table that the logger writes to.', 'web'),
  group_guid: optional(guidText('GUID of the logger group.')),
  group_name: optional(orNull(string)('Name of the logger group; null where it has been removed.', 'Seoul')),
  node: string('Name of the node that collects.', 'node1'),
  interval: int32('Milliseconds between two reads of a logger of kind `file`.', 5000),
  cron_schedule: optional(
    string('Schedule of the reads of a logger of kind `file`, in place of `interval`.', '*/5 * * * *'),
  ),
  enabled: boolean('Whether the logger is to run.'),
  expect_every: int32('Seconds without a log after which an alarm is raised; 0 for none.', 0),
  alarm_group_guid: optional(
    guidText('GUID of the alarm group for it; without one the setting `failure-alarm-group` counts.'),
  ),
  configs: optional(map('Configuration by the kind of logger; the values of secrets are masked.', { port: 5514 })),
  status: choice(['running', 'stopped'])('Whether the logger runs.'),
  failure: orNull(string)('Reason why the logger does not work; null where it works.', 'port is in use'),
  is_passive: boolean('Whether logs are sent to the logger, in place of the logger reading them.'),
  log_count: int64('Number of stored logs.', 120),
  log_volume: int64('Bytes of stored logs.', 48000),
  drop_count: int64('Number of rejected or dropped logs.', 0),
  drop_volume: int64('Bytes of rejected or dropped logs.', 0),
  last_log: orNull(stamp)('Time when the last log arrived; null where none has.'),
  silent_since: orNull(stamp)('Time since which expected logs have not arrived; null where they do.'),
  created: stamp('Time when the logger was created.'),
  updated: stamp('Time of the last change of the logger.'),
});

export type LoggerRecord = TypeOf<typeof loggerRecord>;

export function toRecord(logger: LoggerView, context: LoggerContext): LoggerRecord {
  const { pending, zone } = context;
  const stampOf = (at: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  const lastLog = latest(context.lastLog, logger.last_log_at);
  const { isRunning, failure } = stateOf(logger, context);
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
    interval: logger.interval,
    ...(logger.cron_schedule === null ? {} : { cron_schedule: logger.cron_schedule }),
    enabled: logger.enabled === 1,
    expect_every: logger.expect_every,
    ...(logger.alarm_group_guid === null ? {} : { alarm_group_guid: logger.alarm_group_guid }),
    ...(logger.configs === null ? {} : { configs: parseJson(logger.configs) }),
    status: isRunning ? 'running' : 'stopped',
    failure,
    is_passive: logger.logger_factory_name !== 'file',
    log_count: logger.log_count + pending.logs,
    log_volume: logger.log_volume + pending.volume,
    drop_count: logger.drop_count + pending.drops,
    drop_volume: logger.drop_volume + pending.dropVolume,
    last_log: lastLog === null ? null : stampOf(lastLog),
    silent_since: context.silentSince === undefined ? null : stampOf(context.silentSince),
    created: stampOf(logger.created_at),
    updated: stampOf(logger.updated_at),
  };
}

/** Another node may have had the last one. */
const latest = (here: number | undefined, known: number | null): number | null =>
  here === undefined || known === null ? (here ?? known) : Math.max(here, known);

/** Whether logs are stored, and the reason of a failure. */
function stateOf(logger: LoggerView, { state, isNodeGone }: LoggerContext): LoggerState {
  if (logger.enabled === 0) return { isRunning: false, failure: null };
  if (state) return state;
  const failure =
    logger.logger_factory_name === null
      ? notFound('logger model', logger.model_guid).message
      : logger.table_id === null
        ? notFound('table', logger.table_name).message
        : isNodeGone && logger.logger_factory_name !== 'http'
          ? `node is gone: ${logger.node}`
          : null;
  // A logger for pushed logs is running whenever it is enabled.
  return { isRunning: failure === null && logger.logger_factory_name === 'http', failure };
}

interface ReadSettings {
  readonly interval: number;
  readonly cron_schedule: string | undefined;
  readonly configs: JsonObject | undefined;
}

/** The columns of the collecting settings. */
export const readSettingsOf = ({ interval, cron_schedule, configs }: ReadSettings) => ({
  interval,
  cron_schedule: cron_schedule ?? null,
  configs: configs === undefined ? null : JSON.stringify(configs),
});

export const searchOf = ({ name }: Pick<LoggerRow, 'name'>): string => searchText([name]);
