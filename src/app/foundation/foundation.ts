// The foundation of the service, and of the commands on a stopped one: the lock of the data folder, the store, the lease
// of the logs, and the audit trail with its signing key and its witness.

import type { KeyObject } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { openSigningKey, signingKeyFile, witnessFile, witnessLockFile } from '#audit/chain/keys.ts';
import { newestHead, openWitness } from '#audit/chain/witness.ts';
import { openTrail, type Trail } from '#audit/trail.ts';
import type { Cluster } from '#cluster/cluster.ts';
import {
  INSTALLING,
  isLease,
  type LeaseClaim,
  LOGS_SHARED,
  NAME_IN_USE,
  type ProcessLease,
} from '#cluster/members/lease.ts';
import { identifyFolder } from '#files/folder-identity.ts';
import { lockFile } from '#files/folder-lock.ts';
import { keepNodeName } from '#files/node-name.ts';
import { type Narrowed, narrowModes } from '#files/owner-only.ts';
import { publicKeyText } from '#kernel/public-key.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { hasSegments } from '#logs/stores/embedded/storage/catalog.ts';
import type { Config } from '#settings/index.ts';
import { metadataFile } from '#store/sqlite/sqlite.ts';
import { openStore, type Store } from '#store/store.ts';
import { masterSecretFile } from '#vault/master-secret.ts';
import { type ClusterObserver, openCluster } from './cluster.ts';
import { type Installation, identifyInstallation } from './install.ts';
import {
  checkInstallationKeys,
  checkInstallationSecret,
  newInstallationRows,
  readInstallation,
  recordInstallation,
} from './installation-keys.ts';
import { joinTrail } from './join-node.ts';
import { checkKeysFolder } from './keys-folder.ts';
import { type NodeConfig, ownNode } from './own-node.ts';
import { lockOrStandBy, StandbyEnded, type StandbyParts } from './standby.ts';

export interface Foundation {
  readonly store: Store;
  readonly trail: Trail;
  readonly signingKey: KeyObject;
  readonly witness: string;
  readonly installation: Installation;
  readonly lease: ProcessLease;
  readonly cluster: Cluster;
  /** Contradictions between the audit trail and its witness or key, as texts for the service log. */
  readonly alarms: readonly string[];
  readonly warnings: readonly string[];
  /** Files and folders of the data folder that were accessible to others than their owner. */
  readonly narrowed: Narrowed | undefined;
  /** Signs a last checkpoint, then closes everything. */
  close(): Promise<void>;
}

export interface FoundationParts extends StandbyParts {
  /** Of a service; a command receives nothing from other nodes. */
  readonly clusterObserver?: ClusterObserver;
  /** Refuses a database or folder without installation, and a foreign keys folder, without creating any file. */
  readonly mustExist?: true;
  /** Opens the audit key and the witness, whose key the caller records; by default only those of the installation. */
  readonly openAudit?: (opened: OpenedStore) => Promise<AuditFiles>;
}

export interface OpenedStore {
  readonly store: Store;
  readonly config: FoundationConfig;
  readonly installation: Installation;
  /** Name of the node. */
  readonly node: string;
  /** Whether the node signs with a key of its own, beside those of other nodes. */
  readonly hasOwnKey: boolean;
}

export interface AuditFiles {
  readonly signingKey: KeyObject;
  readonly witness: string;
  readonly alarms: readonly string[];
}

export type FoundationConfig = Pick<Config, 'data' | 'keys' | 'database'> &
  Partial<Pick<Config, 'logs' | 'master-secret-file'>> &
  NodeConfig;

export async function openFoundation(config: FoundationConfig, parts: FoundationParts): Promise<Foundation> {
  const opening = new AsyncDisposableStack();
  try {
    return await openInto(opening, config, parts);
  } catch (error) {
    // The first error says more than an error of closing.
    await opening.disposeAsync().catch(() => undefined);
    throw error;
  }
}

async function openInto(
  opening: AsyncDisposableStack,
  config: FoundationConfig,
  parts: FoundationParts,
): Promise<Foundation> {
  const { clock, mustExist, openAudit = (opened) => openInstalledAudit(opened, mustExist) } = parts;
  if (mustExist) requireInstalled(config);
  const warnings = [config.keys, masterSecretFile(config)].flatMap((path) => checkKeysFolder(path) ?? []);
  const isNarrowed = !mustExist && isEmptyOrOurs(config.data);
  const isOlderFolder = isDataFolder(config.data);
  opening.use(await lockOrStandBy(mustExist ? { ...config, standby: false } : config, parts));
  const node = ownNode(config, { isOlderFolder, keepsName: mustExist === true, address: parts.address?.() });
  // Before the store is opened: SQLite gives the files beside a database the mode of the database.
  const narrowed = isNarrowed ? await narrowModes(config.data) : undefined;
  const store = await openStore(config.database ?? config.data, parts.observer);
  opening.defer(() => store.close());
  if (mustExist && (await identifyInstallation(store)).isNew) throw notInstalled(config);
  const cluster = await openCluster(config, { store, node, clock }, parts.clusterObserver ?? {});
  opening.defer(() => cluster.close());
  const lease = await takeLease(store, { config, node: node.name, cluster, parts });
  // After a first start that failed before installing, another folder may take the database.
  opening.defer(async () => lease.release({ forget: (await readInstallation(store)).guid === undefined }));
  keepNodeName(config.data, node.name);
  // Read under the lease: only one of several concurrent first starts installs.
  const found = await identifyInstallation(store);
  const installation = found.isNew ? { ...found, rows: newInstallationRows(config) } : found;
  const isWitnessed = existsSync(witnessFile(config.keys, installation.guid));
  // A mistyped keys folder has no witness, and nothing is made in it.
  if (isWitnessed) opening.use(lockWitness(config, installation));
  const audit = await openAudit({ store, config, installation, node: node.name, hasOwnKey: !lease.isExclusive });
  if (!isWitnessed) opening.use(lockWitness(config, installation));
  const witness = openWitness(audit.witness);
  opening.defer(() => witness.close());
  const trail = await openTrail({ store, cluster, clock, signingKey: audit.signingKey, witness });
  opening.defer(() => trail.close());
  const publicKey = publicKeyText(audit.signingKey);
  if (!parts.openAudit) {
    if (!lease.isExclusive) await joinTrail({ store, trail, node: node.name, publicKey });
    await lease.showKey(publicKey);
  }
  lease.keep(clock);
  return {
    ...audit,
    store,
    trail,
    lease,
    cluster,
    installation,
    narrowed,
    warnings: [...new Set(warnings)],
    close: () => opening.disposeAsync(),
  };
}

/** Between two looks whether another process has installed. */
const PAUSE = Temporal.Duration.from({ milliseconds: 250 });

interface Claimant {
  readonly config: FoundationConfig;
  /** Name of the node. */
  readonly node: string;
  readonly cluster: Cluster;
  readonly parts: FoundationParts;
}

async function takeLease(store: Store, { config, node, cluster, parts }: Claimant): Promise<ProcessLease> {
  const claim = async (): Promise<LeaseClaim> => {
    await requireLogs(store, config);
    const path = resolve(config.data);
    const sharesLogs = parts.mustExist ? !(await hasKeeper(store)) : isOnLogStore(config);
    return { folder: { ...identifyFolder(path), host: hostname(), path }, sharesLogs };
  };
  for (;;) {
    const taken = await cluster.takeLease(claim);
    if (isLease(taken)) return taken;
    if (taken === NAME_IN_USE) throw new UsageError('node-name-in-use', { name: node });
    if (taken === LOGS_SHARED) throw new UsageError('logs-on-clickhouse');
    if (taken !== INSTALLING) throw new UsageError('logs-kept-elsewhere', { node: taken.node });
    await parts.clock.sleep(PAUSE, parts.stopping);
    if (parts.stopping?.aborted) throw new StandbyEnded();
  }
}

const isOnLogStore = ({ logs = 'embedded' }: FoundationConfig): boolean => logs !== 'embedded';

const hasKeeper = async (store: Store): Promise<boolean> =>
  (await store.reader.all('select 1 from logs_keeper')).length > 0;

/** A database of an older version does not name the folder of its logs; a folder without tables is not it. */
async function requireLogs(store: Store, { data }: FoundationConfig): Promise<void> {
  if ((await hasKeeper(store)) || !(await hasSegments(store))) return;
  if (!existsSync(join(data, 'tables'))) throw new UsageError('logs-not-here', { folder: resolve(data) });
}

/** Two services on one witness would make the trail of both unprovable: a copied data folder with the keys of its original. */
function lockWitness({ keys }: FoundationConfig, { guid }: Installation): Disposable {
  return lockFile(witnessLockFile(keys, guid), new UsageError('witness-in-use', { file: witnessFile(keys, guid) }));
}

async function openInstalledAudit(
  { store, config, installation, hasOwnKey }: OpenedStore,
  mustExist: true | undefined,
): Promise<AuditFiles> {
  const { keys } = config;
  const witness = witnessFile(keys, installation.guid);
  if (installation.isNew) return { signingKey: openSigningKey(keys), witness, alarms: [] };
  if (mustExist && !existsSync(witness)) throw new UsageError('witness-missing', { file: witness });
  const check = hasOwnKey ? checkInstallationSecret : checkInstallationKeys;
  const rows = await check(store, config, await readInstallation(store));
  await requireWitnessedHead(store, witness);
  const isNewNode = hasOwnKey && !existsSync(witness) && !existsSync(signingKeyFile(keys));
  const alarms = isNewNode ? [] : alarmsOf(witness, keys);
  if (Object.keys(rows).length > 0) await store.write((db) => recordInstallation(db, rows));
  return { signingKey: openSigningKey(keys), witness, alarms };
}

/** Refuses to go on with a trail that is not the one of its witness: every further entry would be one that cannot be proven. */
async function requireWitnessedHead(store: Store, witness: string): Promise<void> {
  const head = newestHead(witness);
  const [entry] = head ? await store.reader.all('select hash from audit_entries where id = ?', [head.id]) : [];
  if (head && entry?.hash !== head.hash) {
    throw new UsageError('audit-head-foreign', { id: String(head.id), file: witness });
  }
}

/** The contradictions that `vigil audit verify` would find at once. */
function alarmsOf(witness: string, keys: string): string[] {
  const alarms: string[] = [];
  if (!existsSync(witness))
    alarms.push('the audit witness is missing, and a new one is started: run vigil key renew-audit');
  if (!existsSync(signingKeyFile(keys)))
    alarms.push('the key that signs audit checkpoints is missing, and a new one is created');
  return alarms;
}

/** The modes of files in a mistyped folder are not changed. */
function isEmptyOrOurs(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0 || isDataFolder(folder);
}

/** Whether a service has ever been started on the folder. */
const isDataFolder = (folder: string): boolean =>
  ['metadata.db', 'lock.db', 'tables'].some((name) => existsSync(join(folder, name)));

/** Opening creates missing files, so a mistyped folder must be refused before. */
function requireInstalled({ data, database }: FoundationConfig): void {
  const isThere = database === undefined ? existsSync(metadataFile(data)) : isDataFolder(data);
  if (!isThere) throw new UsageError('folder-not-installed', { data });
}

const notInstalled = ({ data, database }: FoundationConfig) =>
  database === undefined ? new UsageError('folder-not-installed', { data }) : new UsageError('database-not-installed');
