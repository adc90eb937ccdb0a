// No file of the service imports itself over others at run time: what a cycle of modules sees of another one depends on which
// of them is loaded first. Nor does the start of the service import the language, which is loaded with the first query.
// Types are erased, and a dynamic import runs when all modules are there; both are left out.

import { describe, expect, it } from 'vitest';
import { type Imports, reachedFrom, runtimeImports } from '#test/support/imports.ts';
import { isTest, sourcesIn } from '#test/support/sources.ts';

const imports: Imports = new Map(
  sourcesIn('src/**/*.ts')
    .filter((source) => !isTest(source))
    .map((source) => [source.path, runtimeImports(source)]),
);

describe('Run-time imports', () => {
  it('have no cycle between files', () => {
    expect(cyclesIn(imports)).toEqual([]);
  });

  it('are followed far enough to find a cycle, and only at run time', () => {
    const importsOf = (path: string, text: string) => [path, runtimeImports({ path, text })] as const;
    const files: Imports = new Map([
      importsOf('src/a.ts', `import { b } from './b.ts';`),
      importsOf('src/b.ts', `import { c } from '#c.ts';\nimport type { D } from './d.ts';`),
      importsOf('src/c.ts', `export { a } from './a.ts';`),
      importsOf('src/d.ts', `import { b } from './b.ts';\nconst e = await import('./d.ts');`),
    ]);
    expect(cyclesIn(files)).toEqual([['src/a.ts', 'src/b.ts', 'src/c.ts']]);
  });

  it('load no plan node, no command and no SQL of the language at the start of the service', () => {
    const loaded = [...reachedFrom(['src/app/app.ts', 'src/cli/serve/serve.ts'], imports)];
    const isOfQueries = (file: string) =>
      /^src\/query\/(plan-nodes|commands|planning|analysis|sql|statements)\//.test(file);
    expect(loaded).toContain('src/queries/live-queries.ts');
    expect(loaded.filter(isOfQueries)).toEqual([]);
    // The first query loads them.
    const ofQuery = [...reachedFrom(['src/queries/check/query-checker.ts'], imports)];
    expect(ofQuery).toEqual(expect.arrayContaining(['src/query/plan-nodes/index.ts', 'src/query/commands/index.ts']));
  });
});

/** Strongly connected components of more than one file, after Tarjan; each sorted. */
function cyclesIn(files: Imports): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
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
