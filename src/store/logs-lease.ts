// The lease of the logs: one data folder holds the records that a metadata database lists, and one process serves them.
// The row names that folder permanently; the lease in it names the process, and expires without renewal. Times are
// those of the database, the only clock that all processes share.

import type { Clock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Connection, DialectName } from './connection.ts';
import { connectionOf } from './kysely.ts';
import { LEASE_MS, LEASE_RENEWAL_MS } from './leases.ts';
import type { Store } from './store.ts';

/** The data folder of this process, whose lock it holds. */
export interface LogsFolder {
  readonly guid: string;
  readonly inode: string;
  readonly host: string;
  readonly path: string;
}

/** The folder or process that serves the logs instead. */
export interface OtherKeeper {
  readonly host: string;
  readonly path: string;
  readonly lastSeen: Temporal.Instant;
}

export interface LogsLease {
  /** Resolves when another process has taken the lease; this process can commit nothing from then on. */
  readonly lost: Promise<void>;
  /** Renews the lease until it is released. */
  keep(clock: Clock): void;
  /** `forget` also removes the folder from the database: for a first start that installed nothing. */
  release(how: { forget: boolean }): Promise<void>;
}

export async function takeLogsLease(store: Store, folder: LogsFolder): Promise<LogsLease | OtherKeeper> {
  const lease = newGuid();
  const other = await store.write(async (db) => {
    const connection = connectionOf(db);
    const keeper = await readKeeper(connection, store.dialect);
    if (keeper && !mayTake(keeper, folder)) return keeper;
    if (keeper) await connection.exec('delete from logs_keeper');
    await connection.all(
      `insert into logs_keeper (id, folder_guid, folder_inode, host, path, lease, renewed_at)
       values (1, ?, ?, ?, ?, ?, ${NOW[store.dialect]})`,
      [folder.guid, folder.inode, folder.host, folder.path, lease],
    );
    return undefined;
  });
  return other ?? new HeldLease(store, lease);
}

export const isLease = (taken: LogsLease | OtherKeeper): taken is LogsLease => 'keep' in taken;

/** Milliseconds of the database's clock. */
const NOW: Readonly<Record<DialectName, string>> = {
  sqlite: "cast(unixepoch('subsec') * 1000 as integer)",
  postgres: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
};

interface Keeper extends OtherKeeper {
  readonly guid: string;
  readonly inode: string;
  readonly isAlive: boolean;
  readonly isInstalled: boolean;
}

async function readKeeper(connection: Connection, dialect: DialectName): Promise<Keeper | undefined> {
  const [row] = await connection.all(
    `select k.*, ${NOW[dialect]} as seen_now, i.value as installation
     from logs_keeper k left join installation i on i.key = 'guid'`,
  );
  if (!row) return undefined;
  const renewedAt = Number(row.renewed_at);
  return {
    guid: String(row.folder_guid),
    inode: String(row.folder_inode),
    host: String(row.host),
    path: String(row.path),
    lastSeen: Temporal.Instant.fromEpochMilliseconds(renewedAt),
    isAlive: row.lease !== null && Number(row.seen_now) - renewedAt < LEASE_MS,
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
  readonly #lose: () => void;
  #isHeld = true;
  #renewing: Disposable | undefined;

  constructor(store: Store, lease: string) {
    this.#store = store;
    this.#lease = lease;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.lost = promise;
    this.#lose = resolve;
    store.onGroup({ seal: (writer) => this.#check(writer), committed() {}, rolledBack() {} });
  }

  keep(clock: Clock): void {
    const period = Temporal.Duration.from({ milliseconds: LEASE_RENEWAL_MS });
    // A failed renewal is repeated with the next period; the check in every group decides whether writing is allowed.
    this.#renewing = clock.every(period, () => void this.#renew().catch(() => undefined));
  }

  async release({ forget }: { forget: boolean }): Promise<void> {
    this.#renewing?.[Symbol.dispose]();
    await this.#store.write(async (db) => {
      this.#isHeld = false;
      const change = forget
        ? 'delete from logs_keeper'
        : `update logs_keeper set lease = null, renewed_at = ${this.#now}`;
      await connectionOf(db).all(`${change} where lease = ?`, [this.#lease]);
    });
  }

  get #now(): string {
    return NOW[this.#store.dialect];
  }

  async #renew(): Promise<void> {
    const sql = `update logs_keeper set renewed_at = ${this.#now} where lease = ?`;
    await this.#store.write((db) => connectionOf(db).all(sql, [this.#lease]));
  }

  /**
   * Runs in the transaction of every group: writers are serialized, so nothing is committed after the lease was taken.
   */
  async #check(writer: Connection): Promise<void> {
    if (!this.#isHeld) return;
    const held = await writer.all('select 1 from logs_keeper where lease = ?', [this.#lease]);
    if (held.length > 0) return;
    this.#renewing?.[Symbol.dispose]();
    this.#lose();
    throw new LeaseLost();
  }
}
