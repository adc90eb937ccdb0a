// Chooses the storage of a table's files, and holds the resources that encrypted tables share: a DuckDB instance that never
// spills to disk, opened with the first of them, and the cache of decrypted segments.

import { type ApiError, tableClosed } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { CorruptionReports, type FoundCorruption } from '#logs/corruption.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { type Instance, openInstance } from '#logs/runs/duckdb/instance.ts';
import { requireInMemory } from '#logs/runs/duckdb/memory-files.ts';
import { redactingInstance } from '#logs/runs/duckdb/redacting-instance.ts';
import type { TableCatalog } from '#logs/stores/embedded/storage/catalog.ts';
import {
  plainStorage,
  type SegmentStorage,
  type SegmentStorageDeps,
} from '#logs/stores/embedded/storage/segment-storage.ts';
import type { ProfileKey } from '#vault/profile-key.ts';
import type { Vault } from '#vault/vault.ts';
import { authenticatedStorage } from './authenticated-storage.ts';
import { ClearSegments } from './decrypted-segments.ts';
import { encryptedStorage } from './encrypted-storage.ts';

interface ProtectionDeps {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly memoryFolder: string;
  readonly cacheBytes: number;
  /** Of the DuckDB instance that encrypted tables share. */
  readonly memoryBytes: number;
  /** Told once of every corrupt file. */
  onCorruption(found: FoundCorruption): void;
}

export class Protection {
  readonly #deps: ProtectionDeps;
  readonly #copies: ClearSegments;
  readonly #corruptions: CorruptionReports;
  #instance: Promise<Instance> | undefined;

  constructor(deps: ProtectionDeps) {
    this.#deps = deps;
    const { memoryFolder: folder, cacheBytes: maxBytes, clock } = deps;
    this.#copies = new ClearSegments({ folder, maxBytes, clock });
    this.#corruptions = new CorruptionReports((found) => deps.onCorruption(found));
  }

  /** `plainInstance` is opened only for tables that are not encrypted. Refuses a table whose profile is closed. */
  async storageFor(
    spec: TableSpec,
    { cryptoProfile }: Pick<TableCatalog, 'cryptoProfile'>,
    { folder, plainInstance }: { folder: string; plainInstance: () => Promise<Instance> },
  ): Promise<SegmentStorage> {
    const reportCorruption = (file: string, cause?: unknown) => this.reportCorruption(spec, { folder, file, cause });
    const key = cryptoProfile && (await this.#keyFor(spec, cryptoProfile.guid));
    if (key && cryptoProfile.isEncrypting) return await this.#encrypted(spec, key, { folder, reportCorruption });
    const deps: SegmentStorageDeps = { instance: await plainInstance(), folder, reportCorruption };
    return key ? authenticatedStorage({ ...deps, key, tableId: spec.id }) : plainStorage(deps);
  }

  /** The answer for a corrupt file, which the service log gets to know of. */
  reportCorruption(
    { name }: TableSpec,
    { folder, file, cause }: { folder: string; file: string; cause?: unknown },
  ): ApiError {
    return this.#corruptions.refusal({ table: name, folder, file, cause });
  }

  requireMemoryFolder(): void {
    requireInMemory(this.#deps.memoryFolder);
  }

  /** The instance that never spills. */
  async instance(): Promise<Instance> {
    this.requireMemoryFolder();
    this.#instance ??= openInstance({ memoryBytes: this.#deps.memoryBytes });
    return await this.#instance;
  }

  async close(): Promise<void> {
    await this.#copies.close();
    await (await this.#instance)?.close();
  }

  async #keyFor({ name }: TableSpec, profile: string): Promise<ProfileKey> {
    return await this.#deps.vault.keyOf(profile).catch((cause) => {
      throw Object.assign(tableClosed(name), { cause });
    });
  }

  async #encrypted(
    spec: TableSpec,
    key: ProfileKey,
    deps: Omit<SegmentStorageDeps, 'instance'>,
  ): Promise<SegmentStorage> {
    const { memoryFolder } = this.#deps;
    const instance = redactingInstance(await this.instance(), spec.name);
    return encryptedStorage({ ...deps, instance, spec, key, memoryFolder, copies: this.#copies });
  }
}
