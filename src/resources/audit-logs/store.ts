// The SQL of checkpoints as they are read.

import type { Checkpoint } from '#audit/chain/checkpoint.ts';
import type { Connection } from '#store/connection.ts';
import type { Page } from '#store/rows/lists.ts';

export async function listCheckpoints(
  reader: Connection,
  { from_id, offset, limit }: { from_id: number; offset: number; limit: number },
): Promise<Page<Checkpoint>> {
  const [counted] = await reader.all('select count(*) as total from audit_checkpoints where id >= ?', [from_id]);
  const rows = await reader.all(
    `select id, hash, root, created_at, signature from audit_checkpoints where id >= ? order by id limit ? offset ?`,
    [from_id, limit, offset],
  );
  // The columns are exactly the fields of a checkpoint, all `not null`.
  return { total: Number(counted?.total ?? 0), rows: rows as unknown as Checkpoint[] };
}
