// Values under the master secret: keys of crypto profiles, urls and secrets of webhooks, texts of events. The keys of tables
// are unwrapped here. A profile whose key does not open is closed, and so are its tables; all others work.

import type { KeyObject } from 'node:crypto';
import { masterSecretRefused, profileClosed } from '#contract/errors.ts';
import type { Store } from '#store/store.ts';
import { openBox, sealBox } from './box.ts';
import {
  makeMasterSecret,
  masterSecretFile,
  readMasterSecret,
  type SecretConfig,
  secretFingerprint,
} from './master-secret.ts';
import { type Algorithm, KEY_BYTES, ProfileKey } from './profile-key.ts';
import { Sealing } from './sealed/sealing.ts';

interface StoredProfile {
  readonly guid: string;
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly wrapped_key: string;
}

/** Something that is kept under the master secret, in base64, with the label that it was sealed for. */
export interface Sealed {
  readonly box: string;
  readonly label: string;
}

/** Why profiles are closed, and which. */
export interface UnusableSecret {
  readonly secret: 'missing' | 'wrong';
  readonly file: string;
  readonly profiles: readonly string[];
}

export class Vault {
  readonly #store: Store;
  /** Of the master secret. */
  readonly #file: string;
  /** Of the secret of this installation; undefined where none was recorded yet. */
  readonly #fingerprint: string | undefined;
  readonly #closed = new Set<string>();
  /** The secret that has opened a profile: the right one, also when its file goes while tables under key are open. */
  #proven: KeyObject | undefined;

  private constructor(store: Store, file: string, fingerprint: string | undefined) {
    this.#store = store;
    this.#file = file;
    this.#fingerprint = fingerprint;
  }

  /** Opens what can be opened. `trouble` is for the operator. */
  static async open(
    store: Store,
    config: SecretConfig,
  ): Promise<{ vault: Vault; trouble: UnusableSecret | undefined }> {
    const [recorded] = await store.reader.all("select value from installation where key = 'master-secret'");
    const file = masterSecretFile(config);
    const vault = new Vault(store, file, recorded && String(recorded.value));
    const profiles = await vault.#stored();
    const closed = profiles.filter((profile) => !vault.#opened(profile));
    if (closed.length === 0) return { vault, trouble: undefined };
    const secret = readMasterSecret(file) === 'missing' ? 'missing' : 'wrong';
    const names = closed.map(({ name }) => name);
    return { vault, trouble: { secret, file, profiles: names } };
  }

  /** Refuses when the profile is closed. */
  async keyOf(guid: string): Promise<ProfileKey> {
    // Asked for every table that is opened, never from memory: a profile may have been made anew under its old guid.
    const [profile] = await this.#stored(guid);
    const key = profile && this.#opened(profile);
    if (!key) throw profileClosed(guid);
    return key;
  }

  /** From memory: false also for a profile that was not opened yet. */
  isClosed(guid: string): boolean {
    return this.#closed.has(guid);
  }

  /** The key of a new profile, wrapped; `existing` as for `sealed`. */
  wrapped(guid: string, algorithm: Algorithm, key: Buffer, existing: readonly Sealed[]): string {
    return this.sealed(key, labelOf({ guid, algorithm }), existing);
  }

  /**
   * A few bytes under the master secret. `existing` is all that is sealed already: a secret is made where none was ever
   * recorded, and never while there are other things, which it would not open.
   */
  sealed(content: Uint8Array, label: string, existing: readonly Sealed[]): string {
    return sealBox(this.#secretBeside(existing), content, label).toString('base64');
  }

  /** Undefined when the secret is missing or another one. */
  unsealed({ box, label }: Sealed): Buffer | undefined {
    const secret = readMasterSecret(this.#file);
    return typeof secret === 'string' ? undefined : openBox(secret, Buffer.from(box, 'base64'), label);
  }

  /** To seal texts; `existing` as for `sealed`. */
  sealing(existing: readonly Sealed[]): Sealing {
    return new Sealing(this.#secretBeside(existing));
  }

  /** As `sealing`, and undefined where that refuses. */
  sealingIfOpen(existing: readonly Sealed[]): Sealing | undefined {
    const secret = readMasterSecret(this.#file);
    return typeof secret !== 'string' && isSecretOf(existing, secret) ? new Sealing(secret) : undefined;
  }

  /** To open texts; undefined when the secret is missing or unreadable. */
  opening(): Sealing | undefined {
    const secret = readMasterSecret(this.#file);
    return typeof secret === 'string' ? undefined : new Sealing(secret);
  }

  /** To seal what was read of an encrypted table, whose profile was opened for that. */
  tableSealing(): Sealing {
    const sealing = this.tableSealingIfOpen();
    if (!sealing) throw masterSecretRefused('missing');
    return sealing;
  }

  /** Undefined while no profile has been opened: nothing was read of an encrypted table then. */
  tableSealingIfOpen(): Sealing | undefined {
    return this.#proven && new Sealing(this.#proven);
  }

  #secretBeside(existing: readonly Sealed[]): KeyObject {
    const secret = readMasterSecret(this.#file);
    const isMade = existing.length > 0 || this.#fingerprint !== undefined;
    if (secret === 'missing' && !isMade) return makeMasterSecret(this.#file);
    if (typeof secret === 'string') throw masterSecretRefused(secret);
    if (!isSecretOf(existing, secret)) throw masterSecretRefused('wrong');
    if (this.#fingerprint !== undefined && secretFingerprint(secret) !== this.#fingerprint) {
      throw masterSecretRefused('wrong');
    }
    return secret;
  }

  #opened(profile: StoredProfile): ProfileKey | undefined {
    const secret = readMasterSecret(this.#file);
    const bytes = typeof secret === 'string' ? undefined : unwrapped(secret, profile);
    if (!bytes) {
      this.#closed.add(profile.guid);
      return undefined;
    }
    this.#closed.delete(profile.guid);
    if (typeof secret !== 'string') this.#proven = secret;
    return new ProfileKey(profile.algorithm, bytes);
  }

  async #stored(guid?: string): Promise<StoredProfile[]> {
    const columns = 'select guid, name, algorithm, wrapped_key from crypto_profiles';
    const rows = await (guid === undefined
      ? this.#store.reader.all(`${columns} order by name`)
      : this.#store.reader.all(`${columns} where guid = ?`, [guid]));
    // The columns are those of a StoredProfile, the algorithm from a closed set that we wrote.
    return rows as unknown as StoredProfile[];
  }
}

/** Whether the secret is the one that some of them were sealed with: others may be corrupt. */
export const opensAny = (secret: KeyObject, sealed: readonly Sealed[]): boolean =>
  sealed.some(({ box, label }) => openBox(secret, Buffer.from(box, 'base64'), label) !== undefined);

const isSecretOf = (existing: readonly Sealed[], secret: KeyObject): boolean =>
  existing.length === 0 || opensAny(secret, existing);

function unwrapped(secret: KeyObject, profile: StoredProfile): Buffer | undefined {
  const bytes = openBox(secret, Buffer.from(profile.wrapped_key, 'base64'), labelOf(profile));
  return bytes?.length === KEY_BYTES[profile.algorithm] ? bytes : undefined;
}

export const labelOf = ({ guid, algorithm }: Pick<StoredProfile, 'guid' | 'algorithm'>) =>
  `profile ${guid} ${algorithm}`;
