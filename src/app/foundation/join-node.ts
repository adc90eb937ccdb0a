// A node that signs the audit trail with a key of its own says so in the trail before it signs anything else.

import { JOIN, joinParams } from '#audit/chain/joins.ts';
import { AUDIT_KEY } from '#audit/chain/public-keys.ts';
import { type Draft, NO_USER } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { Connection } from '#store/connection.ts';
import type { Store } from '#store/store.ts';
import { LOCAL_ADDRESS } from './install.ts';

interface JoinDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly node: string;
  readonly publicKey: string;
}

/** Does nothing where the key is that of the first node, or the node has joined with it before. */
export async function joinTrail({ store, trail, node, publicKey }: JoinDeps): Promise<void> {
  const draft = await joinDraft(store.reader, { node, publicKey });
  if (!draft) return;
  await trail.record(draft);
  // Vouches for the older keys.
  await trail.sign();
}

/** Undefined where `joinTrail` does nothing. */
export async function joinDraft(
  connection: Connection,
  { node, publicKey }: Pick<JoinDeps, 'node' | 'publicKey'>,
): Promise<Draft | undefined> {
  const [installed] = await connection.all('select value from installation where key = ?', [AUDIT_KEY]);
  const first = installed && String(installed.value);
  const rows = await connection.all('select name, public_key from nodes where public_key is not null order by name');
  const isKnown = rows.some((row) => row.name === node && row.public_key === publicKey);
  if (publicKey === first || isKnown) return undefined;
  const others = rows.filter(({ name }) => name !== node).map((row) => String(row.public_key));
  const olderKeys = [...new Set([...(first === undefined ? [] : [first]), ...others])];
  const msg_params = joinParams({ node, publicKey, olderKeys });
  return { user_name: NO_USER, remote_ip: LOCAL_ADDRESS, ...JOIN, msg_params };
}
