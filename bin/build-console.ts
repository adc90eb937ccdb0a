// Makes dist/console of console/: modules and styles under hashed names, each also compressed, so that the service
// compresses nothing itself.

import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { CONSOLE_FOLDER, type ConsoleManifest, MANIFEST_FILE, stampOf } from '#kernel/bundle.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CONSOLE = join(ROOT, 'console');
/** They decide which packages are bundled. */
const MANIFESTS = ['package.json', 'package-lock.json'];

/** Resolves to the gzipped bytes of all files. Made beside and renamed, so a build that is killed leaves the older one. */
export async function buildConsole(folder = join(ROOT, CONSOLE_FOLDER)): Promise<number> {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
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
  return sizes.reduce((sum, size) => sum + size, 0);
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

/** Every file of console/, and the modules of the service that it imports. */
function manifestOf(output: Output, assets: readonly string[]): ConsoleManifest {
  const shared = output
    .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    .filter((id) => id.startsWith(join(ROOT, 'src')))
    .map((id) => relative(ROOT, id));
  const own = globSync('console/**/*.*', { cwd: ROOT });
  return { sources: [...MANIFESTS, ...own, ...shared].map((path) => stampOf(ROOT, path)), assets };
}
