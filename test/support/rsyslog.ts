// A real rsyslog that forwards what it reads from a socket of its own. It needs no init system.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './debian-package.ts';
import { until } from './until.ts';

const PROGRAM = '/usr/sbin/rsyslogd';
/** Programs of the suites that run rsyslog, by package. */
const BESIDE = {
  bsdutils: '/usr/bin/logger',
  logrotate: '/usr/sbin/logrotate',
  openssl: '/usr/bin/openssl',
  curl: '/usr/bin/curl',
};
/** Modules of rsyslog by package. */
const MODULES = {
  'rsyslog-gnutls': 'lmnsd_gtls.so',
  'rsyslog-openssl': 'lmnsd_ossl.so',
  'rsyslog-elasticsearch': 'omelasticsearch.so',
};

/** Why rsyslog cannot be run, after an attempt to install it; empty where it can. */
export function rsyslogMissing(): string {
  const packages = ['rsyslog', ...Object.keys({ ...MODULES, ...BESIDE })];
  if (!isThere()) installPackages(...packages);
  return isThere() ? '' : `no rsyslog: one of the Debian packages ${packages.join(', ')} is not installed`;
}

function isThere(): boolean {
  const folders = ['/usr/lib/x86_64-linux-gnu/rsyslog', '/usr/lib/aarch64-linux-gnu/rsyslog', '/usr/lib/rsyslog'];
  const isModule = (name: string) => folders.some((folder) => existsSync(join(folder, name)));
  return [PROGRAM, ...Object.values(BESIDE)].every(existsSync) && Object.values(MODULES).every(isModule);
}

export interface RsyslogOptions {
  /** A folder for its files; the name of the run is the name of its socket there. */
  readonly folder: string;
  readonly name: string;
  /** Parameters of `global(...)`. */
  readonly globals?: string;
  readonly action: string;
}

export interface Rsyslog extends AsyncDisposable {
  /** For `logger -u`. */
  readonly socket: string;
}

export async function startRsyslog({ folder, name, globals = '', action }: RsyslogOptions): Promise<Rsyslog> {
  const config = join(folder, `${name}.conf`);
  const socket = join(folder, `${name}.sock`);
  const lines = [
    `global(workDirectory="${folder}" ${globals})`,
    'module(load="imuxsock" SysSock.Use="off")',
    `input(type="imuxsock" Socket="${socket}")`,
    action,
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const pidFile = join(folder, `${name}.pid`);
  const child: ChildProcess = spawn(PROGRAM, ['-n', '-f', config, '-i', pidFile], { stdio: 'ignore' });
  await until(() => {
    if (child.exitCode !== null) throw new Error(`rsyslog has ended with ${child.exitCode}`);
    return existsSync(socket);
  }, Boolean);
  return {
    socket,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
