// Wires the objects that the command `system` lists: each reads what its operation reads.

import type { AuditSearch } from '#audit/search/search.ts';
import type { Trail } from '#audit/trail.ts';
import type { Nodes } from '#cluster/members/membership.ts';
import type { Collectors } from '#collectors/collectors.ts';
import type { SilentSources } from '#detection/alarms/silent-sources.ts';
import type { StreamRules } from '#detection/stream/stream-rules.ts';
import type { LoggerCounters } from '#ingest/counts/counters.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import { familyObject } from '#objects/families/system-rows.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { SystemObjects } from '#queries/runs/system-rows.ts';
import type { Value } from '#query/model/values.ts';
import { mapOf } from '#query/values/formats/tags.ts';
import { auditObject } from '#resources/audit-logs/system-rows.ts';
import { connectionProfiles } from '#resources/connection-profiles/family.ts';
import { dashboards } from '#resources/dashboards/family.ts';
import { datasets } from '#resources/datasets/family.ts';
import { eventObject } from '#resources/events/system-rows.ts';
import { loggerObject } from '#resources/loggers/system-rows.ts';
import { lookups } from '#resources/lookups/family.ts';
import { nodeObject } from '#resources/nodes/system-rows.ts';
import { parserObject } from '#resources/parsers/system-rows.ts';
import { procedures } from '#resources/procedures/family.ts';
import { ruleObject } from '#resources/rules/system-rows.ts';
import { scheduleObject } from '#resources/scheduled-queries/system-rows.ts';
import { tableObject } from '#resources/tables/system-rows.ts';
import { ticketObject } from '#resources/tickets/system-rows.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';

export interface SystemParts {
  readonly store: Store;
  readonly engine: LogStore;
  readonly vault: Vault;
  readonly trail: Trail;
  readonly nodes: Nodes;
  readonly auditSearch: AuditSearch;
  readonly counters: LoggerCounters;
  readonly collectors: Collectors;
  readonly silentSources: SilentSources;
  readonly streamRules: StreamRules;
  readonly clock: Clock;
  /** Parts that are made after the queries. */
  later(): { readonly queries: LiveQueries; readonly scheduler: Scheduler };
}

/** `zone` is that of the service. */
export function systemObjects(parts: SystemParts, zone: string): SystemObjects {
  const { store, engine, streamRules, later } = parts;
  const family = { ...parts, zone };
  return {
    tables: tableObject({ store, engine, zone }),
    nodes: nodeObject({ ...parts, zone }),
    loggers: loggerObject(store, { ...parts, zone }),
    events: eventObject(parts),
    tickets: ticketObject(parts),
    audit: auditObject(parts),
    schedules: scheduleObject(store, () => ({ ...later(), zone })),
    procedures: familyObject(procedures, family, (row) => row.set('command', row.get('command') ?? false)),
    lookups: familyObject(lookups, family),
    profiles: familyObject(connectionProfiles, family),
    dashboards: familyObject(dashboards, family, withPanels),
    datasets: familyObject(datasets, family),
    parsers: parserObject({ store, zone }),
    rules: ruleObject(store, () => ({ ...later(), streamRules, zone })),
  };
}

/** The number of the panels of a layout. */
function withPanels(row: Map<string, Value>): Map<string, Value> {
  const panels = new Map(mapOf(row.get('layout') ?? null)).get('panels') ?? null;
  return row.set('panels', Array.isArray(panels) ? BigInt(panels.length) : null);
}
