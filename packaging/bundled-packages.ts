// The packages whose code is in the bundles, and those that a release installs beside them.

import { globSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface Package {
  readonly name: string;
  readonly version: string;
  /** As its author wrote it, most often an SPDX expression. */
  readonly license: string;
  /** Texts of its licence; empty where it brings none. */
  readonly texts: readonly string[];
  /** As the lock file names it, `sha512-…`; absent for a package that stands inside of another. */
  readonly integrity?: string;
}

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  /** A text or a list, as the package's author wrote it. */
  readonly os?: string | readonly string[];
  readonly libc?: string | readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Locked {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

const LICENCE_FILES = '{LICEN[CS]E,Licen[cs]e,licen[cs]e,NOTICE,COPYING}*';

/** Of the files of modules, sorted by name and version. */
export function packagesOf(root: string, modules: readonly string[]): Package[] {
  const folders = new Set(modules.flatMap((module) => packageFolder(root, module) ?? []));
  return described(root, [...folders]);
}

/** Those that a release needs beside its bundle on any of its platforms: what package.json names, and what that needs. */
export function installedPackages(root: string): Package[] {
  const locked = lockedIn(root);
  const found = new Map<string, Package>();
  const add = (name: string): void => {
    const entry = locked[`node_modules/${name}`];
    if (found.has(name) || !entry || !isReleasedFor(entry)) return;
    const { version, license = 'NONE', integrity } = entry;
    found.set(name, { name, version, license, texts: [], ...(integrity === undefined ? {} : { integrity }) });
    for (const needed of namesOf(entry)) add(needed);
  };
  for (const name of namesOf(manifestIn(root, ''))) add(name);
  return sorted([...found.values()]);
}

const namesOf = ({ dependencies, optionalDependencies }: Pick<LockEntry, 'dependencies' | 'optionalDependencies'>) =>
  Object.keys({ ...dependencies, ...optionalDependencies });

/** Linux with glibc, and macOS. Windows runs the release for Linux. */
const isReleasedFor = ({ os = 'linux', libc = 'glibc' }: LockEntry): boolean =>
  [os].flat().some((one) => one === 'linux' || one === 'darwin') && [libc].flat().includes('glibc');

const lockedIn = (root: string): Locked['packages'] =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Locked).packages;

/** `node_modules/a/node_modules/@b/c` of a file below it; undefined for a module that is no package's. */
function packageFolder(root: string, module: string): string | undefined {
  const parts = relative(root, module.replaceAll('\0', '').split('?', 1).join('')).split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at === -1) return undefined;
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join('/');
}

function described(root: string, folders: readonly string[]): Package[] {
  const locked = lockedIn(root);
  const all = folders.map((folder) => {
    const { name, version, license } = manifestIn(root, folder);
    const { integrity } = locked[folder] ?? {};
    const files = globSync(LICENCE_FILES, { cwd: join(root, folder) }).toSorted();
    const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return { name, version, license: license ?? 'NONE', texts, ...(integrity === undefined ? {} : { integrity }) };
  });
  return sorted(all);
}

const sorted = (packages: readonly Package[]): Package[] =>
  packages.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

const keyOf = ({ name, version }: Package): string => `${name}@${version}`;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (root: string, folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
