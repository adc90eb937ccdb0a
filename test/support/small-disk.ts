// A filesystem of a few MiB, where this machine lets one be mounted.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Undone by the one that is returned, whoever still has files open there. */
export function mountSmallDisk(folder: string, mebibytes: number): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  return () => void execFileSync('umount', ['--lazy', folder]);
}

/** Mounting needs rights that not every machine gives. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-mount-'));
  try {
    mountSmallDisk(folder, 1)();
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}
