// What live queries work with, and what they are asked.

import type { Accounts } from '#access/accounts.ts';
import type { Trail } from '#audit/trail.ts';
import type { LogEngine } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { AddressPlaces } from '#query/model/run-facts.ts';
import type { KnownParameter } from '#query/planning/query-context.ts';
import type { Store } from '#store/store.ts';
import type { ExportFolder } from './exports/export-folder.ts';
import type { Limit, OtherWay, QueryLimits } from './limits.ts';
import type { LiveQuery, QueryRequest } from './live-query.ts';
import type { SystemObjects } from './system-rows.ts';

export interface LiveQueriesParts {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly accounts: Accounts;
  readonly trail: Pick<Trail, 'record'>;
  readonly clock: Clock;
  readonly zone: string;
  /** Where kept rows lie while they are kept. */
  readonly folder: string;
  /** What file sinks write to. */
  readonly exports: ExportFolder;
  readonly limits: QueryLimits;
  /** Of what the host does with one row. */
  readonly ruleSteps: number;
  readonly keeping: SegmentStorage;
  /** What `system` shows, beside the queries themselves. */
  readonly systemObjects: SystemObjects;
  /** What `lookup geoip` knows. */
  readonly geoip?: AddressPlaces;
  /** Elements that the lists of one row may make together. */
  readonly listElements?: number;
  /** Told of every query that begins again, and how. */
  begunAgain(how: OtherWay): void;
  /** Told of every query that has ended. */
  ended(query: LiveQuery): void;
  /** Told whenever a limit has been reached other than by a query that ends. */
  limited(limit: Limit): void;
  /** Told what nobody foresaw. */
  failed(error: unknown): void;
}

/** A text, whose it is, and what it may read by `$()`. */
export interface ToCheck
  extends Pick<QueryRequest, 'caller' | 'text' | 'lead' | 'params' | 'constants' | 'now' | 'range'> {
  /** `last` leaves out the mistakes of leading commands of another account. */
  readonly judges?: 'all' | 'last';
  /** Given for the text of a procedure: they have values only when it is called. */
  readonly parameters?: readonly KnownParameter[];
}

export interface SegmentStorage {
  /** After the end. */
  readonly status: Temporal.Duration;
  /** After they were last fetched, or after the end. */
  readonly rows: Temporal.Duration;
}
