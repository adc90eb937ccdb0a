// Archives that are the same for the same contents: names in order, one time, no owner.

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

/** `folder` with its name, as `file`. */
export function writeArchive(folder: string, file: string, seconds: number): void {
  const plain = `${file}.tar`;
  const asOne = ['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner', '--format=ustar'];
  execFileSync('tar', ['--create', ...asOne, '--directory', dirname(folder), '--file', plain, basename(folder)]);
  writeFileSync(file, gzipSync(readFileSync(plain), { level: constants.Z_BEST_COMPRESSION }));
  rmSync(plain);
}
