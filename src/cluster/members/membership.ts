// The nodes of an installation. On a shared database each running process has a row with its name, facts and lease; a row
// stays when its process has gone. Times are those of the database, the only clock that all processes share.

import { NODE_TYPES, type NodeState, type NodeType } from '#contract/values.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic } from '#runtime/periodic.ts';
import type { Connection, DialectName, Row } from '#store/connection.ts';
import { DATABASE_NOW } from '#store/database-now.ts';
import { connectionOf, type Db, dialectOf } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { LeaseTimes } from './lease-times.ts';

/** This process as a node. */
export interface OwnNode {
  readonly name: string;
  readonly types: readonly NodeType[];
  /** How other nodes and people reach it; null for a command. */
  readonly address: string | null;
  readonly version: string;
  readonly times: LeaseTimes;
}

export interface NodeView {
  readonly name: string;
  readonly types: readonly NodeType[];
  readonly state: NodeState;
  readonly address: string | null;
  readonly version: string;
  readonly keepsLogs: boolean;
  readonly isSelf: boolean;
  readonly startedAt: Temporal.Instant;
  readonly lastSeen: Temporal.Instant;
  /** With which it signs the audit trail; null before its first start is complete. */
  readonly publicKey: string | null;
}

/** A node that may take work over. */
export interface LivingNode {
  readonly name: string;
  readonly types: readonly NodeType[];
  readonly startedAt: Temporal.Instant;
}

export interface Nodes {
  readonly own: Pick<OwnNode, 'name' | 'types'>;
  /** Other nodes that live, by the clock of the database; for units. */
  living(db: Db): Promise<readonly LivingNode[]>;
  /** By name. */
  list(): Promise<readonly NodeView[]>;
  /** Whether a node of this name has ever started; for units. */
  isKnown(db: Db, name: string): Promise<boolean>;
}

/** The only node of a database that one process uses. */
export const onlyNode = (own: OwnNode, facts: { publicKey(): string; now(): Temporal.Instant }): Nodes => {
  const startedAt = facts.now();
  const { times: _, ...shown } = own;
  const always = { ...shown, state: 'alive', keepsLogs: true, isSelf: true, startedAt } as const;
  return {
    own,
    living: async () => [],
    list: async () => [{ ...always, lastSeen: facts.now(), publicKey: facts.publicKey() }],
    isKnown: async (_, name) => name === own.name,
  };
};

/** Whether more than one node that is no standby has ever started, each on a folder of its own; for units. */
export const hasSeveralNodes = async (db: Db): Promise<boolean> =>
  (
    await connectionOf(db).all(
      'select distinct coalesce(folder_guid, name) as folder from nodes where is_standby = 0 limit 2',
    )
  ).length > 1;

/**
 * What a node of this version knows that earlier ones do not, as a number in its row: 1 for the table of counted entries. Nodes without
 * a number are of a version before 0.9.0.
 */
const PROTOCOL = 1;

/** Whether a node of a version before 0.9.0 lives; for units. Goes with that version. */
export async function hasEarlierNodes(db: Db): Promise<boolean> {
  const rows = await connectionOf(db).all(
    `select lease, last_seen, lease_ms, ${DATABASE_NOW[dialectOf(db)]} as seen_now from nodes
     where protocol is null and is_standby = 0`,
  );
  return rows.some(isAlive);
}

/** The nodes in the rows of a shared database. */
export const registeredNodes = (store: Store, own: OwnNode): Nodes => ({
  own,
  list: async () => (await readNodes(store, own.name)).nodes,
  async living(db) {
    const rows = await connectionOf(db).all(
      `select *, null as keeper, ${DATABASE_NOW[store.dialect]} as seen_now from nodes where is_standby = 0 and name <> ?`,
      [own.name],
    );
    return rows.filter(isAlive).map((row) => viewOf(row, own.name));
  },
  async isKnown(db, name) {
    return (await connectionOf(db).all('select 1 from nodes where name = ? and is_standby = 0', [name])).length > 0;
  },
});

export interface ReadNodes {
  /** By name. */
  readonly nodes: readonly NodeView[];
  /** Time of the database's clock at which they were read, in milliseconds. */
  readonly nowMs: number;
}

export async function readNodes(store: Store, self: string): Promise<ReadNodes> {
  const rows = await store.reader.all(
    `select n.*, k.node as keeper, ${DATABASE_NOW[store.dialect]} as seen_now
     from nodes n left join logs_keeper k on k.node = n.name order by n.name`,
  );
  return { nodes: rows.map((row) => viewOf(row, self)), nowMs: Number(rows[0]?.seen_now ?? 0) };
}

function viewOf(row: Row, self: string): NodeView {
  const name = String(row.name);
  return {
    name,
    types: typesOf(String(row.types)),
    state: !isAlive(row) ? 'gone' : row.is_standby === 1 ? 'standby' : 'alive',
    address: textOrNull(row.address),
    version: String(row.version),
    keepsLogs: row.keeper !== null,
    isSelf: name === self,
    startedAt: Temporal.Instant.fromEpochMilliseconds(Number(row.started_at)),
    lastSeen: Temporal.Instant.fromEpochMilliseconds(Number(row.last_seen)),
    publicKey: textOrNull(row.public_key),
  };
}

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));

/** Types of a newer version are not known here. */
const typesOf = (text: string): NodeType[] => {
  const listed = text.split(',');
  return NODE_TYPES.filter((type) => listed.includes(type));
};

const isAlive = ({ lease, last_seen, lease_ms, seen_now }: Row): boolean =>
  lease !== null && Number(seen_now) - Number(last_seen) < Number(lease_ms);

/** The folder whose lock the process holds; undefined for a standby, which holds none. */
type HeldFolder = { readonly guid: string; readonly inode: string } | undefined;

export interface NodeClaim {
  readonly node: OwnNode;
  readonly lease: string;
  readonly folder: HeldFolder;
}

/**
 * Takes the name of a node, as part of a unit. Undefined where a living process has it, unless that process is proven dead by
 * the lock of its folder.
 */
export async function takeName(
  connection: Connection,
  dialect: DialectName,
  claim: NodeClaim,
): Promise<{ readonly isNew: boolean } | undefined> {
  const { node, lease, folder } = claim;
  const now = DATABASE_NOW[dialect];
  const [row] = await connection.all(`select *, ${now} as seen_now from nodes where name = ?`, [node.name]);
  const isSameFolder = folder !== undefined && row?.folder_guid === folder.guid && row.folder_inode === folder.inode;
  if (row && isAlive(row) && !isSameFolder) return undefined;
  if (folder) {
    // A former name of the folder, whose process is dead as well.
    const former = 'update nodes set lease = null where folder_guid = ? and folder_inode = ? and name <> ?';
    await connection.all(former, [folder.guid, folder.inode, node.name]);
  }
  await connection.all('delete from nodes where name = ?', [node.name]);
  await connection.all(
    `insert into nodes (name, types, address, version, public_key, is_standby, folder_guid, folder_inode, lease,
       lease_ms, protocol, started_at, last_seen) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${now}, ${now})`,
    [
      ...[node.name, node.types.join(','), node.address, node.version, textOrNull(row?.public_key ?? null)],
      ...[folder ? 0 : 1, folder?.guid ?? null, folder?.inode ?? null, lease, node.times.leaseMs, PROTOCOL],
    ],
  );
  return { isNew: row === undefined };
}

/** Whether a process lives on another folder, under another name and as no standby, apart from the one that keeps the logs. */
export async function hasOtherNode(
  connection: Connection,
  dialect: DialectName,
  { name, folder }: { readonly name: string; readonly folder: NonNullable<HeldFolder> },
): Promise<boolean> {
  const others = await connection.all(
    `select n.*, ${DATABASE_NOW[dialect]} as seen_now from nodes n where is_standby = 0 and lease is not null
     and name <> ? and not (folder_guid = ? and folder_inode = ?)
     and not exists (select 1 from logs_keeper k where k.lease = n.lease)`,
    [name, folder.guid, folder.inode],
  );
  return others.some(isAlive);
}

export async function noteAddedKey(connection: Connection, lease: string, publicKey: string): Promise<void> {
  await connection.all('update nodes set public_key = ? where lease = ?', [publicKey, lease]);
}

/** Lists a standby until it is disposed of; undefined where its name is in use. */
export async function registerStandby(store: Store, node: OwnNode, clock: Clock): Promise<AsyncDisposable | undefined> {
  const lease = newGuid();
  const claim = { node, lease, folder: undefined };
  if (!(await store.write((db) => takeName(connectionOf(db), store.dialect, claim)))) return undefined;
  const change = (sql: string) => store.write((db) => connectionOf(db).all(`${sql} where lease = ?`, [lease]));
  // A failed renewal is repeated with the next period.
  const renewing = new Periodic({
    clock,
    period: Temporal.Duration.from({ milliseconds: node.times.renewalMs }),
    work: () => change(`update nodes set last_seen = ${DATABASE_NOW[store.dialect]}`),
    failed: ignoreFailure,
  });
  return {
    async [Symbol.asyncDispose]() {
      renewing[Symbol.dispose]();
      // The row ends by itself where the database does not answer, and the standby goes on.
      await change('delete from nodes').catch(() => undefined);
    },
  };
}
