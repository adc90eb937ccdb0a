// Verifies the log of a database or of an export against its evidence.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkpoint } from '#audit/chain/checkpoint.ts';
import { exportedJoins, JoinedKeys } from '#audit/chain/joins.ts';
import { exportedRenewals, KeyHistory, renewalsOfNodes } from '#audit/chain/renewals.ts';
import type { StoredCheckpoint } from '#audit/verify/checkpoint-check.ts';
import type { ClaimSource } from '#audit/verify/claims.ts';
import { exportedEntries } from '#audit/verify/exported.ts';
import { openSnapshot, type Snapshot } from '#audit/verify/snapshot.ts';
import type { Verdict } from '#audit/verify/verdict.ts';
import { type LoggedEntry, verifyLog } from '#audit/verify/verify.ts';
import { verifyDatabase as verifyStored, witnessEvidence } from '#audit/verify/verify-database.ts';
import type { Invocation } from '#cli/kit/command.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Config } from '#settings/index.ts';
import { withProgress } from './verify-progress.ts';
import { trustFor } from './verify-trust.ts';

/** The log, the witnesses it was checked against, and the verdict. */
export interface Checked {
  readonly subject: 'database' | 'export';
  readonly location: string;
  readonly witnesses: readonly string[];
  readonly hasProof: boolean;
  readonly verdict: Verdict;
}

export async function verifyExport(invocation: Invocation, { keys }: Config): Promise<Checked> {
  const { flags } = invocation;
  const location = flags.export ?? '';
  const found = statSync(location, { throwIfNoEntry: false });
  if (!found) throw new UsageError('no-such-file', { path: location });
  // It is read several times, which a pipe cannot be.
  if (!found.isFile()) throw new UsageError('not-a-file', { path: location });
  const trust = trustFor(flags, keys);
  const { publicKey, witnesses, needsWitness, proof } = trust;
  if (!needsWitness && !proof) throw new UsageError('verify-needs-proof');
  const { witnessedId, provenId, ...evidence } = witnessEvidence(trust);
  const newestId = Math.max(witnessedId, provenId);
  const renewals = exportedRenewals(location);
  const named = { joins: exportedJoins(location), replaced: renewalsOfNodes(renewals) };
  const joined = await JoinedKeys.of(publicKey, named, signedIn(evidence.claims));
  const verdict = await verifyLog({
    ...evidence,
    entries: withProgress(exportedEntries(location), invocation, newestId),
    checkpoints: { stored: none(), areAll: false, keys: new KeyHistory(publicKey, renewals, joined) },
    // The witness continues after an export was taken; only a proof shows that the end of an export is missing.
    knownId: provenId,
    newestId,
    needsWitness,
  });
  if (verdict.ok && verdict.entries === 0) throw new UsageError('verify-empty-export', { path: location });
  return { subject: 'export', location, witnesses, hasProof: proof !== undefined, verdict };
}

export async function verifyDatabase(invocation: Invocation, config: Config): Promise<Checked> {
  const { data, database, keys } = config;
  if (database === undefined && !existsSync(join(data, 'metadata.db'))) {
    throw new UsageError('folder-not-installed', { data });
  }
  const shown = database === undefined ? data : withoutPassword(database);
  const location = database ?? data;
  const trust = trustFor(invocation.flags, keys, await reading(shown, () => installationIn(location)));
  const watch = (pages: AsyncIterable<readonly LoggedEntry[]>, newestId: number) =>
    withProgress(pages, invocation, newestId);
  const verdict = await reading(shown, () => verifyStored(location, trust, watch));
  return {
    subject: 'database',
    location: shown,
    witnesses: trust.witnesses,
    hasProof: trust.proof !== undefined,
    verdict,
  };
}

/** Empty for a database that names no installation. */
async function installationIn(location: string): Promise<string> {
  await using snapshot: Snapshot = await openSnapshot(location);
  for await (const [row] of snapshot.pages("select value from installation where key = 'guid'")) {
    if (row) return String(row[0]);
  }
  return '';
}

/** An unreadable database is not a defect: a wrong address, a dropped table, a damaged file. */
async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError('cannot-read', { path, code }, { cause });
  }
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  return shown.href;
}

/** The checkpoints that witnesses and a proof have recorded. */
function* signedIn(sources: readonly ClaimSource[]): Generator<Checkpoint> {
  for (const source of sources) {
    const claims = source.claims();
    for (let next = claims.next(); !next.done; next = claims.next()) {
      if ('checkpoint' in next.value) yield next.value.checkpoint;
    }
  }
}

async function* none(): AsyncGenerator<StoredCheckpoint> {}
