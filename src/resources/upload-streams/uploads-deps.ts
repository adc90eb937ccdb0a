// What the uploads work with, and what is asked of them.

import type { Readable } from 'node:stream';
import type { FoundCorruption } from '#engines/corruption.ts';
import type { LogEngine } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { ImportDeps } from './import.ts';

export interface UploadLimits {
  /** Of one upload. */
  readonly bytes: number;
  /** Open at once. */
  readonly streams: number;
  readonly streamsPerAccount: number;
  readonly lineBytes: number;
  /** How many rejected lines are named. */
  readonly reported: number;
  readonly idle: Temporal.Duration;
}

export interface UploadsDeps extends Pick<ImportDeps, 'watcher'> {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Where the bytes are kept. */
  readonly folder: string;
  readonly limits: UploadLimits;
  readonly zone: string;
  /** Told once of every part that is not what was written. */
  damaged(found: FoundCorruption): void;
  /** Told what went wrong in the background. */
  failed(error: unknown): void;
}

/** A token and where it was sent from. */
export interface StreamClaim {
  readonly token: string;
  readonly remoteIp: string;
}

export interface AppendRequest extends StreamClaim {
  readonly offset: number;
  /** Undefined for a request without a body. */
  readonly stream: Readable | undefined;
  /** As announced; undefined when it was not. */
  readonly length: number | undefined;
}
