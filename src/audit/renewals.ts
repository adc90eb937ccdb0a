// Renewals of the audit key. `vigil key renew-audit` replaces a lost key or witness, and its entry names both keys. The
// new key signs a checkpoint over this entry at once and so confirms the old public key, which then proves the entries
// before.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { fingerprintOf, publicKeyOf } from './checkpoint.ts';
import type { Params } from './entry.ts';
import { linesOf } from './lines.ts';
import type { Snapshot } from './snapshot.ts';

export const RENEWAL = { module: 'service', method: 'renew-audit' } as const;

export interface Renewal {
  /** Id of the entry that records the renewal. */
  readonly id: number;
  /** Absent if the database did not know it. */
  readonly oldKey?: string;
  readonly isWitnessLost: boolean;
  /** The newest entry that had a checkpoint at the renewal. */
  readonly signedId?: number;
}

export const renewalParams = (
  { oldKey, isWitnessLost, signedId }: Omit<Renewal, 'id'>,
  newKey: string,
): Params & { new_public_key: string } => ({
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

function renewalOf(id: number, params: unknown): Renewal {
  const { old_public_key, witness, signed_id }: Partial<Record<string, unknown>> = Object(params);
  const old = typeof old_public_key === 'string' ? { oldKey: old_public_key } : {};
  const signed = typeof signed_id === 'number' ? { signedId: signed_id } : {};
  return { id, ...old, isWitnessLost: witness === 'lost', ...signed };
}

/** The walk reports an unreadable entry; here it counts as no renewal. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first entry that the present witness must name. */
export const witnessedFrom = (renewals: readonly Renewal[]): number =>
  renewals.findLast(({ isWitnessLost }) => isWitnessLost)?.id ?? 1;

/**
 * The key that signs the checkpoint of each entry. `trusted` is the newest one, and the only one known from outside.
 */
export class KeyHistory {
  readonly renewals: readonly Renewal[];
  readonly #trusted: KeyObject;
  readonly #older: readonly (KeyObject | undefined)[];
  readonly #ids: ReadonlySet<number>;
  readonly #signedIds: ReadonlySet<number>;

  constructor(trusted: KeyObject, renewals: readonly Renewal[] = []) {
    this.renewals = renewals;
    this.#trusted = trusted.type === 'private' ? createPublicKey(trusted) : trusted;
    this.#older = renewals.map(({ oldKey }) => (oldKey === undefined ? undefined : publicKeyOf(oldKey)));
    this.#ids = new Set(renewals.map(({ id }) => id));
    this.#signedIds = new Set(
      renewals.flatMap(({ id, signedId }) => (signedId !== undefined && signedId < id ? [signedId] : [])),
    );
  }

  isRenewal(id: number): boolean {
    return this.#ids.has(id);
  }

  /** True for the newest entry that had a checkpoint when a key was renewed. */
  isSignedBefore(id: number): boolean {
    return this.#signedIds.has(id);
  }

  /** Undefined for entries whose key is unknown. */
  keyFor(id: number): KeyObject | undefined {
    const next = this.renewals.findIndex((renewal) => id < renewal.id);
    return next === -1 ? this.#trusted : this.#older[next];
  }

  /** Id of the newest renewal; 0 if there was none. A checkpoint must cover it, or the renewal could be forged. */
  get newestId(): number {
    return this.renewals.at(-1)?.id ?? 0;
  }

  get witnessedFrom(): number {
    return witnessedFrom(this.renewals);
  }
}
