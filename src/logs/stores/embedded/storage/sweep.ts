// Removes files that a crash left: those that are in no catalog.

import { readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Segment } from './catalog.ts';
import { filterFile } from './segment-storage.ts';

export async function sweepFolder(folder: string, segments: readonly Pick<Segment, 'file'>[]): Promise<void> {
  const known = new Set(segments.flatMap(({ file }) => [file, filterFile(file)]));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = relative(folder, join(entry.parentPath, entry.name));
    const isOurs = /\.(parquet|ndjson|words|unfinished)$/.test(file);
    if (entry.isFile() && isOurs && !known.has(file)) await rm(join(folder, file), { force: true });
  }
}
