// What the service stands on, and the commands that work on a stopped one too: the lock of the data folder, the store, the
// lease of the logs, and over them the audit trail with its signing key and its witness.

import type { KeyObject } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { openSigningKey, signingKeyFile, witnessFile } from '#audit/keys.ts';
import { openTrail, type Trail } from '#audit/trail.ts';
import { newestHead, openWitness } from '#audit/witness.ts';
import { toStamp } from '#contract/times.ts';
import { hasSegments } from '#engines/duckdb/storage/catalog.ts';
import { identifyFolder } from '#files/folder-identity.ts';
import { lockFolder } from '#files/folder-lock.ts';
import { type Narrowed, narrowModes } from '#files/owner-only.ts';
import type { Clock } from '#kernel/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Config } from '#settings/index.ts';
import { isLease, type LogsLease, type OtherKeeper, takeLogsLease } from '#store/logs-lease.ts';
import { metadataFile } from '#store/sqlite.ts';
import { openStore, type Store, type StoreObserver } from '#store/store.ts';
import { type Installation, identifyInstallation } from './install.ts';
import {
  checkInstallationKeys,
  newInstallationRows,
  readInstallation,
  recordInstallation,
} from './installation-keys.ts';
import { checkKeysFolder } from './keys-folder.ts';

export interface Foundation {
  readonly store: Store;
  readonly trail: Trail;
  readonly signingKey: KeyObject;
  readonly witness: string;
  readonly installation: Installation;
  readonly lease: LogsLease;
  /** What does not agree with the audit trail that was found, in words for the service log. */
  readonly alarms: readonly string[];
  readonly warnings: readonly string[];
  /** Files and folders of the data folder that were open to more than their owner. */
  readonly narrowed: Narrowed | undefined;
  /** Signs a last checkpoint, then closes everything. */
  close(): Promise<void>;
}

export interface FoundationParts {
  readonly clock: Clock;
  readonly observer: StoreObserver;
  /** Refuses, without leaving anything behind, where nothing was installed or the keys folder is another's. */
  readonly mustExist?: true;
  /** Opens the audit key and the witness; by default those of the installation, and no others. */
  readonly openAudit?: (opened: OpenedStore) => Promise<AuditFiles>;
}

export interface OpenedStore {
  readonly store: Store;
  readonly places: Places;
  readonly installation: Installation;
}

export interface AuditFiles {
  readonly signingKey: KeyObject;
  readonly witness: string;
  readonly alarms: readonly string[];
}

export type Places = Pick<Config, 'data' | 'keys' | 'database'> & Partial<Pick<Config, 'time-zone'>>;

export async function openFoundation(places: Places, parts: FoundationParts): Promise<Foundation> {
  const opening = new AsyncDisposableStack();
  try {
    return await openInto(opening, places, parts);
  } catch (error) {
    // What also fails while the rest is closed says less.
    await opening.disposeAsync().catch(() => undefined);
    throw error;
  }
}

async function openInto(opening: AsyncDisposableStack, places: Places, parts: FoundationParts): Promise<Foundation> {
  const { clock, mustExist, openAudit = (opened) => openInstalledAudit(opened, mustExist) } = parts;
  if (mustExist) requireInstalled(places);
  const warning = checkKeysFolder(places.keys);
  const isNarrowed = !mustExist && isEmptyOrOurs(places.data);
  opening.use(lockFolder(places.data));
  // Before the store is opened: SQLite gives the files beside a database the mode of the database.
  const narrowed = isNarrowed ? await narrowModes(places.data) : undefined;
  const store = await openStore(places.database ?? places.data, parts.observer);
  opening.defer(() => store.close());
  if (mustExist && (await identifyInstallation(store)).isNew) throw notInstalled(places);
  const lease = await takeLogs(store, places);
  // A first start that fails before it has installed anything leaves the database to another folder.
  opening.defer(async () => lease.release({ forget: (await readInstallation(store)).guid === undefined }));
  // Read under the lease: of several first starts one installs.
  const found = await identifyInstallation(store);
  const installation = found.isNew ? { ...found, rows: newInstallationRows(places.keys) } : found;
  const audit = await openAudit({ store, places, installation });
  const witness = openWitness(audit.witness);
  opening.defer(() => witness.close());
  const trail = await openTrail({ store, clock, signingKey: audit.signingKey, witness });
  opening.defer(() => trail.close());
  lease.keep(clock);
  return {
    ...audit,
    store,
    trail,
    lease,
    installation,
    narrowed,
    warnings: warning === undefined ? [] : [warning],
    close: () => opening.disposeAsync(),
  };
}

/** A database file in the folder is locked with the folder: nobody else can come to it, and a full disk keeps no start from reading. */
const LOCKED_WITH_FOLDER: LogsLease = {
  lost: Promise.withResolvers<void>().promise,
  keep() {},
  async release() {},
};

async function takeLogs(store: Store, places: Places): Promise<LogsLease> {
  if (!store.isShared) return LOCKED_WITH_FOLDER;
  await requireLogs(store, places);
  const path = resolve(places.data);
  const taken = await takeLogsLease(store, { ...identifyFolder(path), host: hostname(), path });
  if (isLease(taken)) return taken;
  throw new UsageError('logs-kept-elsewhere', keeperValues(taken, places));
}

const keeperValues = ({ host, path, lastSeen }: OtherKeeper, places: Places) => ({
  host,
  path,
  time: toStamp(lastSeen, places['time-zone'] ?? 'UTC'),
});

/** A database of an older version does not say which folder holds its logs; one without any certainly does not. */
async function requireLogs(store: Store, { data }: Places): Promise<void> {
  const [keeper] = await store.reader.all('select 1 from logs_keeper');
  if (keeper || !(await hasSegments(store))) return;
  if (!existsSync(join(data, 'tables'))) throw new UsageError('logs-not-here', { folder: resolve(data) });
}

async function openInstalledAudit(
  { store, places, installation }: OpenedStore,
  mustExist: true | undefined,
): Promise<AuditFiles> {
  const { keys } = places;
  const witness = witnessFile(keys, installation.guid);
  if (installation.isNew) return { signingKey: openSigningKey(keys), witness, alarms: [] };
  if (mustExist && !existsSync(witness)) throw new UsageError('witness-missing', { file: witness });
  const rows = await checkInstallationKeys(store, keys, await readInstallation(store));
  const alarms = await alarmsOf(store, witness, keys);
  if (Object.keys(rows).length > 0) await store.write((db) => recordInstallation(db, rows));
  return { signingKey: openSigningKey(keys), witness, alarms };
}

/** A start must not pass over in silence what `vigil audit verify` would find at once. */
async function alarmsOf(store: Store, witness: string, keys: string): Promise<string[]> {
  const alarms: string[] = [];
  if (!existsSync(witness)) alarms.push('the audit witness is missing and is started anew: run vigil key renew-audit');
  if (!existsSync(signingKeyFile(keys)))
    alarms.push('the key that signs audit checkpoints is missing and is made anew');
  const head = newestHead(witness);
  const [entry] = head ? await store.reader.all('select hash from audit_entries where id = ?', [head.id]) : [];
  if (head && entry?.hash !== head.hash) {
    alarms.push(`audit entry ${head.id} is not as its witness knows it: run vigil audit verify`);
  }
  return alarms;
}

/** What else is in a folder that was mistyped keeps its modes. */
function isEmptyOrOurs(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0 || isDataFolder(folder);
}

/** Whether a service has ever been started on the folder. */
const isDataFolder = (folder: string): boolean =>
  ['metadata.db', 'lock.db', 'tables'].some((name) => existsSync(join(folder, name)));

/** Opening makes what is missing, so a mistyped folder must be noticed before. */
function requireInstalled({ data, database }: Places): void {
  const isThere = database === undefined ? existsSync(metadataFile(data)) : isDataFolder(data);
  if (!isThere) throw new UsageError('folder-not-installed', { data });
}

const notInstalled = ({ data, database }: Places) =>
  database === undefined ? new UsageError('folder-not-installed', { data }) : new UsageError('database-not-installed');
