// The project's own source files, for the tests that hold its structure.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Source {
  /** Relative to the root of the project. */
  readonly path: string;
  readonly text: string;
}

export function sourcesIn(...patterns: readonly string[]): Source[] {
  const paths = patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**', '**/generated/**'] }),
  );
  return paths.sort().map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

export const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts');
