// Programs of Debian packages that suites run, installed where they are missing and this may be done.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Only root installs packages. Whether the files are there afterwards is for the caller to see. */
export function installPackages(...names: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () => spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env });
  if (install().status === 0) return;
  spawnSync('apt-get', ['update'], { env });
  install();
}
