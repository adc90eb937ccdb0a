// The collector of one logger, and its deps.

import type { LoggerCounters } from '#ingest/counts/counters.ts';
import type { Destination, Intake } from '#ingest/intake.ts';
import type { Readers } from '#ingest/reading/reader.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { Store } from '#store/store.ts';
import type { Assignment } from './assignment.ts';
import type { Certificates } from './configs/certificates.ts';
import type { CollectFolders } from './configs/folders.ts';
import type { OpenFiles } from './files/open-files.ts';
import type { LogBuilder } from './messages/log-builder.ts';

export interface Collector {
  /** Rejects when the collector must be reopened; never resolves. */
  readonly broken: Promise<never>;
  /**
   * Called before `close`: stops accepting senders. Resolves when connected senders have stopped, or after the drain limit of
   * the collector. Absent for protocols without connections.
   */
  drain?(): Promise<void>;
  /** Stops reading. Resolves when all read messages are stored, or dropped because `abandon` was aborted. */
  close(abandon: AbortSignal): Promise<void>;
}

/** Deps that all collectors share. */
export interface SharedCollectorDeps {
  readonly store: Store;
  readonly engine: LogStore;
  readonly intake: Intake;
  readonly readers: Readers;
  readonly counters: LoggerCounters;
  readonly clock: Clock;
  readonly zone: string;
  readonly folders: CollectFolders;
  readonly openFiles: OpenFiles;
  readonly certificates: Certificates;
  readonly limits: CollectorLimits;
  /** Called when a logger starts to fail, with the reason, and when it recovers. */
  state(logger: { readonly guid: string; readonly name: string }, failure: string | undefined): void;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
}

interface CollectorLimits {
  /** Longer messages and lines are truncated. */
  readonly lineBytes: number;
  /** Maximum of received bytes of one logger that are not stored yet. */
  readonly queueBytes: number;
  /** Maximum of connections of one logger. */
  readonly connections: number;
}

/** Deps of the collector of one logger. */
export interface CollectorDeps extends SharedCollectorDeps {
  readonly assignment: Assignment;
  readonly destination: Destination;
  readonly logBuilder: LogBuilder;
  /** Reports why logs cannot be stored although the collector runs; undefined after recovery. */
  report(failure: unknown): void;
}

/** Why a logger does not run, in words for the field `failure`. */
export class CollectorError extends Error {}
