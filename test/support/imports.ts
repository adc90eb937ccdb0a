// Which of the project's own files import which others, by their text.

import { dirname, join } from 'node:path';
import type { Source } from './sources.ts';

export type Imports = ReadonlyMap<string, readonly string[]>;

const ROOTS = { '#test/': 'test/', '#console/': 'console/src/', '#': 'src/' };
const RUNTIME = /^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)'/gm;
/** Types and imports at run time, too. */
const ANY = /(?:^(?:import|export) (?:[^;']*? from )?|\bimport\()'([^']+)'/gm;

/** Of types nothing is left at run time, and a dynamic import runs when all modules are there; both are left out. */
export const runtimeImports = (source: Source): string[] => targetsIn(source, RUNTIME);

export const allImports = (source: Source): string[] => targetsIn(source, ANY);

function targetsIn({ path, text }: Source, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, target = '']) => {
    if (target.startsWith('.')) return [join(dirname(path), target)];
    const root = Object.entries(ROOTS).find(([prefix]) => target.startsWith(prefix));
    return root ? [root[1] + target.slice(root[0].length)] : [];
  });
}

/** The entries and every file that they lead to, directly or over others. */
export function reachedFrom(entries: Iterable<string>, links: Imports): ReadonlySet<string> {
  const reached = new Set(entries);
  // A set also iterates over the items that are added meanwhile.
  for (const file of reached) for (const target of links.get(file) ?? []) reached.add(target);
  return reached;
}

/** Who imports each file. */
export function importersOf(imports: Imports): Imports {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  return importers;
}
