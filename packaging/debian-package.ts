// The Debian package: the program below /usr/lib/vigil, a service of systemd, and an account for it.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Platform } from './platforms.ts';

const SCRIPTS = ['postinst', 'prerm', 'postrm'];
const CONFIGURATION = '/etc/vigil/vigil.toml';

interface Packaged {
  readonly version: string;
  readonly platform: Platform;
  /** As `writeProgram` made it. */
  readonly program: string;
  /** Of all files, in seconds since 1970. */
  readonly seconds: number;
  /** As dpkg-deb calls it; `none` takes no time. */
  readonly compression: 'gzip' | 'none';
}

/** Writes it as `file`; `work` is a folder that it may use and removes. */
export function writeDebianPackage(
  { version, platform, program, seconds, compression }: Packaged,
  work: string,
  file: string,
): void {
  const at = (path: string) => {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    return join(work, path);
  };
  cpSync(program, at('usr/lib/vigil'), { recursive: true });
  symlinkSync('../lib/vigil/bin/vigil', at('usr/bin/vigil'));
  copyFileSync(join(import.meta.dirname, 'systemd/vigil.service'), at('usr/lib/systemd/system/vigil.service'));
  copyFileSync(join(import.meta.dirname, 'debian/vigil.toml'), at(CONFIGURATION.slice(1)));
  const library = join(program, 'lib/vigil');
  cpSync(join(library, 'docs'), at('usr/share/doc/vigil'), { recursive: true });
  cpSync(join(library, 'dist/reference'), at('usr/share/doc/vigil/reference'), { recursive: true });
  copyFileSync(join(program, 'LICENSE'), at('usr/share/doc/vigil/copyright'));
  const kibibytes = globSync('**/*', { cwd: work }).reduce(
    (sum, path) => sum + lstatSync(join(work, path)).size / 1024,
    0,
  );
  writeFileSync(at('DEBIAN/control'), controlText(version, platform, Math.ceil(kibibytes)));
  writeFileSync(at('DEBIAN/conffiles'), `${CONFIGURATION}\n`);
  for (const script of SCRIPTS) {
    copyFileSync(join(import.meta.dirname, 'debian', script), at(`DEBIAN/${script}`));
    chmodSync(at(`DEBIAN/${script}`), 0o755);
  }
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', work, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(work, { recursive: true });
}

const controlText = (version: string, { architecture }: Platform, kibibytes: number): string =>
  `Package: vigil
Version: ${version}
Architecture: ${architecture}
Maintainer: Vigil <vigil@localhost>
Section: admin
Priority: optional
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.28), libstdc++6, libatomic1, passwd, coreutils
Recommends: systemd
Description: log analytics and security monitoring
 Vigil collects logs into tables, queries them with a pipe language, schedules
 queries, detects with batch and real-time rules, and administers all of it
 through a REST interface and a console. Data and keys stay when the package is
 removed.
`;
