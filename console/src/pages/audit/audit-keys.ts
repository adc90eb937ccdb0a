// The keys that signed the checkpoints: those of all nodes, and those before a renewal.

import type { AnswerFor } from '#client/call.ts';
import type { Checkpoint } from './signatures.ts';

export type PublicKeys = AnswerFor<'GET /api/core/audit-logs/proof'>['public_keys'];

/** The key that a checkpoint must fit; undefined where it is not known. */
export function keyFor({ id, node }: Checkpoint, keys: PublicKeys): string | undefined {
  return keys.findLast((key) => key.from_id <= id && (node === null || key.node === node))?.public_key;
}
