// GET /audit-logs/proof

import { ALGORITHM } from '#audit/chain/checkpoint.ts';
import { readPublicKeys, withSigners } from '#audit/chain/public-keys.ts';
import type { Trail } from '#audit/trail.ts';
import type { Nodes } from '#cluster/members/membership.ts';
import { arrayOf, epoch, int32, orNull, record, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { int, orElse, paging } from '#operations/params/params.ts';
import type { Store } from '#store/store.ts';
import { listCheckpoints } from './store.ts';

interface Needs extends Call {
  readonly store: Store;
  readonly trail: Trail;
  readonly nodes: Nodes;
  /** The public key of checkpoints that this node signs. */
  readonly auditPublicKey: string;
}

export const proof = endpoint({
  title: 'Get audit proof',
  notes: 'The newest entry and the signed checkpoints, oldest first, from entry `from_id` on.',
  method: 'GET',
  path: '/api/core/audit-logs/proof',
  access: 'MASTER',
  audit: 'audit-logs.proof',
  params: {
    from_id: orElse(int(), 0, 'Lowest number of the listed checkpoints.'),
    offset: paging.offset,
    limit: orElse(int(), 1000, 'Largest number of checkpoints on the page.'),
  },
  answer: record({
    head: record({
      id: int32('Number of the newest entry.'),
      hash: string('Hash of the newest entry.', '60303ae22b998861'),
      created_at: epoch('Time of the newest entry.'),
    })('The newest entry.'),
    total_count: int32('Number of checkpoints on all pages.'),
    checkpoints: arrayOf(
      record({
        id: int32('Number of the last entry that the checkpoint covers.'),
        hash: string('Hash of that entry.', '60303ae22b998861'),
        root: string('Merkle root of the hashes of all entries up to this one.', '2c26b46b68ffc68f'),
        created_at: epoch('Time of the checkpoint.'),
        node: orNull(string('Node that signed it; null where none of `public_keys` fits.', 'n1')),
        signature: string(
          'Signature of `id`, `hash`, `root` and `created_at` as canonical JSON, in base64.',
          'c2lnbmF0dXJl',
        ),
      }),
    )('The checkpoints on this page.'),
    algorithm: string('Algorithm of the signatures.', 'ed25519'),
    public_key: string(
      'Public key of the first node, whichever one is asked: DER of its SubjectPublicKeyInfo, in base64.',
      'MCowBQYDK2VwAyEA',
    ),
    public_keys: arrayOf(
      record({
        node: string('Node that signs with it.', 'n1'),
        public_key: string('Public key, as `public_key`.', 'MCowBQYDK2VwAyEA'),
        from_id: int32('Number of the first entry whose checkpoint it may sign.'),
      }),
    )('Public keys of all nodes, with those before a renewal, by `from_id`.'),
  }),

  async run(input, { store, trail, nodes, auditPublicKey }: Needs) {
    const { id, hash, createdAt } = await trail.newest();
    const { total, rows } = await listCheckpoints(store.reader, input);
    const keys = await readPublicKeys(store.reader, { node: nodes.own.name, publicKey: auditPublicKey });
    return {
      head: { id, hash, created_at: createdAt },
      total_count: total,
      checkpoints: await withSigners(rows, keys.all),
      algorithm: ALGORITHM,
      public_key: keys.first,
      public_keys: keys.all,
    };
  },
});
