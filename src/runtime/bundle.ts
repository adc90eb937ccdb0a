// The bundles that `npm run build` makes of the sources, and whether they are still theirs: the service, which starts in half
// the time of the sources and gives way to them wherever it is missing or older, and the console.

import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
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

/** Path, bytes, last change in milliseconds and digest of a file. A copied checkout has other times of the same contents. */
export type SourceStamp = readonly [path: string, size: number, changed: number, digest: string];

export const stampOf = (root: string, path: string): SourceStamp => {
  const { size, mtimeMs } = statSync(join(root, path));
  return [path, size, mtimeMs, digestOf(root, path)];
};

const digestOf = (root: string, path: string): string => hash('sha256', readFileSync(join(root, path)), 'base64url');

/** `root` is the folder of package.json. */
export const bundleManifest = (root = rootOf(import.meta.url)): BundleManifest => manifestIn(root, BUNDLE_FOLDER);

/** The folder of package.json. */
export const rootFolder = (): string => rootOf(import.meta.url);

export const consoleFolder = (): string => join(rootOf(import.meta.url), CONSOLE_FOLDER);

/**
 * False for a bundle that is missing or unfinished. Without sources nothing can be newer than the bundle. A file of the same
 * size and time counts as unchanged; of another time, its digest decides, and the times are refreshed for the next start.
 */
export function isCurrent(root = rootOf(import.meta.url), folder = BUNDLE_FOLDER): boolean {
  if (!existsSync(join(root, folder, MANIFEST_FILE))) return false;
  if (!existsSync(join(root, 'src'))) return true;
  const manifest = manifestIn(root, folder);
  const now: SourceStamp[] = [];
  for (const [path, size, changed, digest] of manifest.sources) {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (found?.size !== size) return false;
    if (found.mtimeMs !== changed && digestOf(root, path) !== digest) return false;
    now.push([path, size, found.mtimeMs, digest]);
  }
  if (now.some(([, , changed], at) => changed !== manifest.sources[at]?.[2])) refresh(root, folder, now);
  return true;
}

/** Where the folder cannot be written, every start compares digests. */
function refresh(root: string, folder: string, sources: readonly SourceStamp[]): void {
  const file = join(root, folder, MANIFEST_FILE);
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, JSON.stringify({ ...manifestIn(root, folder), sources }));
    renameSync(unfinished, file);
  } catch {
    // The folder of an installation may belong to somebody else.
  }
}

const manifestIn = (root: string, folder: string): BundleManifest =>
  JSON.parse(readFileSync(join(root, folder, MANIFEST_FILE), 'utf8'));

/** Modules of the bundle are as deep below it as this one. */
const rootOf = (module: string): string => join(dirname(fileURLToPath(module)), '../..');
