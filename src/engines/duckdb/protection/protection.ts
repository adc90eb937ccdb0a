// Decides how the files of a table are kept, and holds what encrypted tables share: a DuckDB instance that never spills
// to disk, opened with the first of them, and the decrypted copies in memory.

import { type ApiError, tableClosed } from '#contract/errors.ts';
import type { TableCatalog } from '#engines/catalog.ts';
import { CorruptionReports, type FoundCorruption } from '#engines/corruption.ts';
import { type Duck, openDuck } from '#engines/duckdb/instance/instance.ts';
import { requireInMemory } from '#engines/duckdb/instance/memory-files.ts';
import { redactingInstance } from '#engines/duckdb/instance/redacting-instance.ts';
import type { TableSpec } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ProfileKey } from '#vault/profile-key.ts';
import type { Vault } from '#vault/vault.ts';
import { authenticatedStorage } from './authenticated-storage.ts';
import { ClearSegments } from './decrypted-segments.ts';
import { encryptedStorage } from './encrypted-storage.ts';
import { plainStorage, type SegmentStorage, type SegmentStorageDeps } from './segment-storage.ts';

export interface ProtectionParts {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly memoryFolder: string;
  readonly cacheBytes: number;
  /** Of the DuckDB instance that encrypted tables share. */
  readonly memoryBytes: number;
  /** Told once of every damaged file. */
  damaged(found: FoundCorruption): void;
}

export class Protection {
  readonly #parts: ProtectionParts;
  readonly #copies: ClearSegments;
  readonly #damages: CorruptionReports;
  #duck: Promise<Duck> | undefined;

  constructor(parts: ProtectionParts) {
    this.#parts = parts;
    const { memoryFolder: folder, cacheBytes: mostBytes, clock } = parts;
    this.#copies = new ClearSegments({ folder, mostBytes, clock });
    this.#damages = new CorruptionReports((found) => parts.damaged(found));
  }

  /** `plainInstance` is opened only for tables that are not encrypted. Refuses a table whose profile is closed. */
  async keepingOf(
    spec: TableSpec,
    { cryptoProfile }: Pick<TableCatalog, 'cryptoProfile'>,
    { folder, plainInstance }: { folder: string; plainInstance: () => Promise<Duck> },
  ): Promise<SegmentStorage> {
    const damaged = (file: string, cause?: unknown) => this.damaged(spec, { folder, file, cause });
    const key = cryptoProfile && (await this.#keyFor(spec, cryptoProfile.guid));
    if (key && cryptoProfile.isEncrypting) return await this.#encrypted(spec, key, { folder, damaged });
    const parts: SegmentStorageDeps = { duck: await plainInstance(), folder, damaged };
    return key ? authenticatedStorage({ ...parts, key, tableId: spec.id }) : plainStorage(parts);
  }

  /** The answer for a damaged file, which the service log gets to know of. */
  damaged({ name }: TableSpec, { folder, file, cause }: { folder: string; file: string; cause?: unknown }): ApiError {
    return this.#damages.refusal({ table: name, folder, file, cause });
  }

  requireMemoryFolder(): void {
    requireInMemory(this.#parts.memoryFolder);
  }

  /** The instance that never spills. */
  async duck(): Promise<Duck> {
    this.requireMemoryFolder();
    this.#duck ??= openDuck({ memoryBytes: this.#parts.memoryBytes });
    return await this.#duck;
  }

  async close(): Promise<void> {
    await this.#copies.close();
    (await this.#duck)?.close();
  }

  async #keyFor({ name }: TableSpec, profile: string): Promise<ProfileKey> {
    return await this.#parts.vault.keyOf(profile).catch((cause) => {
      throw Object.assign(tableClosed(name), { cause });
    });
  }

  async #encrypted(spec: TableSpec, key: ProfileKey, parts: Omit<SegmentStorageDeps, 'duck'>): Promise<SegmentStorage> {
    const { memoryFolder } = this.#parts;
    const duck = redactingInstance(await this.duck(), spec.name);
    return encryptedStorage({ ...parts, duck, spec, key, memoryFolder, copies: this.#copies });
  }
}
