#!/usr/bin/env node
// Makes dist/: npm run build. In it are the service and the console, each in one bundle, the reference, the licences of the
// packages inside, the bill of materials and the commit. Only the native engine stays outside.

import { cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { ENTRY_POINTS } from '#cli/serve/warm-up.ts';
import { COMMIT_FILE, productCommit, productManifest } from '#docs/product.ts';
import { billOfMaterials } from '#packaging/bill-of-materials.ts';
import { installedPackages, packagesOf } from '#packaging/bundled-packages.ts';
import { licencesText } from '#packaging/licences.ts';
import { BUNDLE_FOLDER, type BundleManifest, CONSOLE_FOLDER, MANIFEST_FILE, stampOf } from '#runtime/bundle.ts';
import { type Built, buildConsole } from './build-console.ts';

const ROOT = resolve(import.meta.dirname, '..');
const EXECUTABLE = join(ROOT, 'src/cli/executable.ts');
const EXTERNAL = [/^@duckdb\//];
/** They decide which packages are bundled. */
const MANIFESTS = ['package.json', 'package-lock.json'];
const WORKER = /workerFile\('\.\/([\w-]+\.ts)', import\.meta\.url\)/g;

interface Chunk {
  readonly fileName: string;
  readonly moduleIds: readonly string[];
  /** Files of other chunks, and packages. */
  readonly imports: readonly string[];
}

/** It is made beside and renamed, so a build that is killed leaves the older one. */
export async function build(folder = join(ROOT, BUNDLE_FOLDER)): Promise<Built> {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries([EXECUTABLE, ...workerFiles()].map((file) => [basename(file, '.ts'), file])),
    platform: 'node',
    external: EXTERNAL,
  });
  const { output } = await bundle.write({
    dir: unfinished,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  const chunks = output.filter((one) => one.type === 'chunk');
  // Written last: a bundle without it is not run.
  writeFileSync(join(unfinished, MANIFEST_FILE), JSON.stringify(manifestOf(chunks)));
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return {
    bytes: chunks.reduce((bytes, { code }) => bytes + Buffer.byteLength(code), 0),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  };
}

function workerFiles(): readonly string[] {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).map((path) => join(ROOT, path));
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(WORKER)].map(([, name = '']) => join(dirname(file), name)),
  );
}

function manifestOf(chunks: readonly Chunk[]): BundleManifest {
  const own = chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => id.startsWith(join(ROOT, 'src')));
  const paths = [...MANIFESTS, ...own.map((id) => relative(ROOT, id))];
  return { sources: paths.map((path) => stampOf(ROOT, path)), warmUp: inOrder(chunks) };
}

/** The files that the modules of a first query are in, each behind those that it imports. */
function inOrder(chunks: readonly Chunk[]): readonly string[] {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const seen = new Set<string>();
  const order: string[] = [];
  const visit = (chunk: Chunk | undefined): void => {
    if (!chunk || seen.has(chunk.fileName)) return;
    seen.add(chunk.fileName);
    for (const file of chunk.imports) visit(byFile.get(file));
    order.push(chunk.fileName);
  };
  for (const entry of ENTRY_POINTS) {
    const holder = chunks.find(({ moduleIds }) => moduleIds.includes(fileURLToPath(entry)));
    if (!holder) throw new Error(`the bundle lacks ${entry.href}`);
    visit(holder);
  }
  return order;
}

/** What a release has beside its bundles. */
function writeDocuments(modules: readonly string[]): void {
  const inside = packagesOf(ROOT, modules);
  const dist = join(ROOT, 'dist');
  const commit = productCommit(ROOT);
  if (commit !== undefined) writeFileSync(join(ROOT, COMMIT_FILE), `${commit}\n`);
  writeFileSync(join(dist, 'licences.txt'), licencesText(inside));
  writeFileSync(
    join(dist, 'bom.json'),
    billOfMaterials({ name: 'vigil', ...productManifest() }, inside, installedPackages(ROOT)),
  );
  rmSync(join(dist, 'reference'), { recursive: true, force: true });
  cpSync(join(ROOT, 'docs/reference'), join(dist, 'reference'), { recursive: true });
}

if (import.meta.main) {
  const service = await build();
  const pages = await buildConsole();
  writeDocuments([...service.modules, ...pages.modules]);
  console.log(`${BUNDLE_FOLDER}: ${(service.bytes / 1e6).toFixed(1)} MB`);
  console.log(`${CONSOLE_FOLDER}: ${(pages.bytes / 1e6).toFixed(1)} MB, gzipped`);
}
