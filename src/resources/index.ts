// The list of all operations below /api/core. A new operation is added here.

import { operationsOf } from '#objects/families/operations.ts';
import type { AnswerOf, AnyEndpoint, RequestOf } from '#operations/endpoint.ts';
import { senderEndpoints } from '#senders/endpoints.ts';
import type { SenderName } from '#senders/names.ts';
import { create as createAddress } from './address-groups/create-address.ts';
import { addressGroups } from './address-groups/family.ts';
import { list as listAddresses } from './address-groups/list-addresses.ts';
import { remove as removeAddresses } from './address-groups/remove-addresses.ts';
import { alarmGroups } from './alarm-groups/family.ts';
import { test as testAlarmGroup } from './alarm-groups/test.ts';
import { create as createApiKey } from './api-keys/create.ts';
import { list as listApiKeys } from './api-keys/list.ts';
import { remove as removeApiKey } from './api-keys/remove.ts';
import { auditCategories } from './audit-categories/family.ts';
import { exportLogs as exportAuditLogs } from './audit-logs/export.ts';
import { list as listAuditLogs } from './audit-logs/list.ts';
import { proof as proveAuditLogs } from './audit-logs/proof.ts';
import { companies } from './companies/family.ts';
import { connectionProfiles } from './connection-profiles/family.ts';
import { test as testConnection } from './connection-profiles/test.ts';
import { cryptoProfiles } from './crypto-profiles/family.ts';
import { create as openCursor } from './cursors/create.ts';
import { read as readCursor } from './cursors/read.ts';
import { remove as removeCursor } from './cursors/remove.ts';
import { dashboards } from './dashboards/family.ts';
import { datasets } from './datasets/family.ts';
import { get as getEvent } from './events/get.ts';
import { histogram as countEvents } from './events/histogram.ts';
import { list as listEvents } from './events/list.ts';
import { setStatus as setEventStatus } from './events/set-status.ts';
import { stream as streamEvents } from './events/stream.ts';
import { logSchemas } from './log-schemas/family.ts';
import { loggerGroups } from './logger-groups/family.ts';
import { loggerModels } from './logger-models/family.ts';
import { create as createLogger } from './loggers/create.ts';
import { get as getLogger } from './loggers/get.ts';
import { list as listLoggers } from './loggers/list.ts';
import { push as pushLogs } from './loggers/push.ts';
import { rates as getLoggerRates } from './loggers/rates.ts';
import { remove as removeLoggers } from './loggers/remove.ts';
import { disable as disableLogger, enable as enableLogger } from './loggers/switch.ts';
import { update as updateLogger } from './loggers/update.ts';
import { lookups } from './lookups/family.ts';
import { load as loadLookupRows } from './lookups/load.ts';
import { rows as readLookupRows } from './lookups/rows.ts';
import { list as listNodeQueries } from './node-queries/list.ts';
import { run as runNodeQuery } from './node-queries/run.ts';
import { list as listNodes } from './nodes/list.ts';
import { create as createParser } from './parsers/create.ts';
import { get as getParser } from './parsers/get.ts';
import { list as listParsers } from './parsers/list.ts';
import { preview as previewParser } from './parsers/preview.ts';
import { remove as removeParsers } from './parsers/remove.ts';
import { update as updateParser } from './parsers/update.ts';
import { get as getPreferences } from './preferences/get.ts';
import { update as updatePreferences } from './preferences/update.ts';
import { procedures } from './procedures/family.ts';
import { cancel as cancelQuery } from './queries/cancel.ts';
import { check as checkQuery } from './queries/check.ts';
import { events as watchQuery } from './queries/events.ts';
import { explain as explainQuery } from './queries/explain.ts';
import { get as getQuery } from './queries/get.ts';
import { list as listQueries } from './queries/list.ts';
import { tag as tagQuery } from './queries/tags.ts';
import { language as getQueryLanguage } from './query/language.ts';
import { run as runQuery } from './query/run.ts';
import { ruleCategories } from './rule-categories/family.ts';
import { batchRules, conditionTemplates, streamRules } from './rules/index.ts';
import { backfill as backfillScheduledQuery } from './scheduled-queries/backfill.ts';
import { cancelBackfill } from './scheduled-queries/cancel-backfill.ts';
import { create as createScheduledQuery } from './scheduled-queries/create.ts';
import { get as getScheduledQuery } from './scheduled-queries/get.ts';
import { list as listScheduledQueries } from './scheduled-queries/list.ts';
import { remove as removeScheduledQueries } from './scheduled-queries/remove.ts';
import { run as runScheduledQueries } from './scheduled-queries/run.ts';
import { slots as listSlots } from './scheduled-queries/slots.ts';
import { stop as stopScheduledQueries } from './scheduled-queries/stop.ts';
import { update as updateScheduledQuery } from './scheduled-queries/update.ts';
import { health } from './service/health.ts';
import { metricsFor } from './service/metrics.ts';
import { ready } from './service/ready.ts';
import { docs, openapi } from './service/reference.ts';
import { create as createSession } from './sessions/create.ts';
import { createCode as createSignInCode } from './sessions/create-code.ts';
import { get as getSession } from './sessions/get.ts';
import { remove as removeSession } from './sessions/remove.ts';
import { list as listSettings } from './settings/list.ts';
import { tableGroups } from './table-groups/family.ts';
import { cancelMove as cancelTableMove } from './tables/cancel-move.ts';
import { create as createTable } from './tables/create.ts';
import { days as listTableDays } from './tables/days.ts';
import { facets as readTableFacets } from './tables/facets.ts';
import { get as getTable } from './tables/get.ts';
import { getMove as getTableMove } from './tables/get-move.ts';
import { list as listTables } from './tables/list.ts';
import { move as moveTable } from './tables/move.ts';
import { push as pushToTable } from './tables/push.ts';
import { remove as removeTable } from './tables/remove.ts';
import { removePartitions } from './tables/remove-partitions.ts';
import { retain as retainTable } from './tables/retain.ts';
import { update as updateTable } from './tables/update.ts';
import { ticketRepos } from './ticket-repos/family.ts';
import { tickets } from './tickets/index.ts';
import { append as addToUpload } from './upload-streams/append.ts';
import { cancel as cancelUpload } from './upload-streams/cancel.ts';
import { complete as completeUpload } from './upload-streams/complete.ts';
import { create as openUpload } from './upload-streams/create.ts';
import { get as getUpload } from './upload-streams/get.ts';
import { list as listUploads } from './upload-streams/list.ts';
import { options as askAboutUploads } from './upload-streams/options.ts';
import { probe as probeUpload } from './upload-streams/probe.ts';
import { remove as removeUploads } from './upload-streams/remove.ts';
import { userGroups } from './user-groups/family.ts';
import { create as createUser } from './users/create.ts';
import { get as getUser } from './users/get.ts';
import { list as listUsers } from './users/list.ts';
import { remove as removeUsers } from './users/remove.ts';
import { update as updateUser } from './users/update.ts';

export const operations = [
  listTables,
  getTable,
  listTableDays,
  readTableFacets,
  createTable,
  pushToTable,
  updateTable,
  retainTable,
  removePartitions,
  moveTable,
  getTableMove,
  cancelTableMove,
  removeTable,
  ...batchRules,
  ...streamRules,
  ...conditionTemplates,
  listEvents,
  countEvents,
  streamEvents,
  setEventStatus,
  getEvent,
  ...tickets,
  ...operationsOf(tableGroups),
  ...operationsOf(connectionProfiles),
  testConnection,
  testAlarmGroup,
  ...operationsOf(cryptoProfiles),
  ...operationsOf(logSchemas),
  ...operationsOf(loggerModels),
  ...operationsOf(loggerGroups),
  listParsers,
  getParser,
  createParser,
  updateParser,
  previewParser,
  removeParsers,
  listLoggers,
  getLogger,
  getLoggerRates,
  createLogger,
  updateLogger,
  removeLoggers,
  enableLogger,
  disableLogger,
  pushLogs,
  askAboutUploads,
  openUpload,
  probeUpload,
  addToUpload,
  completeUpload,
  listUploads,
  getUpload,
  removeUploads,
  cancelUpload,
  listScheduledQueries,
  getScheduledQuery,
  createScheduledQuery,
  updateScheduledQuery,
  removeScheduledQueries,
  stopScheduledQueries,
  runScheduledQueries,
  listSlots,
  backfillScheduledQuery,
  cancelBackfill,
  runQuery,
  openCursor,
  readCursor,
  removeCursor,
  getQuery,
  listQueries,
  watchQuery,
  cancelQuery,
  tagQuery,
  checkQuery,
  explainQuery,
  getQueryLanguage,
  ...operationsOf(dashboards),
  ...operationsOf(datasets),
  ...operationsOf(procedures),
  ...operationsOf(lookups),
  readLookupRows,
  loadLookupRows,
  ...operationsOf(addressGroups),
  listAddresses,
  createAddress,
  removeAddresses,
  ...operationsOf(ruleCategories),
  ...operationsOf(auditCategories),
  ...operationsOf(alarmGroups),
  ...operationsOf(ticketRepos),
  listAuditLogs,
  exportAuditLogs,
  proveAuditLogs,
  listUsers,
  getUser,
  createUser,
  updateUser,
  removeUsers,
  listApiKeys,
  createApiKey,
  removeApiKey,
  ...operationsOf(userGroups),
  ...operationsOf(companies),
  listSettings,
  listNodes,
  getPreferences,
  updatePreferences,
  createSession,
  createSignInCode,
  getSession,
  removeSession,
] as const;

/** Operations that nodes call of each other. No client can, and no reference has them. */
export const nodeOperations = [runNodeQuery, listNodeQueries] as const;

type Operation = (typeof operations)[number] | ReturnType<typeof ownOperations>[number];

/** Every operation by its method and path, with what a client sends and what it gets: the types of `call` in cli/kit. */
export type Operations = {
  readonly [E in Operation as `${E['method']} ${E['path']}`]: {
    readonly request: RequestOf<E>;
    readonly answer: AnswerOf<E>;
  };
};

/** Operations at the root. `metrics` decides whether metrics need a key. */
export const ownOperations = (metrics: 'open' | 'closed') =>
  [health, ready, metricsFor(metrics === 'open' ? 'none' : 'ADMIN'), openapi, docs] as const;

/** All operations without input types, for the server and for documents; `senders` are the protocols that are on. */
export const allEndpoints = (
  metrics: 'open' | 'closed' = 'open',
  senders?: readonly SenderName[],
): readonly AnyEndpoint[] => [
  ...([...operations, ...ownOperations(metrics)] as unknown as readonly AnyEndpoint[]),
  ...senderEndpoints(senders),
];

/** All operations that the main port serves. */
export const servedEndpoints = (...of: Parameters<typeof allEndpoints>): readonly AnyEndpoint[] => [
  ...allEndpoints(...of),
  ...(nodeOperations as unknown as readonly AnyEndpoint[]),
];

/** The operations on a port for senders alone. */
export const senderPortEndpoints = (senders: readonly SenderName[]): readonly AnyEndpoint[] => [
  health as unknown as AnyEndpoint,
  ...senderEndpoints(senders),
];
