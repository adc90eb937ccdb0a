// The lease of the logs: one data folder holds the records that a metadata database lists, and one process serves them.
// The row names that folder permanently; the lease in it names the process, is that of its node too, and expires without
// renewal.

import { FIRST_NODE } from '#contract/values.ts';
import type { Clock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Connection, DialectName } from './connection.ts';
import { connectionOf } from './kysely.ts';
import { LEASE_TIMES } from './leases.ts';
import { DATABASE_NOW, noteAddedKey, type OwnNode, takeName } from './nodes.ts';
import type { Store } from './store.ts';

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

export interface LogsLease {
  /** Resolves when another process has taken the lease; this process can commit nothing from then on. */
  readonly lost: Promise<void>;
  /** Renews the lease until it is released. */
  keep(clock: Clock): void;
  /** Shows other nodes the key with which this one signs the audit trail. */
  showKey(publicKey: string): Promise<void>;
  /** `forget` also removes folder and node from the database: for a first start that installed nothing. */
  release(how: { forget: boolean }): Promise<void>;
}

/** Takes the lease of the logs and the name of the node, both or neither. */
export async function takeLogsLease(
  store: Store,
  folder: LogsFolder,
  node: OwnNode,
): Promise<LogsLease | OtherKeeper | typeof NAME_IN_USE> {
  const lease = newGuid();
  const refusal = await store.write(async (db) => {
    const connection = connectionOf(db);
    const keeper = await readKeeper(connection, store.dialect);
    if (keeper && !mayTake(keeper, folder)) return { node: keeper.node };
    if (!(await takeName(connection, store.dialect, { node, lease, folder }))) return NAME_IN_USE;
    if (keeper) await connection.exec('delete from logs_keeper');
    await connection.all(
      `insert into logs_keeper (id, folder_guid, folder_inode, host, path, node, lease, lease_ms, renewed_at)
       values (1, ?, ?, ?, ?, ?, ?, ?, ${DATABASE_NOW[store.dialect]})`,
      [folder.guid, folder.inode, folder.host, folder.path, node.name, lease, node.times.leaseMs],
    );
    return undefined;
  });
  return refusal ?? new HeldLease(store, lease, node);
}

export const isLease = (taken: LogsLease | OtherKeeper | typeof NAME_IN_USE): taken is LogsLease =>
  typeof taken === 'object' && 'keep' in taken;

interface Keeper {
  readonly guid: string;
  readonly inode: string;
  readonly node: string;
  readonly isAlive: boolean;
  readonly isInstalled: boolean;
}

async function readKeeper(connection: Connection, dialect: DialectName): Promise<Keeper | undefined> {
  const [row] = await connection.all(
    `select k.*, ${DATABASE_NOW[dialect]} as seen_now, i.value as installation
     from logs_keeper k left join installation i on i.key = 'guid'`,
  );
  if (!row) return undefined;
  const leaseMs = Number(row.lease_ms ?? LEASE_TIMES.leaseMs);
  return {
    guid: String(row.folder_guid),
    inode: String(row.folder_inode),
    node: String(row.node ?? FIRST_NODE),
    isAlive: row.lease !== null && Number(row.seen_now) - Number(row.renewed_at) < leaseMs,
    isInstalled: row.installation !== null,
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

export class LeaseLost extends Error {
  constructor() {
    super('another process has taken the lease of the logs');
  }
}

class HeldLease implements LogsLease {
  readonly lost: Promise<void>;
  readonly #store: Store;
  readonly #lease: string;
  readonly #node: OwnNode;
  readonly #lose: () => void;
  #isHeld = true;
  #renewing: Disposable | undefined;

  constructor(store: Store, lease: string, node: OwnNode) {
    this.#store = store;
    this.#lease = lease;
    this.#node = node;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.lost = promise;
    this.#lose = resolve;
    store.onGroup({ seal: (writer) => this.#check(writer), committed() {}, rolledBack() {} });
  }

  keep(clock: Clock): void {
    const period = Temporal.Duration.from({ milliseconds: this.#node.times.renewalMs });
    // A failed renewal is repeated with the next period; the check in every group decides whether writing is allowed.
    this.#renewing = clock.every(period, () => void this.#renew().catch(() => undefined));
  }

  async showKey(publicKey: string): Promise<void> {
    await this.#store.write((db) => noteAddedKey(connectionOf(db), this.#lease, publicKey));
  }

  async release({ forget }: { forget: boolean }): Promise<void> {
    this.#renewing?.[Symbol.dispose]();
    await this.#store.write(async (db) => {
      this.#isHeld = false;
      const end = (table: string, seen: string) =>
        forget ? `delete from ${table}` : `update ${table} set lease = null, ${seen} = ${this.#now}`;
      for (const change of [end('logs_keeper', 'renewed_at'), end('nodes', 'last_seen')]) {
        await connectionOf(db).all(`${change} where lease = ?`, [this.#lease]);
      }
    });
  }

  get #now(): string {
    return DATABASE_NOW[this.#store.dialect];
  }

  async #renew(): Promise<void> {
    await this.#store.write(async (db) => {
      const connection = connectionOf(db);
      await connection.all(`update logs_keeper set renewed_at = ${this.#now} where lease = ?`, [this.#lease]);
      await connection.all(`update nodes set last_seen = ${this.#now} where lease = ?`, [this.#lease]);
    });
  }

  /**
   * Runs in the transaction of every group: writers are serialized, so nothing is committed after the lease was taken.
   */
  async #check(writer: Connection): Promise<void> {
    if (!this.#isHeld) return;
    const held = await writer.all(
      'select 1 from logs_keeper k join nodes n on n.lease = k.lease where k.lease = ? and n.name = ?',
      [this.#lease, this.#node.name],
    );
    if (held.length > 0) return;
    this.#renewing?.[Symbol.dispose]();
    this.#lose();
    throw new LeaseLost();
  }
}
