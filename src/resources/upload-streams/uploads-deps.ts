// Deps and requests of uploads.

import type { Readable } from 'node:stream';
import type { Clock } from '#kernel/time/clock.ts';
import type { FoundCorruption } from '#logs/corruption.ts';
import type { LogEngine } from '#logs/log-store.ts';
import type { StoredLookups } from '#queries/lookups/stored-lookups.ts';
import type { Db } from '#store/kysely.ts';
import type { UploadStreamRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { ImportDeps } from './import.ts';

export interface UploadLimits {
  /** Maximum size of an upload. */
  readonly bytes: number;
  /** Maximum of open streams. */
  readonly streams: number;
  readonly streamsPerAccount: number;
  readonly lineBytes: number;
  /** Maximum of rejected lines in the outcome. */
  readonly reported: number;
  readonly idle: Temporal.Duration;
}

export interface UploadsDeps extends Pick<ImportDeps, 'watcher' | 'lineDecoder' | 'repaired'> {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly vault: Vault;
  readonly storedLookups: StoredLookups;
  readonly clock: Clock;
  /** Name of this node. */
  readonly node: string;
  /** Other nodes that live. */
  living(db: Db): Promise<readonly { readonly name: string }[]>;
  /** Folder of the parts. */
  readonly folder: string;
  readonly limits: UploadLimits;
  readonly zone: string;
  /** Called once for every corrupted part. */
  damaged(found: FoundCorruption): void;
  /** Called for errors of background work. */
  failed(error: unknown): void;
}

/** A token and the address of the request. */
export interface StreamClaim {
  readonly token: string;
  readonly remoteIp: string;
}

export interface AppendRequest extends StreamClaim {
  readonly offset: number;
  /** Undefined for a request without a body. */
  readonly stream: Readable | undefined;
  /** Value of `Content-Length`, if present. */
  readonly length: number | undefined;
  /** Called once the claim has proven valid. */
  onFound(row: UploadStreamRow): void;
}
