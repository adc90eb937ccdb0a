// The one library that the Node of the packages needs and a bare machine lacks: libatomic, of GCC, out of Debian's package. It is fetched
// for any architecture with lists of apt's own below a temporary folder, so that nothing of the machine changes.

import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Platform } from './platforms.ts';

const PACKAGE = 'libatomic1';
export const LIBRARY = 'libatomic.so.1';

/** Puts the library and its licence into a folder. */
export function writeSystemLibrary({ architecture }: Platform, into: string): void {
  const work = mkdtempSync(join(tmpdir(), 'vigil-library-'));
  try {
    for (const name of ['lists/partial', 'archives/partial']) mkdirSync(join(work, name), { recursive: true });
    const options = {
      'APT::Architecture': architecture,
      'APT::Architectures': architecture,
      'APT::Sandbox::User': 'root',
      'Dir::State::lists': join(work, 'lists'),
      'Dir::State::status': '/dev/null',
      'Dir::Cache': work,
      'Acquire::Languages': 'none',
    };
    const flags = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    const run = (command: string, ...args: readonly string[]) =>
      execFileSync(command, args, { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
    run('apt-get', ...flags, 'update');
    run('apt-get', ...flags, 'download', PACKAGE);
    const [file = ''] = globSync('*.deb', { cwd: work });
    run('dpkg-deb', '--extract', file, 'unpacked');
    const [library = ''] = globSync(`unpacked/usr/lib/*/${LIBRARY}`, { cwd: work });
    mkdirSync(into, { recursive: true });
    copyFileSync(join(work, library), join(into, LIBRARY));
    // The compiler's, with the exception for its libraries. The package has a link to it.
    const [licence = ''] = globSync('/usr/share/doc/gcc-*-base/copyright');
    copyFileSync(licence, join(into, 'libatomic.licence'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
