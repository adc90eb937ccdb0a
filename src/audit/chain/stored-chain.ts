// The chain and its tree as the database has them.

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Connection, Row } from '#store/connection.ts';
import { type Frontier, fits, GENESIS, grow, merkleRoot } from './chain.ts';
import { checkpointOfRow, isSignedBy } from './checkpoint.ts';

const ENTRIES_PER_READ = 10_000;
const CHECKPOINTS_PER_READ = 100;

export interface ChainHead {
  readonly id: number;
  readonly hash: string;
  readonly createdAt: number;
}

export const EMPTY: ChainHead = { id: 0, hash: GENESIS, createdAt: 0 };

/** The base of the next checkpoint: the tree so far, and the newest entry that has a checkpoint. */
export interface Tree {
  readonly frontier: Frontier;
  readonly signedId: number;
}

export interface Grown {
  readonly head: ChainHead;
  readonly frontier: Frontier;
}

/** A head and its tree, grown by the entries after it; undefined where the database does not have that head. */
export async function continued(connection: Connection, from: Grown): Promise<Grown | undefined> {
  const sql = 'select id, hash, created_at from audit_entries where id >= ? order by id limit ?';
  let { head, frontier } = from;
  for (let isMore = true; isMore; ) {
    const rows = (await connection.all(sql, [head.id, ENTRIES_PER_READ])).map(headOf);
    const isKnown = head.id === 0 || (rows[0]?.id === head.id && rows[0].hash === head.hash);
    if (!isKnown) return undefined;
    const added = head.id === 0 ? rows : rows.slice(1);
    for (const { hash } of added) frontier = grow(frontier, hash);
    head = added.at(-1) ?? head;
    isMore = rows.length === ENTRIES_PER_READ;
  }
  return { head, frontier };
}

export async function readHead(connection: Connection): Promise<ChainHead> {
  const [row] = await connection.all('select id, hash, created_at from audit_entries order by id desc limit 1');
  return row ? headOf(row) : EMPTY;
}

const headOf = (row: Row): ChainHead => ({
  id: Number(row.id),
  hash: String(row.hash),
  createdAt: Number(row.created_at),
});

/** An id with a checkpoint, valid or not, gets no second one. */
export async function newestSigned(connection: Connection): Promise<number> {
  const [newest] = await connection.all('select coalesce(max(id), 0) as id from audit_checkpoints');
  return Number(newest?.id);
}

/**
 * The tree of the newest checkpoint of the own key, grown by the entries after it, and its head: other nodes may add entries
 * meanwhile. The stored frontier is not signed: it is used only if it agrees with the signed root, otherwise the tree is built
 * anew from the first entry.
 */
export async function readChain(connection: Connection, key: KeyObject): Promise<{ head: ChainHead; tree: Tree }> {
  const known = (await newestValid(connection, key)) ?? { head: EMPTY, frontier: [] };
  const grown = await continued(connection, known);
  if (!grown) throw new Error(`audit entry ${known.head.id} was changed while it was read`);
  return { head: grown.head, tree: { frontier: grown.frontier, signedId: await newestSigned(connection) } };
}

/** With several nodes the newest checkpoints may be of other keys. */
async function newestValid(connection: Connection, key: KeyObject): Promise<Grown | undefined> {
  const columns = 'c.*, e.hash as entry_hash, e.created_at as entry_created_at';
  const sql = `select ${columns} from audit_checkpoints c join audit_entries e on e.id = c.id
    where c.id <= ? order by c.id desc limit ${CHECKPOINTS_PER_READ}`;
  for (let upTo = await newestSigned(connection); upTo > 0; ) {
    const rows = await connection.all(sql, [upTo]);
    for (const row of rows) {
      const valid = validTree(row, key);
      if (valid) return valid;
    }
    upTo = Number(rows.at(-1)?.id ?? 0) - 1;
  }
  return undefined;
}

function validTree(row: Row, key: KeyObject): Grown | undefined {
  const checkpoint = checkpointOfRow(row);
  const { id, hash } = checkpoint;
  const frontier = parseFrontier(String(row.frontier));
  const isValid = hash === row.entry_hash && fits(frontier, id) && merkleRoot(frontier) === checkpoint.root;
  if (!isValid || !isSignedBy(checkpoint, createPublicKey(key))) return undefined;
  return { head: { id, hash, createdAt: Number(row.entry_created_at) }, frontier };
}

function parseFrontier(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
