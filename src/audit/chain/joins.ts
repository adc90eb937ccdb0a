// Audit keys of several nodes. A node that signs with a key of its own says so in an entry when it joins. From that entry on its
// checkpoints are accepted, and they prove something once a checkpoint of a key that is trusted already covers the entry.

import type { KeyObject } from 'node:crypto';
import type { Params } from '#audit/entry.ts';
import { linesOf } from '#audit/verify/lines.ts';
import type { Snapshot } from '#audit/verify/snapshot.ts';
import { fingerprintOf, publicKeyOf, publicKeyText } from '#kernel/public-key.ts';
import type { Row } from '#store/connection.ts';
import { type Checkpoint, isSignedBy } from './checkpoint.ts';

export const JOIN = { module: 'nodes', method: 'join' } as const;

export interface Join {
  /** Id of the entry. */
  readonly id: number;
  readonly node: string;
  readonly publicKey: string;
  /** Keys that other nodes signed with by then. */
  readonly olderKeys: readonly string[];
}

export const joinParams = ({ node, publicKey, olderKeys }: Omit<Join, 'id'>): Params => ({
  node,
  public_key: publicKey,
  fingerprint: fingerprintOf(publicKey),
  older_public_keys: [...olderKeys],
});

export async function storedJoins(snapshot: Snapshot): Promise<Join[]> {
  const sql = `select id, msg_params from audit_entries where module = '${JOIN.module}' and method = '${JOIN.method}' order by id`;
  const joins: Join[] = [];
  for await (const rows of snapshot.pages(sql)) {
    joins.push(...rows.flatMap(([id, text]) => joinOf(Number(id), parsed(String(text))) ?? []));
  }
  return joins;
}

export function exportedJoins(file: string): Join[] {
  const joins: Join[] = [];
  for (const { text } of linesOf(file)) {
    if (!text.includes(`"${JOIN.method}"`)) continue;
    const { id, module, method, msg_params } = Object(parsed(text));
    const join = module === JOIN.module && method === JOIN.method ? joinOf(Number(id), msg_params) : undefined;
    if (join) joins.push(join);
  }
  return joins;
}

export const joinOfRow = ({ id, msg_params }: Row): Join | undefined => joinOf(Number(id), parsed(String(msg_params)));

/** Undefined for an entry that names no key: the walk reports an unreadable one. */
function joinOf(id: number, params: unknown): Join | undefined {
  const { node, public_key, older_public_keys }: Partial<Record<string, unknown>> = Object(params);
  if (typeof node !== 'string' || typeof public_key !== 'string' || !publicKeyOf(public_key)) return undefined;
  const older = Array.isArray(older_public_keys) ? older_public_keys : [];
  return { id, node, publicKey: public_key, olderKeys: older.filter((key) => typeof key === 'string') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A key that a node replaced by another one, by the entry that says so. */
interface ReplacedKey {
  readonly id: number;
  readonly oldKey?: string;
}

/** A key with the first entry whose checkpoints it may sign. */
interface JoinedKey {
  readonly text: string;
  readonly key: KeyObject;
  readonly from: number;
  /** The newest entry that it has signed a checkpoint for. */
  signedId: number;
  isConfirmed: boolean;
}

/** The keys of all nodes, as they follow from the one that is trusted. */
export class JoinedKeys {
  readonly #trusted: string;
  readonly #joins: readonly Join[];
  readonly #replaced: readonly ReplacedKey[];
  readonly #keys: readonly JoinedKey[];

  private constructor(trusted: string, joins: readonly Join[], replaced: readonly ReplacedKey[] = []) {
    this.#trusted = trusted;
    this.#joins = joins;
    this.#replaced = replaced;
    const own = joins.find(({ publicKey }) => publicKey === trusted);
    const named = [
      { publicKey: trusted, id: 1 },
      // Those that this node knew when it joined: nothing else names the key of the first one.
      ...(own?.olderKeys ?? []).map((publicKey) => ({ publicKey, id: 1 })),
      ...joins,
      // That of the first node is named nowhere else for nodes that joined after it was replaced.
      ...replaced.flatMap(({ oldKey: publicKey }) => (publicKey === undefined ? [] : [{ publicKey, id: 1 }])),
    ];
    const first = [...Map.groupBy(named, ({ publicKey }) => publicKey).values()].flatMap(([one]) => one ?? []);
    this.#keys = first.flatMap(({ publicKey: text, id: from }): JoinedKey[] => {
      const key = publicKeyOf(text);
      return key ? [{ text, key, from, signedId: 0, isConfirmed: text === trusted }] : [];
    });
  }

  static readonly none = new JoinedKeys('', []);

  /** `checkpoints` are all that are there; their contents are checked elsewhere. */
  static async of(
    trusted: KeyObject,
    { joins, replaced }: { readonly joins: readonly Join[]; readonly replaced: readonly ReplacedKey[] },
    checkpoints: AsyncIterable<Checkpoint> | Iterable<Checkpoint>,
  ): Promise<JoinedKeys> {
    if (joins.length === 0) return JoinedKeys.none;
    const keys = new JoinedKeys(publicKeyText(trusted), joins, replaced);
    for await (const checkpoint of checkpoints) {
      const signer = keys.#signerOf(checkpoint);
      if (signer) signer.signedId = Math.max(signer.signedId, checkpoint.id);
    }
    keys.#confirm();
    return keys;
  }

  /** Of the trusted key; 0 where it is that of the first node. */
  get ownJoinId(): number {
    return this.joinIdOf(this.#trusted) ?? 0;
  }

  joinIdOf(publicKey: string | undefined): number | undefined {
    return this.#joins.find((join) => join.publicKey === publicKey)?.id;
  }

  /** The key that a trusted one vouches for, and the entry of its join: 0 for that of the first node. */
  confirmedSigner(checkpoint: Checkpoint): { readonly publicKey: string; readonly since: number } | undefined {
    const signer = this.#signerOf(checkpoint);
    return signer?.isConfirmed ? { publicKey: signer.text, since: this.joinIdOf(signer.text) ?? 0 } : undefined;
  }

  isSigned(checkpoint: Checkpoint): boolean {
    return this.#signerOf(checkpoint) !== undefined;
  }

  isConfirmed(checkpoint: Checkpoint): boolean {
    return this.#signerOf(checkpoint)?.isConfirmed === true;
  }

  /** Joins whose keys prove nothing yet. */
  get unconfirmed(): readonly Join[] {
    return this.#joins.filter(({ publicKey }) => this.#keys.some((key) => key.text === publicKey && !key.isConfirmed));
  }

  #signerOf(checkpoint: Checkpoint): JoinedKey | undefined {
    return this.#keys.find(({ key, from }) => checkpoint.id >= from && isSignedBy(checkpoint, key));
  }

  /** A key that is trusted vouches for what its newest checkpoint covers. */
  #confirm(): void {
    for (let hasChanged = true; hasChanged; ) {
      const upTo = Math.max(...this.#keys.filter(({ isConfirmed }) => isConfirmed).map(({ signedId }) => signedId));
      const added = this.#keys.filter(({ isConfirmed, text }) => !isConfirmed && this.#isNamedBy(text, upTo));
      for (const key of added) key.isConfirmed = true;
      hasChanged = added.length > 0;
    }
  }

  #isNamedBy(text: string, upTo: number): boolean {
    const isJoined = this.#joins.some(
      ({ id, publicKey, olderKeys }) =>
        id <= upTo && (publicKey === text || (publicKey === this.#trusted && olderKeys.includes(text))),
    );
    return isJoined || this.#replaced.some(({ id, oldKey }) => id <= upTo && oldKey === text);
  }
}
