// The lease of a process: the row of its node, which expires without renewal. The logs and the scheduler hang on it. One data folder
// holds the records that a metadata database lists, and one process serves them: `logs_keeper` names that folder permanently, and the
// lease of the process that has it. Processes whose logs are all on a shared log store need their names alone, so there is no such
// row; the first of them has it until it has installed.

import { FIRST_NODE } from '#contract/values.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic } from '#runtime/periodic.ts';
import type { Connection, DialectName } from '#store/connection.ts';
import { DATABASE_NOW } from '#store/database-now.ts';
import { connectionOf, type Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { LEASE_TIMES } from './lease-times.ts';
import { hasOtherNode, noteAddedKey, type OwnNode, takeName } from './membership.ts';

/** The data folder of this process, whose lock it holds. */
export interface LogsFolder {
  readonly guid: string;
  readonly inode: string;
  readonly host: string;
  readonly path: string;
}

/** The node that serves the logs instead. */
export interface OtherKeeper {
  readonly node: string;
}

/** The name of the node belongs to a living process. */
export const NAME_IN_USE = 'name-in-use';

/** Another process is at its first start on this database. */
export const INSTALLING = 'installing';

/** Other processes use the log store, and would not see what is embedded here. */
export const LOGS_SHARED = 'logs-shared';

export type NotTaken = OtherKeeper | typeof NAME_IN_USE | typeof INSTALLING | typeof LOGS_SHARED;

export interface ProcessLease {
  readonly id: string;
  /** Whether no other process may use the database. */
  readonly isExclusive: boolean;
  /** Lets other processes in, once this one has installed; for a process that shares its logs. */
  share(): Promise<void>;
  /** Keeps other processes out from this unit on: records come into the folder. False where another one is in already. */
  claim(unit: Db): Promise<boolean>;
  /** Resolves when another process has taken the lease; this process can commit nothing from then on. */
  readonly lost: Promise<void>;
  /** Renews the lease until it is released. */
  keep(clock: Clock): void;
  /** Shows other nodes the key with which this one signs the audit trail, in the unit of `db` where it is given. */
  showKey(publicKey: string, db?: Db): Promise<void>;
  /**
   * `forget` also removes folder and node from the database: for a first start that installed nothing. A new node whose start
   * was refused is removed in any case.
   */
  release(how: { forget: boolean }): Promise<void>;
}

interface LeaseOptions {
  /** Whether new records go to a log store that other processes use too. */
  readonly sharesLogs: boolean;
}

export interface LeaseClaim extends LeaseOptions {
  readonly folder: LogsFolder;
}

/** Takes the name of the node and, unless all logs are shared, the logs; both or neither. */
export async function takeLease(
  store: Store,
  node: OwnNode,
  { folder, sharesLogs }: LeaseClaim,
): Promise<ProcessLease | NotTaken> {
  const lease = newGuid();
  let isExclusive = true;
  let isNewNode = false;
  const refusal = await store.write(async (db): Promise<NotTaken | undefined> => {
    const connection = connectionOf(db);
    const keeper = await readKeeper(connection, store.dialect);
    const hasEmbedded = await hasEmbeddedTables(connection);
    isExclusive = !sharesLogs || hasEmbedded || !(await isInstalled(connection));
    if (keeper && !(isExclusive ? mayTake(keeper, folder) : mayEnd(keeper, folder)))
      return sharesLogs && keeper.sharesLogs ? INSTALLING : { node: keeper.node };
    if (isExclusive && (await hasOtherNode(connection, store.dialect, { name: node.name, folder }))) return LOGS_SHARED;
    const name = await takeName(connection, store.dialect, { node, lease, folder });
    if (!name) return NAME_IN_USE;
    isNewNode = name.isNew;
    if (keeper) await connection.exec('delete from logs_keeper');
    if (!isExclusive) return undefined;
    await writeKeeper(connection, store.dialect, { folder, node, lease, sharesLogs: sharesLogs && !hasEmbedded });
    return undefined;
  });
  return refusal ?? new HeldLease({ store, folder, lease, node, isExclusive, isNewNode, sharesLogs });
}

interface NewKeeper extends LeaseOptions {
  readonly folder: LogsFolder;
  readonly node: OwnNode;
  readonly lease: string;
}

async function writeKeeper(
  connection: Connection,
  dialect: DialectName,
  { folder, node, lease, sharesLogs }: NewKeeper,
): Promise<void> {
  const { guid, inode, host, path } = folder;
  await connection.all(
    `insert into logs_keeper (id, folder_guid, folder_inode, host, path, node, lease, lease_ms, shares_logs, renewed_at)
     values (1, ?, ?, ?, ?, ?, ?, ?, ?, ${DATABASE_NOW[dialect]})`,
    [guid, inode, host, path, node.name, lease, node.times.leaseMs, sharesLogs ? 1 : 0],
  );
}

const isInstalled = async (connection: Connection): Promise<boolean> =>
  (await connection.all("select 1 from installation where key = 'guid'")).length > 0;

/** Also those that are in two places, and those that a move brings here: a restart in the middle of it keeps the lease. */
const EMBEDDED = `select 1 from log_tables t left join table_moves m on m.table_id = t.id
  where m.state = 'running' or m.is_split = 1 or m.writes_to = 'embedded'
  or not exists (select 1 from clickhouse_tables c where c.table_id = t.id) limit 1`;

const hasEmbeddedTables = async (connection: Connection): Promise<boolean> =>
  (await connection.all(EMBEDDED)).length > 0;

export const isLease = (taken: ProcessLease | NotTaken): taken is ProcessLease =>
  typeof taken === 'object' && 'keep' in taken;

interface Keeper {
  readonly guid: string;
  readonly inode: string;
  readonly node: string;
  readonly isAlive: boolean;
  readonly isInstalled: boolean;
  /** Whether it lets others in when it has installed. */
  readonly sharesLogs: boolean;
}

async function readKeeper(connection: Connection, dialect: DialectName): Promise<Keeper | undefined> {
  const [row] = await connection.all(
    `select k.*, ${DATABASE_NOW[dialect]} as seen_now, n.last_seen, i.value as installation
     from logs_keeper k left join nodes n on n.lease = k.lease left join installation i on i.key = 'guid'`,
  );
  if (!row) return undefined;
  const leaseMs = Number(row.lease_ms ?? LEASE_TIMES.leaseMs);
  return {
    guid: String(row.folder_guid),
    inode: String(row.folder_inode),
    node: String(row.node ?? FIRST_NODE),
    // The row of a version before nodes has no other.
    isAlive: row.lease !== null && Number(row.seen_now) - Number(row.last_seen ?? row.renewed_at) < leaseMs,
    isInstalled: row.installation !== null,
    sharesLogs: row.shares_logs === 1,
  };
}

/**
 * The process that holds the lock of the same folder takes the lease over at once. A folder with the same identity but
 * another inode was copied or moved: it takes over once the lease has expired. Any other folder would hide the logs.
 */
function mayTake(keeper: Keeper, folder: LogsFolder): boolean {
  const isSameFolder = keeper.guid === folder.guid;
  if (isSameFolder && keeper.inode === folder.inode) return true;
  return !keeper.isAlive && (isSameFolder || !keeper.isInstalled);
}

/** Nothing is in the folder that the row names: it may go once its process has. */
const mayEnd = (keeper: Keeper, folder: LogsFolder): boolean =>
  !keeper.isAlive || (keeper.guid === folder.guid && keeper.inode === folder.inode);

export class LeaseLost extends Error {
  constructor() {
    super('another process has taken the lease of the logs');
  }
}

interface HeldLeaseOptions extends LeaseOptions {
  readonly store: Store;
  readonly folder: LogsFolder;
  readonly lease: string;
  readonly node: OwnNode;
  readonly isExclusive: boolean;
  /** Whether its name was never taken before. */
  readonly isNewNode: boolean;
}

class HeldLease implements ProcessLease {
  readonly id: string;
  readonly lost: Promise<void>;
  readonly #store: Store;
  readonly #folder: LogsFolder;
  readonly #node: OwnNode;
  readonly #sharesLogs: boolean;
  readonly #lose: () => void;
  #isExclusive: boolean;
  /** Whether the row of the keeper is that of this lease, as the check of the last group has found it. */
  #keepsLogs = false;
  #isNewNode: boolean;
  #isHeld = true;
  #renewing: Disposable | undefined;

  constructor({ store, folder, lease, node, isExclusive, isNewNode, sharesLogs }: HeldLeaseOptions) {
    this.#store = store;
    this.#folder = folder;
    this.id = lease;
    this.#node = node;
    this.#isExclusive = isExclusive;
    this.#isNewNode = isNewNode;
    this.#sharesLogs = sharesLogs;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.lost = promise;
    this.#lose = resolve;
    store.onGroup({
      seal: (writer) => this.#check(writer),
      // Not in the unit of a claim, which may be undone.
      committed: () => {
        this.#isExclusive = this.#keepsLogs;
      },
      rolledBack() {},
    });
  }

  get isExclusive(): boolean {
    return this.#isExclusive;
  }

  async share(): Promise<void> {
    if (!this.#isExclusive || !this.#sharesLogs) return;
    await this.#store.write(async (db) => {
      const connection = connectionOf(db);
      if (await hasEmbeddedTables(connection)) return;
      await connection.all('delete from logs_keeper where lease = ?', [this.id]);
      // The check of this group knows already. Where the unit is undone, the row is there and is of this lease.
      this.#isExclusive = false;
    });
  }

  async claim(unit: Db): Promise<boolean> {
    const connection = connectionOf(unit);
    const [keeper] = await connection.all('select lease from logs_keeper');
    if (keeper) return keeper.lease === this.id;
    const { dialect } = this.#store;
    const folder = this.#folder;
    const node = this.#node;
    if (await hasOtherNode(connection, dialect, { name: node.name, folder })) return false;
    await writeKeeper(connection, dialect, { folder, node, lease: this.id, sharesLogs: false });
    return true;
  }

  keep(clock: Clock): void {
    this.#isNewNode = false;
    const period = Temporal.Duration.from({ milliseconds: this.#node.times.renewalMs });
    // A failed renewal is repeated with the next period; the check in every group decides whether writing is allowed.
    this.#renewing = new Periodic({ clock, period, work: () => this.#renew(), failed: ignoreFailure });
  }

  async showKey(publicKey: string, unit?: Db): Promise<void> {
    const note = (db: Db) => noteAddedKey(connectionOf(db), this.id, publicKey);
    await (unit ? note(unit) : this.#store.write(note));
  }

  async release({ forget }: { forget: boolean }): Promise<void> {
    this.#renewing?.[Symbol.dispose]();
    await this.#store.write(async (db) => {
      this.#isHeld = false;
      const end = (table: string, seen: string, isForgotten: boolean) =>
        connectionOf(db).all(
          `${isForgotten ? `delete from ${table}` : `update ${table} set lease = null, ${seen} = ${this.#now}`} where lease = ?`,
          [this.id],
        );
      await end('logs_keeper', 'renewed_at', forget);
      await end('nodes', 'last_seen', forget || this.#isNewNode);
    });
  }

  get #now(): string {
    return DATABASE_NOW[this.#store.dialect];
  }

  async #renew(): Promise<void> {
    await this.#store.write(async (db) => {
      const connection = connectionOf(db);
      // Versions before 0.9.0 read it.
      await connection.all(`update logs_keeper set renewed_at = ${this.#now} where lease = ?`, [this.id]);
      await connection.all(`update nodes set last_seen = ${this.#now} where lease = ?`, [this.id]);
    });
  }

  /**
   * Runs in the transaction of every group: writers are serialized, so nothing is committed after the lease was taken.
   */
  async #check(writer: Connection): Promise<void> {
    if (!this.#isHeld) return;
    const held = await writer.all(
      this.#isExclusive
        ? 'select k.lease as kept from logs_keeper k join nodes n on n.lease = k.lease where k.lease = ? and n.name = ?'
        : `select k.lease as kept from nodes n left join logs_keeper k on k.lease = n.lease where n.lease = ? and n.name = ?
           and not exists (select 1 from logs_keeper other where other.lease <> n.lease)`,
      [this.id, this.#node.name],
    );
    this.#keepsLogs = held.some(({ kept }) => kept !== null);
    if (held.length > 0) return;
    this.#renewing?.[Symbol.dispose]();
    this.#lose();
    throw new LeaseLost();
  }
}
