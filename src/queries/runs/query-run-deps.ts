// The collaborators of running queries.

import type { Trail } from '#audit/trail.ts';
import type { Databases } from '#connections/databases/databases.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogEngine } from '#logs/log-store.ts';
import type { ExportFolder } from '#queries/exports/export-folder.ts';
import type { ImportFolders } from '#queries/imports/import-folders.ts';
import type { Admissions } from '#queries/limits/admission.ts';
import type { QueryLimits, RetryMode } from '#queries/limits/limits.ts';
import type { ResultQuota } from '#queries/limits/result-quota.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { RemoteNodes } from '#queries/remote/remote-queries.ts';
import type { SystemObjects } from './system-rows.ts';
import type { WebAccess } from './web-requests.ts';

export interface QueryRunDeps {
  readonly engine: LogEngine;
  readonly clock: Clock;
  readonly trail: Pick<Trail, 'record'>;
  readonly admission: Admissions;
  /** Folder of result files. */
  readonly folder: string;
  readonly resultQuota: ResultQuota;
  readonly limits: Pick<QueryLimits, 'time'>;
  readonly systemObjects: SystemObjects;
  readonly exports: ExportFolder;
  readonly imports: ImportFolders;
  readonly web: WebAccess;
  /** Absent: no connection profile can be used. */
  readonly databases?: Databases;
  /** Absent: this node is the only one. */
  readonly remoteNodes?: RemoteNodes | undefined;
  /** Called for every retry of a query. */
  onRetry(how: RetryMode): void;
  /** Called for every query that has ended. */
  ended(query: LiveQuery): void;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
}
