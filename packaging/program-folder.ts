// The program with everything that it needs, for one platform: what an archive and a Debian package hold.
//
//   bin/vigil     the launcher
//   lib/node      the Node that runs it
//   lib/system/   the library that it needs and a bare machine lacks
//   lib/vigil/    the package, with the native engine below node_modules

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackLocked } from './locked-packages.ts';
import type { Platform } from './platforms.ts';
import { writeSystemLibrary } from './system-library.ts';

/** What only a checkout has any use for. */
const OF_CHECKOUTS = ['private', 'files', 'imports', 'workspaces', 'scripts', 'devDependencies', 'overrides'];

/** Writes it to a folder that does not exist yet. */
export function writeProgram(root: string, platform: Platform, into: string): void {
  const library = join(into, 'lib/vigil');
  writePackage(root, library);
  for (const name of platform.packages) unpackLocked(root, name, join(library, 'node_modules', name));
  const work = mkdtempSync(join(tmpdir(), 'vigil-node-'));
  unpackLocked(root, platform.node, work);
  copyFileSync(join(work, 'bin/node'), join(into, 'lib/node'));
  copyFileSync(join(work, 'LICENSE'), join(into, 'lib/node.licence'));
  rmSync(work, { recursive: true });
  chmodSync(join(into, 'lib/node'), 0o755);
  writeSystemLibrary(platform, join(into, 'lib/system'));
  mkdirSync(join(into, 'bin'));
  copyFileSync(join(import.meta.dirname, 'launcher.sh'), join(into, 'bin/vigil'));
  chmodSync(join(into, 'bin/vigil'), 0o755);
  for (const name of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, name), join(into, name));
}

/** The files of package.json's list, with a package.json that asks npm for nothing but what a release needs. */
export function writePackage(root: string, into: string): void {
  mkdirSync(into, { recursive: true });
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(listed) as [{ files: readonly { path: string }[] }];
  for (const { path } of files) cpSync(join(root, path), join(into, path), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of OF_CHECKOUTS) delete manifest[name];
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
