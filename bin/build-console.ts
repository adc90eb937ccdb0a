// Makes dist/console of console/: modules and styles under hashed names, each also compressed, so that the service
// compresses nothing itself.

import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { CONSOLE_FOLDER, type ConsoleManifest, MANIFEST_FILE, stampOf } from '#runtime/bundle.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CONSOLE = join(ROOT, 'console');
/** Each page has a folder there, with the component that its route loads. */
const PAGES = join(CONSOLE, 'src', 'pages');
/** They decide which packages are bundled. */
const MANIFESTS = ['package.json', 'package-lock.json'];

export interface Built {
  readonly bytes: number;
  /** The files of all modules inside. */
  readonly modules: readonly string[];
}

/** Bytes are those of all files, gzipped. Made beside and renamed, so a build that is killed leaves the older one. */
export async function buildConsole(folder = join(ROOT, CONSOLE_FOLDER)): Promise<Built> {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  // Of any other value, as a runner of tests sets, React would be its development form.
  process.env.NODE_ENV = 'production';
  const built = await build({
    configFile: join(CONSOLE, 'vite.config.ts'),
    build: { outDir: unfinished, emptyOutDir: true },
    logLevel: 'warn',
  });
  const output = outputOf(built);
  const assets = output.map(({ fileName }) => fileName).filter((name) => name.startsWith('assets/'));
  const sizes = assets.map((name) => compress(join(unfinished, name)));
  // Written last: a build without it is not served.
  writeFileSync(join(unfinished, MANIFEST_FILE), JSON.stringify(manifestOf(output, assets)));
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), modules };
}

type Output = Rolldown.RolldownOutput['output'];

function outputOf(built: Awaited<ReturnType<typeof build>>): Output {
  if (Array.isArray(built) || !('output' in built)) throw new Error('the console is built once');
  return built.output;
}

/** The bytes of the gzipped form. */
function compress(path: string): number {
  const bytes = readFileSync(path);
  const gzipped = gzipSync(bytes, { level: 9 });
  writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  writeFileSync(`${path}.gz`, gzipped);
  return gzipped.length;
}

/** Of every file of console/ but tests, and of the modules of the service that it imports. */
function manifestOf(output: Output, assets: readonly string[]): ConsoleManifest {
  const chunks = output.filter((file) => file.type === 'chunk');
  const shared = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(join(ROOT, 'src')))
    .map((id) => relative(ROOT, id));
  const own = globSync('console/**/*.*', { cwd: ROOT, exclude: ['**/*.test.ts'] });
  const sources = [...MANIFESTS, ...own, ...shared].map((path) => stampOf(ROOT, path));
  // Parts of a page that wait for an action are no pages.
  const isPage = ({ isDynamicEntry, facadeModuleId }: Rolldown.OutputChunk) =>
    isDynamicEntry && facadeModuleId !== null && dirname(dirname(facadeModuleId)) === PAGES;
  const lazy = chunks.filter(isPage);
  return {
    sources,
    assets,
    first: chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => filesOf(chunk, chunks)),
    pages: Object.fromEntries(
      lazy.map((chunk) => [relative(CONSOLE, chunk.facadeModuleId ?? chunk.fileName), filesOf(chunk, chunks)]),
    ),
  };
}

/** A chunk, what it imports, and their styles. */
function filesOf(chunk: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]): readonly string[] {
  const reached = new Set([chunk]);
  // A set also iterates over the items that are added meanwhile.
  for (const { imports } of reached) {
    for (const other of chunks.filter(({ fileName }) => imports.includes(fileName))) reached.add(other);
  }
  return [...reached].flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])]);
}
