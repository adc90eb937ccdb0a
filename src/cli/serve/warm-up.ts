// Loads, file by file, what the first query needs. Otherwise that query would load the whole language in one piece, and
// nobody else would be answered meanwhile.

import { readFile } from 'node:fs/promises';
import { eventLoop } from '#kernel/event-loop.ts';

const SOURCES = new URL('../../', import.meta.url);

/** From these everything is reached. */
const DOORS = [
  'queries/checking.ts',
  'engines/duckdb/runs/duck-run.ts',
  'engines/duckdb/runs/runs.ts',
  'queries/query-run.ts',
];

/** Stops when told to; what is not loaded by then is loaded when it is needed. */
export async function warmUp(signal: AbortSignal): Promise<void> {
  const places: Places = new Map();
  for (const door of DOORS) {
    for await (const file of inOrder(new URL(door, SOURCES), places)) {
      if (signal.aborted) return;
      await eventLoop.nextSlot();
      await import(file);
    }
  }
  await eventLoop.nextSlot();
  if (!signal.aborted) await import('@duckdb/node-api');
}

/** Where files stand on the way from the door, by their URL; infinitely far where they are done with. */
type Places = Map<string, number>;

/**
 * A file after all that it imports, so that loading it is a small step. Files that import each other are loaded together,
 * through the one that is reached first. Gives the nearest place to the door that the file leads back to.
 */
async function* inOrder(file: URL, places: Places): AsyncGenerator<string, number> {
  const known = places.get(file.href);
  if (known !== undefined) return known;
  const place = places.size;
  places.set(file.href, place);
  let nearest = place;
  for (const imported of importsIn(await readFile(file, 'utf8'), file)) {
    nearest = Math.min(nearest, yield* inOrder(imported, places));
  }
  if (nearest < place) return nearest;
  for (const [href, other] of places) if (other >= place) places.set(href, Number.POSITIVE_INFINITY);
  yield file.href;
  return Number.POSITIVE_INFINITY;
}

function importsIn(text: string, file: URL): URL[] {
  const names = [...text.matchAll(/^(?:import|export) (?!type )[^;]*? from '([#.][^']+)'/gms)].map(
    ([, name = '']) => name,
  );
  return names.map((name) => (name.startsWith('#') ? new URL(name.slice(1), SOURCES) : new URL(name, file)));
}
