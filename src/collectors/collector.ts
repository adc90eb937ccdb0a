// What collects for one logger, and what it works with.

import type { LogEngine } from '#engines/engine.ts';
import type { LoggerCounters } from '#ingest/counters.ts';
import type { Destination, Intake } from '#ingest/intake.ts';
import type { Readers } from '#ingest/reader.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Store } from '#store/store.ts';
import type { Assignment } from './assignment.ts';
import type { OpenFiles } from './files/open-files.ts';
import type { CollectFolders } from './folders.ts';
import type { LogBuilder } from './log-builder.ts';

export interface Collector {
  /** Rejects when it cannot go on and must be opened anew; never resolves otherwise. */
  readonly broken: Promise<never>;
  /**
   * Told before `close`: no new sender is let in. Resolves when the senders that were told have stopped, within a bound of the
   * collector's own. Absent where nobody is told.
   */
  drain?(): Promise<void>;
  /** Nothing more is read; resolves when what was read is kept, or given up because `hurry` was aborted. */
  close(hurry: AbortSignal): Promise<void>;
}

/** What all collectors work with. */
export interface SharedCollectorDeps {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly intake: Intake;
  readonly readers: Readers;
  readonly counters: LoggerCounters;
  readonly clock: Clock;
  readonly zone: string;
  readonly folders: CollectFolders;
  readonly openFiles: OpenFiles;
  readonly limits: CollectorLimits;
  /** Told whenever a logger begins to fail, with the reason, and whenever it works. */
  state(logger: { readonly guid: string; readonly name: string }, failure: string | undefined): void;
  /** Told what nobody foresaw. */
  failed(error: unknown): void;
}

export interface CollectorLimits {
  /** Longer messages and lines are cut. */
  readonly lineBytes: number;
  /** Of one logger, of what has arrived and is not kept yet. */
  readonly queueBytes: number;
  /** Of one logger. */
  readonly connections: number;
}

/** What the collector of one logger works with. */
export interface CollectorDeps extends SharedCollectorDeps {
  readonly assignment: Assignment;
  readonly destination: Destination;
  readonly logBuilder: LogBuilder;
  /** Why logs do not get into the table right now, though the collector is at work; undefined when they do again. */
  report(failure: unknown): void;
}

/** Why a logger does not run, in words that `failure` may show. Undefined for what nobody foresaw. */
export class CollectorError extends Error {}
