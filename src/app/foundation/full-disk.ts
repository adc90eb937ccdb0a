// A start that a full disk has ended.

import { statfsSync } from 'node:fs';
import { UsageError } from '#kernel/usage-error.ts';
import type { Config } from '#settings/index.ts';

/** Names the file, or the folder with the least room where the error does not say which one it was. */
export function fullDiskOf({ data, keys }: Pick<Config, 'data' | 'keys'>, cause: unknown): UsageError {
  const named = cause instanceof Error && 'path' in cause ? String(cause.path) : undefined;
  const path = named ?? (freeBytes(keys) < freeBytes(data) ? keys : data);
  return new UsageError('disk-full', { path }, { cause });
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
