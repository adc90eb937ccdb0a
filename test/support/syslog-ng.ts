// A real syslog-ng. Debian's package takes the place of rsyslog, which other suites run: it is unpacked below node_modules/.cache
// instead of installed, with the libraries that it needs.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './sources.ts';

const runFile = promisify(execFile);
const CACHE = join(ROOT, 'node_modules/.cache/vigil-debian');
const PACKAGES = [
  ...['syslog-ng-core', 'syslog-ng-mod-http', 'libivykis0', 'libnet1', 'libpcre3', 'libwrap0'],
  ...['libjson-c5', 'libcurl4'],
];

/** The folder that it is unpacked in, or why there is none. */
export async function syslogNgFolder(): Promise<{ readonly folder: string } | { readonly reason: string }> {
  const folder = join(CACHE, 'syslog-ng');
  if (existsSync(folder)) return { folder };
  mkdirSync(CACHE, { recursive: true });
  const unpacked = mkdtempSync(join(CACHE, 'unpacked-'));
  try {
    const download = () => runFile('apt-get', ['download', ...PACKAGES], { cwd: unpacked });
    // A new machine has no lists of packages yet.
    await download().catch(() => runFile('apt-get', ['update']).then(download));
    for (const name of readdirSync(unpacked))
      await runFile('dpkg', ['-x', name, join(unpacked, 'root')], { cwd: unpacked });
    renameSync(join(unpacked, 'root'), folder);
    return { folder };
  } catch (cause) {
    return { reason: `syslog-ng cannot be unpacked: ${cause instanceof Error ? cause.message : cause}` };
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

interface SyslogNgOptions {
  /** Where it is unpacked. */
  readonly program: string;
  /** For its configuration, its queue on disk and where it was in files. */
  readonly folder: string;
  readonly config: string;
}

export function startSyslogNg({ program, folder, config }: SyslogNgOptions): AsyncDisposable & { child: ChildProcess } {
  const file = join(folder, 'syslog-ng.conf');
  writeFileSync(file, `@version: 3.38\n${config}\n`);
  const libraries = readdirSync(join(program, 'usr/lib'))
    .filter((name) => name === 'syslog-ng' || name.endsWith('-linux-gnu'))
    .flatMap((name) => [join(program, 'usr/lib', name), join(program, 'lib', name)]);
  const flags = {
    cfgfile: file,
    'persist-file': join(folder, 'persist'),
    control: join(folder, 'control'),
    pidfile: join(folder, 'pid'),
    'module-path': join(program, 'usr/lib/syslog-ng/3.38'),
  };
  const child = spawn(
    join(program, 'usr/sbin/syslog-ng'),
    ['--foreground', '--no-caps', '--stderr', ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)],
    {
      cwd: folder,
      env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return {
    child,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
