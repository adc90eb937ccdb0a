// Hooks of collecting loggers: validation of their configuration, and application of changes.

import type { Nodes } from '#cluster/members/membership.ts';
import { EVERY_NODE } from '#collectors/assignment.ts';
import type { Collectors } from '#collectors/collectors.ts';
import { isCollected } from '#collectors/configs/configs.ts';
import type { SilentSources } from '#detection/alarms/silent-sources.ts';
import type { LoggerCounters } from '#ingest/counts/counters.ts';
import type { Call } from '#operations/endpoint.ts';
import type { JsonObject } from '#operations/params/json-params.ts';
import type { Db } from '#store/kysely.ts';
import { type LoggerRecord, type LoggerView, toRecord } from './model.ts';
import { factoryNameOf } from './store.ts';

export interface CollectorDeps {
  readonly collectors: Collectors;
  readonly silentSources: SilentSources;
}

/** Observer of created and removed loggers: rules may select logs by logger. */
export interface RuleObserverDeps {
  readonly streamRules: { referredChanged(thing: 'logger', key: string): Promise<void> };
}

export interface LoggerViewDeps extends CollectorDeps {
  readonly counters: LoggerCounters;
  readonly nodes: Nodes;
  readonly zone: string;
}

/** The records of loggers, as they are now. */
export async function loggerRecords(rows: readonly LoggerView[], deps: LoggerViewDeps): Promise<LoggerRecord[]> {
  const nodes = rows.length === 0 ? [] : await deps.nodes.list();
  const living = new Set(nodes.filter(({ state }) => state === 'alive').map(({ name }) => name)).add(EVERY_NODE);
  return rows.map((row) => toRecord(row, { ...contextOf(row, deps), isNodeGone: !living.has(row.node) }));
}

const contextOf = (row: LoggerView, { counters, collectors, silentSources, zone }: LoggerViewDeps) => ({
  pending: counters.pendingOf(row),
  state: collectors.stateOf(row.guid),
  lastLog: counters.lastLogAnywhere(row.guid),
  silentSince: silentSources.silentSince('logger', row.guid),
  zone,
});

/** Refuses an invalid configuration of a collecting kind. A missing model is refused elsewhere. */
export async function requireConfigs(
  db: Db,
  { model_guid, configs = {} }: { readonly model_guid: string; readonly configs: JsonObject | undefined },
  { collectors }: CollectorDeps,
): Promise<void> {
  const kind = await factoryNameOf(db, model_guid);
  if (isCollected(kind)) collectors.requireConfigs(kind, configs);
}

/** Refuses certificates that do not exist; after the other references, because `configs` is declared last. */
export async function requireCertificates(
  db: Db,
  { model_guid, configs = {} }: { readonly model_guid: string; readonly configs: JsonObject | undefined },
  { collectors }: CollectorDeps,
): Promise<void> {
  const kind = await factoryNameOf(db, model_guid);
  if (isCollected(kind)) await collectors.requireCertificates(kind, configs);
}

/** Applies changes of loggers before the response. */
export function applyAfterCommit(call: Pick<Call, 'afterCommit'> & CollectorDeps): void {
  call.afterCommit(() => call.collectors.changed());
  call.afterCommit(() => call.silentSources.changed());
}
