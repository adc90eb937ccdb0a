// A saved answer of GET /audit-logs/proof: the head of the log that the service disclosed.

import type { Checkpoint } from '#audit/chain/checkpoint.ts';
import { type Claim, type ClaimSource, isCheckpoint, isHash } from './claims.ts';

export interface Proof {
  readonly claims: ClaimSource;
  /** The newest entry named. */
  readonly newestId: number;
}

/** Undefined when the text is not such an answer. */
export function parseProof(text: string): Proof | undefined {
  const { head, checkpoints } = membersOf(text);
  if (!isHead(head) || !Array.isArray(checkpoints) || !checkpoints.every(isCheckpoint)) return undefined;
  const claims: Claim[] = checkpoints.map((checkpoint) => ({ id: checkpoint.id, checkpoint }));
  if (head.id > 0) claims.push({ id: head.id, digits: head.hash, isWritten: false, isDisclosed: true });
  claims.sort((a, b) => a.id - b.id);
  return {
    claims: { firstId: claims[0]?.id ?? 0, claims: () => claims.values() },
    newestId: claims.at(-1)?.id ?? 0,
  };
}

function membersOf(text: string): { head?: unknown; checkpoints?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isHead(value: unknown): value is Pick<Checkpoint, 'id' | 'hash'> {
  const { id, hash }: { id?: unknown; hash?: unknown } = Object(value);
  return Number.isSafeInteger(id) && isHash(hash);
}
