// The public keys of all nodes, and which of them signed a checkpoint.

import type { KeyObject } from 'node:crypto';
import { publicKeyOf } from '#kernel/public-key.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Connection, Row } from '#store/connection.ts';
import { type Checkpoint, isSignedBy } from './checkpoint.ts';
import { JOIN, joinOfRow } from './joins.ts';
import { RENEWAL, type Renewal, renewalOfRow } from './renewals.ts';

/** The row of the table `installation` with the present key of the first node. */
export const AUDIT_KEY = 'audit-key';
const CHECKPOINTS_PER_TURN = 50;

export interface NodeKey {
  readonly node: string;
  readonly public_key: string;
  /** The first entry whose checkpoint it may sign. */
  readonly from_id: number;
}

interface PublicKeys {
  /** The present one of the first node. */
  readonly first: string;
  /** By `from_id`. */
  readonly all: readonly NodeKey[];
}

/** `own` counts where the database names no other. */
export async function readPublicKeys(
  reader: Connection,
  own: { readonly node: string; readonly publicKey: string },
): Promise<PublicKeys> {
  const [recorded] = await reader.all('select value from installation where key = ?', [AUDIT_KEY]);
  const first = recorded ? String(recorded.value) : own.publicKey;
  const sql = 'select name from nodes where public_key = ? order by started_at desc, name limit 1';
  const [named] = await reader.all(sql, [first]);
  const firstNode = named ? String(named.name) : own.node;
  const joins = (await entriesOf(reader, JOIN)).flatMap((row) => joinOfRow(row) ?? []);
  const keys: NodeKey[] = joins.map(({ id, node, publicKey }) => ({ node, public_key: publicKey, from_id: id }));
  let from_id = 1;
  for (const { id, oldKey } of lineOf(first, (await entriesOf(reader, RENEWAL)).map(renewalOfRow))) {
    if (oldKey !== undefined) keys.push({ node: firstNode, public_key: oldKey, from_id });
    from_id = id;
  }
  keys.push({ node: firstNode, public_key: first, from_id });
  keys.sort((one, other) => one.from_id - other.from_id);
  // A renewal of the witness alone keeps the key.
  const all = [...Map.groupBy(keys, ({ node, public_key }) => `${public_key} ${node}`).values()];
  return { first, all: all.flatMap(([earliest]) => earliest ?? []) };
}

/** The renewals that led to a key, oldest first; those of other nodes are not among them. */
function lineOf(present: string, renewals: readonly Renewal[]): Renewal[] {
  let key: string | undefined = present;
  const line = renewals.toReversed().filter(({ newKey, oldKey }) => {
    const isOfLine = newKey === key;
    if (isOfLine) key = oldKey;
    return isOfLine;
  });
  return line.reverse();
}

const entriesOf = (reader: Connection, { module, method }: typeof JOIN | typeof RENEWAL): Promise<Row[]> =>
  reader.all('select id, msg_params from audit_entries where module = ? and method = ? order by id', [module, method]);

/** Names the node that signed each checkpoint; null where none of the keys fits. */
export async function withSigners<C extends Checkpoint>(
  checkpoints: readonly C[],
  keys: readonly NodeKey[],
): Promise<(C & { readonly node: string | null })[]> {
  const known = keys.flatMap((one): (NodeKey & { key: KeyObject })[] => {
    const key = publicKeyOf(one.public_key);
    return key ? [{ ...one, key }] : [];
  });
  const signed: (C & { readonly node: string | null })[] = [];
  for (const [index, checkpoint] of checkpoints.entries()) {
    if (index % CHECKPOINTS_PER_TURN === CHECKPOINTS_PER_TURN - 1) await eventLoop.nextSlot();
    const signer = known.findLast(({ key, from_id }) => from_id <= checkpoint.id && isSignedBy(checkpoint, key));
    signed.push({ ...checkpoint, node: signer?.node ?? null });
  }
  return signed;
}
