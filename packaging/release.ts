#!/usr/bin/env node
// npm run release -- --dry-run: makes everything that a release consists of in dist/release, and lists it. Without --dry-run the
// package goes to the registry as well; the other files are uploaded by hand, where their digests can be compared.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { productManifest } from '#docs/product.ts';
import { writeArchive } from './archive.ts';
import { writeDebianPackage } from './debian-package.ts';
import { PLATFORMS, type Platform } from './platforms.ts';
import { writePackage, writeProgram } from './program-folder.ts';

const ROOT = join(import.meta.dirname, '..');

interface Release {
  readonly version: string;
  /** All files are put there. */
  readonly folder: string;
  /** Of all entries of archives: the commit's time. */
  readonly seconds: number;
}

/** The package for npm: its name. */
export function packNpm(root: string, { folder }: Pick<Release, 'folder'>): string {
  const staged = join(folder, 'package');
  rmSync(staged, { recursive: true, force: true });
  writePackage(root, staged);
  const packed = execFileSync('npm', ['pack', staged, '--ignore-scripts', '--json', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  rmSync(staged, { recursive: true });
  return JSON.parse(packed)[0].filename;
}

/** The archive and the Debian package of a platform: their names. */
export function packPlatform(root: string, platform: Platform, { version, folder, seconds }: Release): string[] {
  const program = join(folder, `vigil-${version}-${platform.name}`);
  rmSync(program, { recursive: true, force: true });
  writeProgram(root, platform, program);
  const archive = `${program}.tar.gz`;
  writeArchive(program, archive, seconds);
  const installed = join(folder, `vigil_${version}_${platform.architecture}.deb`);
  writeDebianPackage({ version, platform, program, seconds, compression: 'gzip' }, `${program}.debian`, installed);
  rmSync(program, { recursive: true });
  return [archive, installed].map((file) => basename(file));
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Throws with what stands in the way of publishing. */
function requireReleasable(version: string): void {
  if (git('status', '--porcelain') !== '') throw new Error('the working tree has changes: commit them first');
  if (git('tag', '--points-at', 'HEAD') !== `v${version}`) throw new Error(`the commit is not tagged v${version}`);
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  if (!changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has no section ${version}`);
}

function listed(folder: string, names: readonly string[]): string[] {
  const digests = names.map((name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  );
  writeFileSync(join(folder, 'SHA256SUMS'), names.map((name, at) => `${digests[at]}  ${name}\n`).join(''));
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name, at) => {
    const megabytes = (statSync(join(folder, name)).size / 1e6).toFixed(1);
    return `${name.padEnd(width)}  ${megabytes.padStart(6)} MB  sha256 ${digests[at]}`;
  });
}

function main(): void {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
  const { version } = productManifest();
  if (!values['dry-run']) requireReleasable(version);
  const folder = join(ROOT, 'dist/release');
  rmSync(folder, { recursive: true, force: true });
  execFileSync(process.execPath, [join(ROOT, 'bin/build.ts')], { stdio: 'inherit' });
  mkdirSync(folder, { recursive: true });
  const release = { version, folder, seconds: Number(git('log', '-1', '--format=%ct')) };
  const npmPackage = packNpm(ROOT, release);
  const names = [npmPackage];
  for (const platform of PLATFORMS) {
    console.log(`making ${platform.name}`);
    names.push(...packPlatform(ROOT, platform, release));
  }
  const bill = `vigil-${version}.cdx.json`;
  copyFileSync(join(ROOT, 'dist/bom.json'), join(folder, bill));
  names.push(bill);
  console.log(['', ...listed(folder, names), '', `in ${folder}, with SHA256SUMS`].join('\n'));
  if (values['dry-run']) return;
  execFileSync('npm', ['publish', join(folder, npmPackage)], { stdio: 'inherit' });
  console.log('published to the registry; upload the other files yourself');
}

if (import.meta.main) main();
