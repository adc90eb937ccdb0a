// The guides: documents in Markdown that are written by hand, in the folder docs beside package.json. An installation
// without that folder has none.

import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

export interface Guide {
  /** As files and links name it, without its ending. */
  readonly name: string;
  readonly markdown: string;
}

/** In the order in which they are read. */
const GUIDES = ['install', 'tour', 'contract', 'security', 'upgrade', 'glossary'];

export function guidesIn(folder = docsFolder()): Guide[] {
  if (folder === undefined) return [];
  return GUIDES.map((name) => ({ name, path: join(folder, `${name}.md`) }))
    .filter(({ path }) => existsSync(path))
    .map(({ name, path }) => ({ name, markdown: readFileSync(path, 'utf8') }));
}

function docsFolder(): string | undefined {
  const manifest = findPackageJSON(import.meta.url);
  return manifest === undefined ? undefined : join(dirname(manifest), 'docs');
}
