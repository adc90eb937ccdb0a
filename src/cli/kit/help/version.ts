// The version of the program: that of its package, the commit of its checkout where there is one, and the Node that runs it.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { productManifest } from '#docs/product.ts';
import { rootFolder } from '#runtime/bundle.ts';

export function versionText(): string {
  const commit = commitOf(rootFolder());
  const facts = [...(commit === undefined ? [] : [`commit ${commit}`]), `Node ${process.versions.node}`];
  return `vigil ${productManifest().version} (${facts.join(', ')})`;
}

/** Undefined for an installation that is no checkout. */
function commitOf(root: string): string | undefined {
  if (!existsSync(join(root, '.git'))) return undefined;
  const { status, stdout } = spawnSync('git', ['-C', root, 'rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
