// Renewals of the audit key. `vigil key renew-audit` replaces a lost key or witness, and its entry names both keys. The
// new key signs a checkpoint over this entry at once and so confirms the old public key, which then proves the entries
// before. Of several nodes each renews its own key: its entry names the node, and the new key joins as that of a new node does.

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Params } from '#audit/entry.ts';
import { linesOf } from '#audit/verify/lines.ts';
import type { Snapshot } from '#audit/verify/snapshot.ts';
import { fingerprintOf, publicKeyOf, publicKeyText } from '#kernel/public-key.ts';
import type { Row } from '#store/connection.ts';
import type { Checkpoint } from './checkpoint.ts';
import { JoinedKeys } from './joins.ts';

export const RENEWAL = { module: 'service', method: 'renew-audit' } as const;

export interface Renewal {
  /** Id of the entry that records the renewal. */
  readonly id: number;
  /** Of a node that signs beside others; absent where one key signed for all. */
  readonly node?: string;
  /** Absent if the database did not know it. */
  readonly oldKey?: string;
  readonly newKey?: string;
  readonly isWitnessLost: boolean;
  /** The newest entry that had a checkpoint at the renewal. */
  readonly signedId?: number;
}

export const renewalParams = (
  { node, oldKey, isWitnessLost, signedId }: Omit<Renewal, 'id' | 'newKey'>,
  newKey: string,
): Params & { new_public_key: string } => ({
  ...(node === undefined ? {} : { node }),
  ...(oldKey === undefined ? {} : { old_public_key: oldKey }),
  new_public_key: newKey,
  fingerprint: fingerprintOf(newKey),
  witness: isWitnessLost ? 'lost' : 'kept',
  ...(signedId === undefined ? {} : { signed_id: signedId }),
});

export async function storedRenewals(snapshot: Snapshot): Promise<Renewal[]> {
  const { module, method } = RENEWAL;
  const sql = `select id, msg_params from audit_entries where module = '${module}' and method = '${method}' order by id`;
  const renewals: Renewal[] = [];
  for await (const rows of snapshot.pages(sql)) {
    renewals.push(...rows.map(([id, text]) => renewalOf(Number(id), parsed(String(text)))));
  }
  return renewals;
}

export function exportedRenewals(file: string): Renewal[] {
  const renewals: Renewal[] = [];
  for (const { text } of linesOf(file)) {
    if (!text.includes(`"${RENEWAL.method}"`)) continue;
    const { id, module, method, msg_params } = Object(parsed(text));
    if (module === RENEWAL.module && method === RENEWAL.method) renewals.push(renewalOf(Number(id), msg_params));
  }
  return renewals;
}

export const renewalOfRow = ({ id, msg_params }: Row): Renewal => renewalOf(Number(id), parsed(String(msg_params)));

function renewalOf(id: number, params: unknown): Renewal {
  const { node, old_public_key, new_public_key, witness, signed_id }: Partial<Record<string, unknown>> = Object(params);
  const keys = {
    ...(typeof old_public_key === 'string' ? { oldKey: old_public_key } : {}),
    ...(typeof new_public_key === 'string' ? { newKey: new_public_key } : {}),
  };
  const named = typeof node === 'string' ? { node } : {};
  const signed = typeof signed_id === 'number' ? { signedId: signed_id } : {};
  return { id, ...named, ...keys, isWitnessLost: witness === 'lost', ...signed };
}

/** The walk reports an unreadable entry; here it counts as no renewal. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first entry that the present witness of the node with this key must name. */
export const witnessedFrom = (renewals: readonly Renewal[], key: string): number =>
  renewals.findLast(({ isWitnessLost, node, newKey }) => isWitnessLost && (node === undefined || newKey === key))?.id ??
  1;

/** Those of the one key that signed for all, and of the node that has `key` now. */
function ownRenewals(renewals: readonly Renewal[], key: string): Renewal[] {
  const own: Renewal[] = [];
  let newKey: string | undefined = key;
  for (const renewal of renewals.toReversed()) {
    if (renewal.node !== undefined && renewal.newKey !== newKey) continue;
    own.push(renewal);
    if (renewal.node !== undefined) newKey = renewal.oldKey;
  }
  return own.toReversed();
}

/** A witness alone may be renewed: then the key has joined long before. */
function beginOf({ id, oldKey, newKey }: Renewal, joined: JoinedKeys): number {
  return newKey === oldKey ? id : Math.min(id, joined.joinIdOf(newKey) ?? id);
}

/** Those of nodes that sign beside others. */
export const renewalsOfNodes = (renewals: readonly Renewal[]): Renewal[] =>
  renewals.filter(({ node }) => node !== undefined);

/**
 * The key that signs the checkpoint of each entry. `trusted` is the newest one, and the only one known from outside.
 */
export class KeyHistory {
  /** Of all nodes. */
  readonly renewals: readonly Renewal[];
  /** Those of the one key that signed for all. */
  readonly #sole: readonly Renewal[];
  /** Those of the trusted key and of the keys before it. */
  readonly #own: readonly Renewal[];
  readonly #ownKeys: ReadonlySet<string>;
  /** Keys of other nodes. */
  readonly joined: JoinedKeys;
  readonly #trusted: KeyObject;
  readonly #older: readonly (KeyObject | undefined)[];
  /** By the first entry that a new key may have signed: that of its join, where older versions have signed between both. */
  readonly #begun: ReadonlyMap<number, Renewal>;
  readonly #signedIds: ReadonlySet<number>;

  constructor(trusted: KeyObject, renewals: readonly Renewal[] = [], joined: JoinedKeys = JoinedKeys.none) {
    this.renewals = renewals;
    const sole = renewals.filter(({ node }) => node === undefined);
    this.#sole = sole;
    this.joined = joined;
    this.#trusted = trusted.type === 'private' ? createPublicKey(trusted) : trusted;
    this.#older = sole.map(({ oldKey }) => (oldKey === undefined ? undefined : publicKeyOf(oldKey)));
    const key = publicKeyText(this.#trusted);
    const own = ownRenewals(renewals, key);
    this.#own = own;
    this.#ownKeys = new Set([key, ...own.flatMap(({ oldKey }) => oldKey ?? [])]);
    this.#begun = new Map(own.map((one) => [beginOf(one, joined), one]));
    this.#signedIds = new Set(
      own.flatMap(({ id, signedId }) => (signedId !== undefined && signedId < id ? [signedId] : [])),
    );
  }

  /** The first entry that its new key may have signed; undefined for a renewal of another node. */
  beginOf(renewal: Renewal): number | undefined {
    return [...this.#begun].find(([, one]) => one === renewal)?.[0];
  }

  /** The renewal whose new key signs from this entry on. */
  renewalAt(id: number): Renewal | undefined {
    return this.#begun.get(id);
  }

  /** The entry since which another node signs with the key of this checkpoint; undefined for an own or unconfirmed one. */
  otherSince(checkpoint: Checkpoint): number | undefined {
    const signer = this.joined.confirmedSigner(checkpoint);
    return signer && !this.#ownKeys.has(signer.publicKey) ? signer.since : undefined;
  }

  /** True for the newest entry that had a checkpoint when a key was renewed. */
  isSignedBefore(id: number): boolean {
    return this.#signedIds.has(id);
  }

  /** Undefined for entries whose key is unknown. */
  keyFor(id: number): KeyObject | undefined {
    const next = this.#sole.findIndex((renewal) => id < renewal.id);
    return next === -1 ? this.#trusted : this.#older[next];
  }

  /** Id of the newest renewal; 0 if there was none. A checkpoint must cover it, or the renewal could be forged. */
  get newestId(): number {
    return this.#own.at(-1)?.id ?? 0;
  }

  /** The witness of a node begins when it joins. */
  get witnessedFrom(): number {
    return Math.max(witnessedFrom(this.renewals, publicKeyText(this.#trusted)), this.joined.ownJoinId);
  }
}
