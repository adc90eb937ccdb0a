// Verifies the log of a database, at rest or beside a running service, against its witnesses and its keys.

import type { KeyObject } from 'node:crypto';
import { type ClaimSource, readWitnessFile } from './claims.ts';
import { storedCheckpoints, storedEntries } from './evidence.ts';
import type { Proof } from './proof.ts';
import { KeyHistory, storedRenewals } from './renewals.ts';
import { openSnapshot } from './snapshot.ts';
import type { Verdict } from './verdict.ts';
import { type LoggedEntry, verifyLog } from './verify.ts';

export interface Trusted {
  readonly publicKey: KeyObject;
  readonly witnesses: readonly string[];
  readonly proof?: Proof | undefined;
  /** False for whoever has but the public key and a proof. */
  readonly needsWitness: boolean;
}

type Pages = AsyncIterable<readonly LoggedEntry[]>;

/** `location` is a data folder, or a `postgres://` URL. `watch` sees the pages of entries pass by. */
export async function verifyDatabase(
  location: string,
  trusted: Trusted,
  watch: (pages: Pages, newestId: number) => Pages = (pages) => pages,
): Promise<Verdict> {
  for (;;) {
    // Before the database: whatever the witness has said by now was committed, and must be in the snapshot.
    const { witnessedId, provenId, ...testimony } = testimonyOf(trusted);
    const newestId = Math.max(witnessedId, provenId);
    await using snapshot = await openSnapshot(location);
    const keys = new KeyHistory(trusted.publicKey, await storedRenewals(snapshot));
    const verdict = await verifyLog({
      ...testimony,
      entries: watch(storedEntries(snapshot), newestId),
      checkpoints: { stored: storedCheckpoints(snapshot), areAll: true, keys },
      knownId: newestId,
      newestId,
      needsWitness: trusted.needsWitness,
    });
    // A service that was started meanwhile is read as a running one the next time.
    if (!snapshot.isDisturbed()) return verdict;
  }
}

export function testimonyOf({ witnesses, proof }: Pick<Trusted, 'witnesses' | 'proof'>) {
  const testimonies = witnesses.map(readWitnessFile);
  const sources: readonly ClaimSource[] = testimonies.flatMap((testimony) => testimony.sources);
  return {
    claims: proof ? [...sources, proof.claims] : sources,
    damage: testimonies.find(({ damage }) => damage)?.damage,
    witnessedId: Math.max(0, ...testimonies.map(({ newestId }) => newestId)),
    provenId: proof?.newestId ?? 0,
  };
}
