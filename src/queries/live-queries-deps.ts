// Deps of live queries, and the request for a check.

import type { Accounts } from '#access/accounts.ts';
import type { Trail } from '#audit/trail.ts';
import type { Databases } from '#connections/databases/databases.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogEngine } from '#logs/log-store.ts';
import type { AddressLocations } from '#query/model/run-facts.ts';
import type { KnownParameter } from '#query/planning/query-context.ts';
import type { Store } from '#store/store.ts';
import type { ExportFolder } from './exports/export-folder.ts';
import type { ImportFolders } from './imports/import-folders.ts';
import type { Limit, QueryLimits, RetryMode } from './limits/limits.ts';
import type { QueryRetention } from './limits/retained.ts';
import type { LiveQuery, QueryRequest } from './live-query.ts';
import type { LookupMemory } from './lookups/lookup-memory.ts';
import type { StoredLookups } from './lookups/stored-lookups.ts';
import type { OtherNode } from './names/other-nodes.ts';
import type { RemoteNodes } from './remote/remote-queries.ts';
import type { SystemObjects } from './runs/system-rows.ts';
import type { WebAccess } from './runs/web-requests.ts';

export interface LiveQueriesDeps {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly accounts: Accounts;
  readonly trail: Pick<Trail, 'record'>;
  readonly clock: Clock;
  readonly zone: string;
  /** Name of this node. */
  readonly node: string;
  /** The others that have ever started; absent: there are none. */
  otherNodes?(): Promise<readonly OtherNode[]>;
  /** Folder of result files. */
  readonly folder: string;
  /** Folder of file sinks. */
  readonly exports: ExportFolder;
  /** Folders of file drivers. */
  readonly imports: ImportFolders;
  /** Hosts of requests, and the connection profiles that lead to them. */
  readonly web: WebAccess;
  /** Absent: no connection profile can be used. */
  readonly databases?: Databases;
  /** Absent: this node is the only one. */
  readonly remoteNodes?: RemoteNodes | undefined;
  readonly limits: QueryLimits;
  /** Maximum of evaluation steps for one row in the host. */
  readonly ruleSteps: number;
  readonly retention: QueryRetention;
  readonly storedLookups: StoredLookups;
  readonly lookupMemory: LookupMemory;
  /** Objects of `system`, beside the queries themselves. */
  readonly systemObjects: SystemObjects;
  /** Data of `lookup geoip`. */
  readonly geoip?: AddressLocations;
  /** Maximum of list elements that one row may produce. */
  readonly listElements?: number;
  /** Called for every retry of a query. */
  onRetry(how: RetryMode): void;
  /** Called for every query that has ended. */
  ended(query: LiveQuery): void;
  /** Called for a limit that is reached without ending a query. */
  limited(limit: Limit): void;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
}

/** A text, its caller, and the constants that it may read by `$()`. */
export interface CheckRequest
  extends Pick<
    QueryRequest,
    | 'caller'
    | 'calledBy'
    | 'text'
    | 'lead'
    | 'facets'
    | 'params'
    | 'constants'
    | 'now'
    | 'range'
    | 'isReadOnly'
    | 'zone'
    | 'askedBy'
  > {
  /** `last` leaves out the errors of leading commands of another account. */
  readonly reports?: 'all' | 'last';
  /** Whether it is going to run: then a place that needs a value refuses null (5). */
  readonly isRun?: true;
  /** Whether it follows another query, which may hand on constants. */
  readonly mayReceive?: boolean;
  /** Set for the text of a procedure: parameters have values only in a call. */
  readonly parameters?: readonly KnownParameter[];
}
