// The collaborators of the check of a query, and what it is asked for.

import type { HostList } from '#kernel/net/host-list.ts';
import type { LogEngine } from '#logs/log-store.ts';
import type { ImportFolders } from '#queries/imports/import-folders.ts';
import type { CheckRequest } from '#queries/live-queries-deps.ts';
import type { MemoryLookups } from '#queries/lookups/memory-lookups.ts';
import type { StoredLookups } from '#queries/lookups/stored-lookups.ts';
import type { OtherNode } from '#queries/names/other-nodes.ts';
import type { SystemObjects } from '#queries/runs/system-rows.ts';
import type { AddressLocations } from '#query/model/run-facts.ts';
import type { ExportPaths } from '#query/values/export-paths.ts';
import type { Store } from '#store/store.ts';

export interface QueryCheckerDeps {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly zone: string;
  /** Name of this node. */
  readonly node: string;
  /** The others that have ever started; absent: there are none. */
  otherNodes?(): Promise<readonly OtherNode[]>;
  readonly systemObjects: SystemObjects;
  readonly memory: MemoryLookups;
  readonly storedLookups: StoredLookups;
  readonly geoip?: AddressLocations;
  /** Maximum of list elements that one row may produce. */
  readonly listElements?: number;
  readonly exports: ExportPaths;
  readonly imports: ImportFolders;
  readonly outboundHosts: HostList;
  /** Maximum of evaluation steps for one row in the host. */
  readonly ruleSteps: number;
}

export interface CheckOptions extends CheckRequest {
  readonly now: Temporal.Instant;
}
