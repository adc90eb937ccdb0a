// What the service stands on, and the commands that work on a stopped one too: the store, and over it the audit trail
// with its signing key and its witness.

import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { openSigningKey, signingKeyFile, witnessFile } from '#audit/keys.ts';
import { openTrail, type Trail } from '#audit/trail.ts';
import { newestHead, openWitness } from '#audit/witness.ts';
import type { Clock } from '#kernel/clock.ts';
import { Mistake } from '#kernel/mistake.ts';
import { metadataFile } from '#store/sqlite.ts';
import { openStore, type Store, type StoreObserver } from '#store/store.ts';
import type { Config } from './config.ts';
import { type Installation, identifyInstallation } from './install.ts';

export interface Foundation {
  readonly store: Store;
  readonly trail: Trail;
  readonly signingKey: KeyObject;
  readonly installation: Installation;
  /** What does not agree with the audit trail that was found, in words for the service log. */
  readonly alarms: readonly string[];
  /** Signs a last checkpoint, then closes everything. */
  close(): Promise<void>;
}

export interface FoundationParts {
  readonly clock: Clock;
  readonly observer: StoreObserver;
  /** Refuses, without leaving anything behind, where nothing was installed or the keys folder is another's. */
  readonly mustExist?: true;
}

type Places = Pick<Config, 'data' | 'keys' | 'database'>;

export async function openFoundation(places: Places, parts: FoundationParts): Promise<Foundation> {
  if (parts.mustExist) requireDatabase(places);
  const store = await openStore(places.database ?? places.data, parts.observer);
  try {
    return await openOver(store, places, parts);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openOver(store: Store, places: Places, { clock, mustExist }: FoundationParts): Promise<Foundation> {
  const installation = await identifyInstallation(store);
  const file = witnessFile(places.keys, installation.guid);
  const isLost = !existsSync(file) && !installation.isNew;
  if (mustExist && installation.isNew) throw notInstalled(places);
  if (mustExist && isLost) throw new Mistake('witness-missing', { file });
  const alarms = installation.isNew ? [] : await alarmsOf(store, file, places.keys);
  const signingKey = openSigningKey(places.keys);
  const witness = openWitness(file);
  const trail = await openTrail({ store, clock, signingKey, witness });
  return {
    store,
    trail,
    signingKey,
    installation,
    alarms,
    async close() {
      try {
        await trail.close();
      } finally {
        witness.close();
        await store.close();
      }
    },
  };
}

/** A start must not pass over in silence what `vigil audit verify` would find at once. */
async function alarmsOf(store: Store, witness: string, keys: string): Promise<string[]> {
  const alarms: string[] = [];
  if (!existsSync(witness)) alarms.push('the audit witness is missing and is started anew');
  if (!existsSync(signingKeyFile(keys)))
    alarms.push('the key that signs audit checkpoints is missing and is made anew');
  const head = newestHead(witness);
  const [entry] = head ? await store.reader.all('select hash from audit_entries where id = ?', [head.id]) : [];
  if (head && entry?.hash !== head.hash) {
    alarms.push(`audit entry ${head.id} is not as its witness knows it: run vigil audit verify`);
  }
  return alarms;
}

/** Opening a store makes what is missing, so a mistyped folder must be noticed before. */
function requireDatabase(places: Places): void {
  const isFile = places.database === undefined;
  if (isFile && !existsSync(metadataFile(places.data))) throw notInstalled(places);
}

const notInstalled = ({ data, database }: Places) =>
  database === undefined ? new Mistake('folder-not-installed', { data }) : new Mistake('database-not-installed');
