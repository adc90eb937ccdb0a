// Which keys belong to an installation: the fingerprint of its master secret and the public half of its audit key are in the
// database from the first start on. A start with other keys, or none, is refused: new records and entries would be under
// other keys than the older ones.

import { createPublicKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { checkpointOfRow, isSignedBy } from '#audit/chain/checkpoint.ts';
import { openSigningKey, signingKeyFile } from '#audit/chain/keys.ts';
import { AUDIT_KEY } from '#audit/chain/public-keys.ts';
import { fingerprintOf, publicKeyText } from '#kernel/public-key.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import {
  makeMasterSecret,
  masterSecretFile,
  readMasterSecret,
  type SecretConfig,
  secretFingerprint,
} from '#vault/master-secret.ts';
import { everythingSealed } from '#vault/sealed/everything-sealed.ts';
import { opensAny } from '#vault/vault.ts';

/** A row of the table `installation`. */
const MASTER_SECRET = 'master-secret';

export type InstallationRows = Readonly<Record<string, string>>;

export async function readInstallation(store: Store): Promise<InstallationRows> {
  const rows = await store.reader.all('select key, value from installation');
  return Object.fromEntries(rows.map(({ key, value }) => [String(key), String(value)]));
}

export async function recordInstallation(db: Db, rows: InstallationRows): Promise<void> {
  for (const [key, value] of Object.entries(rows)) {
    await db
      .insertInto('installation')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  }
}

/** The rows of a first start; creates its secret and key. */
export function newInstallationRows(config: SecretConfig): InstallationRows {
  const { keys } = config;
  const path = masterSecretFile(config);
  const found = readMasterSecret(path);
  if (found === 'wrong') throw new UsageError('cannot-read', { path, code: 'no master secret' });
  const secret = found === 'missing' ? makeMasterSecret(path) : found;
  return { [MASTER_SECRET]: secretFingerprint(secret), [AUDIT_KEY]: publicKeyText(openSigningKey(keys)) };
}

/**
 * Throws a UsageError for the keys folder of another installation. Returns the rows still to be recorded of an installation
 * that is older than this check.
 */
export async function checkInstallationKeys(store: Store, config: SecretConfig, recorded: InstallationRows) {
  const { keys } = config;
  const secret = await checkInstallationSecret(store, config, recorded);
  const auditKey = checkAuditKey(keys, recorded) ?? (await unrecordedAuditKey(store, keys));
  return {
    ...secret,
    ...(auditKey !== undefined && auditKey !== recorded[AUDIT_KEY] ? { [AUDIT_KEY]: auditKey } : {}),
  };
}

/** As `checkInstallationKeys`, of the master secret alone: each node has an audit key of its own. */
export async function checkInstallationSecret(store: Store, config: SecretConfig, recorded: InstallationRows) {
  const file = masterSecretFile(config);
  const secret = checkMasterSecret(file, recorded) ?? (await unrecordedSecret(store, file));
  return secret !== undefined && secret !== recorded[MASTER_SECRET] ? { [MASTER_SECRET]: secret } : {};
}

/** Undefined where none was recorded. */
function checkMasterSecret(file: string, recorded: InstallationRows): string | undefined {
  const expected = recorded[MASTER_SECRET];
  if (expected === undefined) return undefined;
  const secret = readMasterSecret(file);
  if (typeof secret === 'string' || secretFingerprint(secret) !== expected) {
    throw new UsageError('master-secret-foreign', { fingerprint: expected, file });
  }
  return expected;
}

/** Undefined where none was recorded. */
function checkAuditKey(keys: string, recorded: InstallationRows): string | undefined {
  const expected = recorded[AUDIT_KEY];
  if (expected === undefined) return undefined;
  if (!isAuditKey(keys, expected)) {
    const values = { fingerprint: fingerprintOf(expected), file: signingKeyFile(keys) };
    throw new UsageError('audit-key-foreign', values);
  }
  return expected;
}

export function isAuditKey(keys: string, publicKey: string): boolean {
  if (!existsSync(signingKeyFile(keys))) return false;
  try {
    return publicKeyText(openSigningKey(keys)) === publicKey;
  } catch (cause) {
    // The file holds no key; one that cannot be read is another matter.
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('ERR_OSSL')) return false;
    throw cause;
  }
}

/** For an older installation: the secret that decrypts its sealed values, or a new one where none is sealed. */
async function unrecordedSecret(store: Store, file: string): Promise<string | undefined> {
  const sealed = await store.read(everythingSealed);
  const found = readMasterSecret(file);
  if (found === 'missing' && sealed.length === 0) return secretFingerprint(makeMasterSecret(file));
  if (typeof found === 'string') return undefined;
  return sealed.length === 0 || opensAny(found, sealed) ? secretFingerprint(found) : undefined;
}

/** For an older installation: the key that signed the newest checkpoint. */
export async function unrecordedAuditKey(store: Store, keys: string): Promise<string | undefined> {
  if (!existsSync(signingKeyFile(keys))) return undefined;
  const key = openSigningKey(keys);
  const [newest] = await store.reader.all('select * from audit_checkpoints order by id desc limit 1');
  return newest === undefined || isSignedBy(checkpointOfRow(newest), createPublicKey(key))
    ? publicKeyText(key)
    : undefined;
}
