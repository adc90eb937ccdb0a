// How much queries may write to a disk: whoever pushes logs needs room more than they do.

import { statfs } from 'node:fs/promises';

/** They leave this share of the disk free, and at most so much. */
const FREE_SHARE = 0.05;
const MAX_FREE_BYTES = 1024 ** 3;

/** Below zero where too little is left already. */
export async function freeBytesForQueries(folder: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail * bsize - Math.min(FREE_SHARE * blocks * bsize, MAX_FREE_BYTES);
}
