// GET /audit-logs/proof

import { ALGORITHM } from '#audit/checkpoint.ts';
import type { Trail } from '#audit/trail.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { int, orElse, paging } from '#http/params.ts';
import { arrayOf, epoch, int32, record, string } from '#http/shapes.ts';
import type { Store } from '#store/store.ts';
import { listCheckpoints } from './store.ts';

interface Needs extends Call {
  readonly store: Store;
  readonly trail: Trail;
  /** The public key of checkpoints. */
  readonly auditPublicKey: string;
}

export const proof = endpoint({
  title: 'Get audit proof',
  notes: 'The newest entry and the signed checkpoints, oldest first, from entry `from_id` on.',
  method: 'GET',
  path: '/api/core/audit-logs/proof',
  access: 'MASTER',
  audit: 'audit-logs.proof',
  params: { from_id: orElse(int(), 0), offset: paging.offset, limit: orElse(int(), 1000) },
  answer: record({
    head: record({ id: int32, hash: string, created_at: epoch }),
    total_count: int32,
    checkpoints: arrayOf(record({ id: int32, hash: string, root: string, created_at: epoch, signature: string })),
    algorithm: string,
    public_key: string,
  }),

  async run(input, { store, trail, auditPublicKey }: Needs) {
    const { id, hash, createdAt } = await trail.newest();
    const { total, rows } = await listCheckpoints(store.reader, input);
    const head = { id, hash, created_at: createdAt };
    return { head, total_count: total, checkpoints: rows, algorithm: ALGORITHM, public_key: auditPublicKey };
  },
});
