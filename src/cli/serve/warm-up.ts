// Loads the modules of the first query one by one, between requests. Otherwise that query would load the whole language at
// once and delay all other requests.

import { readFile } from 'node:fs/promises';
import { bundleManifest } from '#runtime/bundle.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { isBundled } from '#runtime/worker-file.ts';

const SOURCES = new URL('../../', import.meta.url);

/** They import all other modules of a query. */
export const ENTRY_POINTS: readonly URL[] = [
  'queries/check/query-checker.ts',
  'logs/runs/statements/duckdb-run.ts',
  'logs/runs/statements/runs.ts',
  'queries/runs/query-run.ts',
].map((path) => new URL(path, SOURCES));

/** Stops with the signal; the remaining modules are loaded on demand. */
export async function warmUp(signal: AbortSignal): Promise<void> {
  for await (const file of isBundled(import.meta.url) ? bundledModules() : sourceModules()) {
    if (signal.aborted) return;
    await eventLoop.nextSlot();
    await import(file);
  }
  await eventLoop.nextSlot();
  if (!signal.aborted) await import('@duckdb/node-api');
}

const bundledModules = (): readonly string[] =>
  bundleManifest().warmUp.map((file) => new URL(file, import.meta.url).href);

async function* sourceModules(): AsyncGenerator<string> {
  const positions: Positions = new Map();
  for (const entry of ENTRY_POINTS) yield* inOrder(entry, positions);
}

/** The position of a file on the path from the entry point, by URL; infinite once it is loaded. */
type Positions = Map<string, number>;

/**
 * Yields a file after its imports, so that loading it is a small step. Files of an import cycle are loaded together, through
 * the first one reached. Returns the smallest position that the file leads back to.
 */
async function* inOrder(file: URL, positions: Positions): AsyncGenerator<string, number> {
  const known = positions.get(file.href);
  if (known !== undefined) return known;
  const position = positions.size;
  positions.set(file.href, position);
  let nearest = position;
  for (const imported of importsIn(await readFile(file, 'utf8'), file)) {
    nearest = Math.min(nearest, yield* inOrder(imported, positions));
  }
  if (nearest < position) return nearest;
  for (const [href, other] of positions) if (other >= position) positions.set(href, Number.POSITIVE_INFINITY);
  yield file.href;
  return Number.POSITIVE_INFINITY;
}

function importsIn(text: string, file: URL): URL[] {
  const names = [...text.matchAll(/^(?:import|export) (?!type )[^;]*? from '([#.][^']+)'/gms)].map(
    ([, name = '']) => name,
  );
  return names.map((name) => (name.startsWith('#') ? new URL(name.slice(1), SOURCES) : new URL(name, file)));
}
