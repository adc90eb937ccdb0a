// Streams of other nodes whose bytes are in the folder of this one: it had another name, or is a copy of another node's folder.

import type { PartFolder } from '#ingest/uploads/part-file.ts';
import { markOf } from '#resources/upload-streams/model.ts';
import type { UploadStreamRow } from '#store/schema/schema.ts';
import { claimStream, foreignStreams } from './store.ts';
import type { UploadsDeps } from './uploads.ts';

/** Takes over those of `tokens` whose node is gone, and gives them. */
export async function claimLeftStreams(
  deps: Pick<UploadsDeps, 'store' | 'node' | 'living'>,
  folder: PartFolder,
  tokens: readonly string[],
): Promise<readonly UploadStreamRow[]> {
  const { store, node } = deps;
  const claimed: UploadStreamRow[] = [];
  for (const row of await store.read((db) => foreignStreams(db, tokens, node))) {
    // A copy may have fewer bytes than the node has received since.
    const isWhole = await folder.reaches(row.token, markOf(row));
    if (isWhole && (await store.write((db) => claimStream(db, row, deps)))) claimed.push(row);
  }
  return claimed;
}
