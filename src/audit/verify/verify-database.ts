// Verifies the log of a database, stopped or beside a running service, against its witnesses and its keys.

import type { KeyObject } from 'node:crypto';
import { JoinedKeys, storedJoins } from '#audit/chain/joins.ts';
import { KeyHistory, renewalsOfNodes, storedRenewals } from '#audit/chain/renewals.ts';
import { type ClaimSource, readWitnessFile } from './claims.ts';
import { storedCheckpoints, storedEntries } from './evidence.ts';
import type { Proof } from './proof.ts';
import { openSnapshot } from './snapshot.ts';
import type { Verdict } from './verdict.ts';
import { type LoggedEntry, verifyLog } from './verify.ts';

export interface Trusted {
  readonly publicKey: KeyObject;
  readonly witnesses: readonly string[];
  readonly proof?: Proof | undefined;
  /** False for verification with only the public key and a proof. */
  readonly needsWitness: boolean;
}

type Pages = AsyncIterable<readonly LoggedEntry[]>;

/** `location` is a data folder, or a `postgres://` URL. `watch` receives the pages of entries. */
export async function verifyDatabase(
  location: string,
  trusted: Trusted,
  watch: (pages: Pages, newestId: number) => Pages = (pages) => pages,
): Promise<Verdict> {
  for (;;) {
    // Read before the database: every entry that the witness names by now was committed, and must be in the snapshot.
    const { witnessedId, provenId, ...evidence } = witnessEvidence(trusted);
    const newestId = Math.max(witnessedId, provenId);
    await using snapshot = await openSnapshot(location);
    const renewals = await storedRenewals(snapshot);
    const named = { joins: await storedJoins(snapshot), replaced: renewalsOfNodes(renewals) };
    const joined = await JoinedKeys.of(trusted.publicKey, named, storedCheckpoints(snapshot));
    const keys = new KeyHistory(trusted.publicKey, renewals, joined);
    const verdict = await verifyLog({
      ...evidence,
      entries: watch(storedEntries(snapshot), newestId),
      checkpoints: { stored: storedCheckpoints(snapshot), areAll: true, keys },
      knownId: newestId,
      newestId,
      needsWitness: trusted.needsWitness,
    });
    // A service that started meanwhile is read as a running one in the next attempt.
    if (!snapshot.isDisturbed()) return verdict;
  }
}

export function witnessEvidence({ witnesses, proof }: Pick<Trusted, 'witnesses' | 'proof'>) {
  const files = witnesses.map(readWitnessFile);
  const sources: readonly ClaimSource[] = files.flatMap((file) => file.sources);
  return {
    claims: proof ? [...sources, proof.claims] : sources,
    corruption: files.find(({ corruption }) => corruption)?.corruption,
    witnessedId: Math.max(0, ...files.map(({ newestId }) => newestId)),
    provenId: proof?.newestId ?? 0,
  };
}
