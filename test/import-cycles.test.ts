// No file of the service imports itself over others at run time: what a cycle of modules sees of another one depends on which
// of them is loaded first. Nor does the start of the service import the language, which is loaded with the first query.
// Types are erased, and a dynamic import runs when all modules are there; both are left out.

import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTest, sourcesIn } from '#test/support/sources.ts';

type Imports = ReadonlyMap<string, readonly string[]>;

const imports: Imports = new Map(
  sourcesIn('src/**/*.ts')
    .filter((source) => !isTest(source))
    .map(({ path, text }) => [path, runtimeImports(path, text)]),
);

describe('Run-time imports', () => {
  it('have no cycle between files', () => {
    expect(cyclesIn(imports)).toEqual([]);
  });

  it('are followed far enough to find a cycle, and only at run time', () => {
    const files: Imports = new Map([
      ['src/a.ts', runtimeImports('src/a.ts', `import { b } from './b.ts';`)],
      ['src/b.ts', runtimeImports('src/b.ts', `import { c } from '#c.ts';\nimport type { D } from './d.ts';`)],
      ['src/c.ts', runtimeImports('src/c.ts', `export { a } from './a.ts';`)],
      ['src/d.ts', runtimeImports('src/d.ts', `import { b } from './b.ts';\nconst e = await import('./d.ts');`)],
    ]);
    expect(cyclesIn(files)).toEqual([['src/a.ts', 'src/b.ts', 'src/c.ts']]);
  });

  it('load no plan node, no command and no SQL of the language at the start of the service', () => {
    const loaded = filesLoadedWith(['src/app/app.ts', 'src/cli/serve/serve.ts'], imports);
    const isOfQueries = (file: string) => /^src\/query\/(nodes|commands|planning|analysis|sql|statements)\//.test(file);
    expect(loaded).toContain('src/queries/live-queries.ts');
    expect(loaded.filter(isOfQueries)).toEqual([]);
    // The first query loads them.
    const ofQuery = filesLoadedWith(['src/queries/query-checker.ts'], imports);
    expect(ofQuery).toEqual(expect.arrayContaining(['src/query/nodes/index.ts', 'src/query/commands/index.ts']));
  });
});

/** Paths of the project's own files. */
function runtimeImports(path: string, text: string): string[] {
  const targets = [...text.matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)'/gm)];
  return targets.flatMap(([, target = '']) => {
    if (target.startsWith('#test/')) return [];
    if (target.startsWith('#')) return [`src/${target.slice(1)}`];
    return target.startsWith('.') ? [join(dirname(path), target)] : [];
  });
}

/** The entries and every file that they import, directly or over others. */
function filesLoadedWith(entries: readonly string[], files: Imports): string[] {
  const loaded = new Set(entries);
  // A set also iterates over the items that are added meanwhile.
  for (const file of loaded) for (const target of files.get(file) ?? []) loaded.add(target);
  return [...loaded];
}

/** Strongly connected components of more than one file, after Tarjan; each sorted. */
function cyclesIn(files: Imports): string[][] {
  const [order, lowest] = [new Map<string, number>(), new Map<string, number>()];
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    let low = own;
    stack.push(file);
    for (const target of files.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    lowest.set(file, low);
    if (low !== own) return low;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) cycles.push(component.sort());
    return low;
  };
  for (const file of files.keys()) if (!order.has(file)) visit(file);
  return cycles.sort();
}
