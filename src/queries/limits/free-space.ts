// Disk space that queries may use. A reserve stays free for pushed logs.

import { statfs } from 'node:fs/promises';

/** The reserve: this share of the disk, at most MAX_FREE_BYTES. */
const FREE_SHARE = 0.05;
const MAX_FREE_BYTES = 1024 ** 3;

/** Negative where the reserve is used already. */
export async function freeBytesForQueries(folder: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail * bsize - Math.min(FREE_SHARE * blocks * bsize, MAX_FREE_BYTES);
}
