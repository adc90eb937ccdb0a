// The bundles that `npm run build` makes of the sources, and whether they are still theirs: the service, which starts in half
// the time of the sources and gives way to them wherever it is missing or older, and the console.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Below the folder of package.json. */
export const BUNDLE_FOLDER = 'dist/service';
export const CONSOLE_FOLDER = 'dist/console';
export const MANIFEST_FILE = 'manifest.json';

export interface BundleManifest {
  /** Of every file that it was made of, relative to the folder of package.json. */
  readonly sources: readonly SourceStamp[];
  /** The modules of a first query, each behind those that it imports. */
  readonly warmUp: readonly string[];
}

export interface ConsoleManifest extends Pick<BundleManifest, 'sources'> {
  /** Files that index.html and the modules name, relative to the folder; each stands there as `.br` and `.gz`, too. */
  readonly assets: readonly string[];
  /** Those that the first page needs, whichever it is. */
  readonly first: readonly string[];
  /** Those that a page needs, by the path of its module. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
}

/** Path, bytes and last change of a file, in milliseconds. */
export type SourceStamp = readonly [path: string, size: number, changed: number];

export const stampOf = (root: string, path: string): SourceStamp => {
  const { size, mtimeMs } = statSync(join(root, path));
  return [path, size, mtimeMs];
};

/** `root` is the folder of package.json. */
export const bundleManifest = (root = rootOf(import.meta.url)): BundleManifest => manifestIn(root, BUNDLE_FOLDER);

export const consoleFolder = (): string => join(rootOf(import.meta.url), CONSOLE_FOLDER);

/** False for a bundle that is missing or unfinished. Without sources nothing can be newer than the bundle. */
export function isCurrent(root = rootOf(import.meta.url), folder = BUNDLE_FOLDER): boolean {
  if (!existsSync(join(root, folder, MANIFEST_FILE))) return false;
  if (!existsSync(join(root, 'src'))) return true;
  return manifestIn(root, folder).sources.every(([path, size, changed]) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    return found?.size === size && found.mtimeMs === changed;
  });
}

const manifestIn = (root: string, folder: string): BundleManifest =>
  JSON.parse(readFileSync(join(root, folder, MANIFEST_FILE), 'utf8'));

/** Modules of the bundle are as deep below it as this one. */
const rootOf = (module: string): string => join(dirname(fileURLToPath(module)), '../..');
