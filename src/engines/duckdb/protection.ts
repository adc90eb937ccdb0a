// Decides how the files of a table are kept, and holds what encrypted tables share: a DuckDB instance that never spills
// to disk, opened with the first of them, and the decrypted copies in memory.

import { type Refusal, tableClosed } from '#contract/errors.ts';
import type { TableCatalog } from '#engines/catalog.ts';
import { Damages, type FoundDamage } from '#engines/damages.ts';
import type { TableSpec } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ProfileKey } from '#vault/profile-key.ts';
import type { Vault } from '#vault/vault.ts';
import { ClearSegments } from './clear-segments.ts';
import { discreetDuck } from './discreet-duck.ts';
import { encryptedKeeping } from './encrypted-keeping.ts';
import { type Duck, openDuck } from './instance.ts';
import { type Keeping, type KeepingParts, plainKeeping } from './keeping.ts';
import { requireInMemory } from './memory-files.ts';
import { provenKeeping } from './proven-keeping.ts';

export interface ProtectionParts {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly memoryFolder: string;
  readonly cacheBytes: number;
  /** Of the DuckDB instance that encrypted tables share. */
  readonly memoryBytes: number;
  /** Told once of every damaged file. */
  damaged(found: FoundDamage): void;
}

export class Protection {
  readonly #parts: ProtectionParts;
  readonly #copies: ClearSegments;
  readonly #damages: Damages;
  #duck: Promise<Duck> | undefined;

  constructor(parts: ProtectionParts) {
    this.#parts = parts;
    const { memoryFolder: folder, cacheBytes: mostBytes, clock } = parts;
    this.#copies = new ClearSegments({ folder, mostBytes, clock });
    this.#damages = new Damages((found) => parts.damaged(found));
  }

  /** `plainDuck` is opened only for tables that are not encrypted. Refuses a table whose profile is closed. */
  async keepingOf(
    spec: TableSpec,
    { cryptoProfile }: Pick<TableCatalog, 'cryptoProfile'>,
    { folder, plainDuck }: { folder: string; plainDuck: () => Promise<Duck> },
  ): Promise<Keeping> {
    const damaged = (file: string, cause?: unknown) => this.damaged(spec, { folder, file, cause });
    const key = cryptoProfile && (await this.#keyFor(spec, cryptoProfile.guid));
    if (key && cryptoProfile.isEncrypting) return await this.#encrypted(spec, key, { folder, damaged });
    const parts: KeepingParts = { duck: await plainDuck(), folder, damaged };
    return key ? provenKeeping({ ...parts, key, tableId: spec.id }) : plainKeeping(parts);
  }

  /** The answer for a damaged file, which the service log gets to know of. */
  damaged({ name }: TableSpec, { folder, file, cause }: { folder: string; file: string; cause?: unknown }): Refusal {
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

  async #encrypted(spec: TableSpec, key: ProfileKey, parts: Omit<KeepingParts, 'duck'>): Promise<Keeping> {
    const { memoryFolder } = this.#parts;
    const duck = discreetDuck(await this.duck(), spec.name);
    return encryptedKeeping({ ...parts, duck, spec, key, memoryFolder, copies: this.#copies });
  }
}
