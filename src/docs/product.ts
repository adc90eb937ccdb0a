// Name, version, license and commit of the product for its documents and its users.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';

export const PRODUCT_NAME = 'Vigil';

interface Manifest {
  readonly version: string;
  /** SPDX identifier. */
  readonly license: string;
}

export const productManifest = (): Manifest => JSON.parse(readFileSync(manifestFile(), 'utf8'));

function manifestFile(): string {
  const path = findPackageJSON(import.meta.url);
  if (path === undefined) throw new Error('package.json is missing');
  return path;
}

/** Beside package.json, in a release: the commit that it was made of. */
export const COMMIT_FILE = 'dist/commit';
const COMMIT_LENGTH = 8;

/** That of a checkout, else the one that a release was made of; undefined where neither is known. */
export function productCommit(root = dirname(manifestFile())): string | undefined {
  const released = join(root, COMMIT_FILE);
  const commit = checkedOut(join(root, '.git')) ?? (existsSync(released) ? readFileSync(released, 'utf8') : undefined);
  return commit?.trim().slice(0, COMMIT_LENGTH);
}

/** Read as git writes it: starting git for it takes longer than everything else that `--version` does. */
function checkedOut(git: string): string | undefined {
  const found = statSync(git, { throwIfNoEntry: false });
  if (!found) return undefined;
  // That of a second working tree is a file that names a folder, which names the common one.
  const folder = found.isFile() ? resolve(dirname(git), lineOf(git).replace('gitdir: ', '')) : git;
  const common = existsSync(join(folder, 'commondir')) ? resolve(folder, lineOf(join(folder, 'commondir'))) : folder;
  const head = lineOf(join(folder, 'HEAD'));
  if (!head.startsWith('ref: ')) return head;
  const name = head.slice('ref: '.length);
  if (existsSync(join(common, name))) return lineOf(join(common, name));
  const packed = join(common, 'packed-refs');
  const lines = existsSync(packed) ? readFileSync(packed, 'utf8').split('\n') : [];
  return lines.find((line) => line.endsWith(` ${name}`))?.split(' ', 1)[0];
}

const lineOf = (file: string): string => readFileSync(file, 'utf8').trim();
