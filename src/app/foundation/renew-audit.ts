// Replaces a lost audit key or witness of an installation, or of one of its nodes where several sign. The trail continues with
// an entry that names both keys; where that entry cannot be written, all files are restored.

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { storedJoins } from '#audit/chain/joins.ts';
import { isWitnessFile, makeSigningKey, openSigningKey, signingKeyFile, witnessFile } from '#audit/chain/keys.ts';
import { AUDIT_KEY } from '#audit/chain/public-keys.ts';
import { RENEWAL, type Renewal, renewalParams, storedRenewals, witnessedFrom } from '#audit/chain/renewals.ts';
import { NO_USER } from '#audit/entry.ts';
import { readWitnessFile } from '#audit/verify/claims.ts';
import { openSnapshot } from '#audit/verify/snapshot.ts';
import { fsyncSync } from '#files/durable.ts';
import { fingerprintOf, publicKeyText } from '#kernel/public-key.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { connectionOf } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import {
  type AuditFiles,
  type Foundation,
  type FoundationConfig,
  type OpenedStore,
  openFoundation,
} from './foundation.ts';
import { LOCAL_ADDRESS } from './install.ts';
import { isAuditKey, readInstallation, recordInstallation, unrecordedAuditKey } from './installation-keys.ts';
import { joinDraft } from './join-node.ts';

const unobserved = { groupCommitted: () => undefined, storeFailed: () => undefined };

export interface Renewed {
  /** The entry that records the renewal. */
  readonly id: number;
  readonly fingerprint: string;
}

export async function renewAudit(config: FoundationConfig, clock: Clock): Promise<Renewed> {
  await using undoing = new AsyncDisposableStack();
  let plan: Plan | undefined;
  const foundation = await openFoundation(config, {
    clock,
    observer: unobserved,
    mustExist: true,
    async openAudit(opened) {
      plan = await planRenewal(opened, undoing);
      return { ...plan, alarms: [] };
    },
  });
  try {
    if (!plan) throw new Error('the audit files were not opened');
    return await recordRenewal(foundation, plan, undoing);
  } finally {
    // Signs a checkpoint with the new key, over the entry that records the renewal.
    await foundation.close();
  }
}

/** The new key joins, is shown and replaces the old one in one unit: none of it is there without the entry of the renewal. */
async function recordRenewal(
  { trail, lease }: Foundation,
  plan: Plan,
  undoing: AsyncDisposableStack,
): Promise<Renewed> {
  const publicKey = publicKeyText(plan.signingKey);
  const msg_params = renewalParams(plan.renewal, publicKey);
  await trail.change(
    async (db) => {
      const { node } = plan.renewal;
      // Before the old key is forgotten: the draft names it.
      const join = node === undefined ? undefined : await joinDraft(connectionOf(db), { node, publicKey });
      if (plan.isOfInstallation) await recordInstallation(db, { [AUDIT_KEY]: publicKey });
      await lease.showKey(publicKey, db);
      if (join) trail.include(join);
    },
    (outcome) =>
      'error' in outcome ? undefined : { user_name: NO_USER, remote_ip: LOCAL_ADDRESS, ...RENEWAL, msg_params },
  );
  undoing.move();
  plan.install();
  return { id: trail.head.id, fingerprint: fingerprintOf(publicKey) };
}

interface Plan extends Pick<AuditFiles, 'signingKey' | 'witness'> {
  readonly renewal: Omit<Renewal, 'id' | 'newKey'>;
  /** Whether the old key is the one that the database remembers of the installation: that of its first node. */
  readonly isOfInstallation: boolean;
  /** Gives the new key its file name, once the trail records it. */
  install(): void;
}

/** `undoing` reverts every file that is created or moved. */
async function planRenewal(opened: OpenedStore, undoing: AsyncDisposableStack): Promise<Plan> {
  const { store, config, installation, node, hasOwnKey } = opened;
  const { keys } = config;
  const recorded = (await readInstallation(store))[AUDIT_KEY];
  const oldKey = hasOwnKey ? await keyOfNode(store, node) : (recorded ?? (await unrecordedAuditKey(store, keys)));
  const isKeyLost = oldKey === undefined || !isAuditKey(keys, oldKey);
  const witness = witnessFile(keys, installation.guid);
  const state = await witnessState(config, witness, oldKey ?? '');
  if (!isKeyLost && state === 'whole') throw new UsageError('audit-nothing-lost');
  makeRoom(witness, state, undoing);
  const [newest] = await store.reader.all('select max(id) as id from audit_checkpoints');
  const renewal = {
    ...(hasOwnKey ? { node } : {}),
    ...(oldKey === undefined ? {} : { oldKey }),
    isWitnessLost: state !== 'whole',
    ...(newest?.id == null ? {} : { signedId: Number(newest.id) }),
  };
  const isOfInstallation = !hasOwnKey || oldKey === recorded;
  return { renewal, witness, isOfInstallation, ...newSigningKey(keys, { witness, isKeyLost }, undoing) };
}

/** That it signed with last; undefined where it has signed nothing. */
async function keyOfNode(store: Store, name: string): Promise<string | undefined> {
  const [row] = await store.reader.all('select public_key from nodes where name = ?', [name]);
  return row?.public_key == null ? undefined : String(row.public_key);
}

type WitnessState = 'whole' | 'late' | 'damaged' | 'missing';

async function witnessState(config: FoundationConfig, witness: string, key: string): Promise<WitnessState> {
  if (!existsSync(witness)) return 'missing';
  await using snapshot = await openSnapshot(config.database ?? config.data);
  // The witness of a node begins when it joins.
  const joinId = (await storedJoins(snapshot)).find(({ publicKey }) => publicKey === key)?.id ?? 1;
  const from = Math.max(witnessedFrom(await storedRenewals(snapshot), key), joinId);
  const { sources, corruption: damage } = readWitnessFile(witness);
  if (damage) return 'damaged';
  return Math.min(...sources.map(({ firstId }) => firstId)) <= from ? 'whole' : 'late';
}

/** A witness that begins late is continued. One with unreadable lines is kept under another name. */
function makeRoom(witness: string, state: WitnessState, undoing: AsyncDisposableStack): void {
  if (state === 'missing') undoing.defer(() => rmSync(witness, { force: true }));
  if (state !== 'damaged') return;
  const aside = `${witness}.damaged-${randomBytes(4).toString('hex')}`;
  renameSync(witness, aside);
  undoing.defer(() => renameSync(aside, witness));
}

/** Installations may share the keys folder: the key of another one must not be replaced. */
function newSigningKey(
  keys: string,
  { witness, isKeyLost }: { witness: string; isKeyLost: boolean },
  undoing: AsyncDisposableStack,
): Pick<Plan, 'signingKey' | 'install'> {
  const file = signingKeyFile(keys);
  const names = existsSync(keys) ? readdirSync(keys) : [];
  const isShared = names.some((name) => isWitnessFile(name) && name !== basename(witness));
  const isTaken = existsSync(file) && (isKeyLost || isShared);
  if (isTaken) return { signingKey: openSigningKey(keys), install: () => undefined };
  const made = `${file}.${randomBytes(4).toString('hex')}`;
  undoing.defer(() => rmSync(made, { force: true }));
  return {
    signingKey: makeSigningKey(made),
    install() {
      renameSync(made, file);
      fsyncSync(keys);
    },
  };
}
