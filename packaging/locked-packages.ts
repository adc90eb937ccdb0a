// Packages as the lock file names them, for any platform: fetched by npm, or out of its cache, and compared with their digests.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface LockEntry {
  readonly version: string;
  readonly integrity: string;
}

/** Puts a package into a folder, as `npm install` would. */
export function unpackLocked(root: string, name: string, into: string): void {
  const { version, integrity } = lockEntry(root, name);
  const work = mkdtempSync(join(tmpdir(), 'vigil-package-'));
  try {
    const packed = execFileSync(
      'npm',
      ['pack', `${name}@${version}`, '--prefer-offline', '--json', '--pack-destination', work],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const [{ filename }] = JSON.parse(packed);
    const file = join(work, filename);
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name}@${version} is not what package-lock.json says: ${found}`);
    mkdirSync(into, { recursive: true });
    execFileSync('tar', [
      '--extract',
      '--gzip',
      '--strip-components=1',
      '--no-same-owner',
      '--directory',
      into,
      '--file',
      file,
    ]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function lockEntry(root: string, name: string): LockEntry {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const entry = packages[`node_modules/${name}`];
  if (!entry?.integrity?.startsWith('sha512-')) throw new Error(`package-lock.json does not lock ${name}`);
  return entry;
}
