// Documents name files of the project: each of them exists, by its whole path or by a path inside of src.

import { existsSync, globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sourcesIn } from '#test/support/sources.ts';

const documents = sourcesIn('*.md', 'docs/*.md', 'docs/adr/*.md', 'test/support/*.md', 'bench/*.md');
const rooms = globSync('src/*/', { cwd: ROOT }).map((path) => path.split('/')[1]);

/** Paths in backticks, from the root or from `src`: `query/query.ts` is `src/query/query.ts`. */
const NAMED = /`((?:[\w.-]+\/)+[\w.<>-]*(?:\.ts|\.md|\/)?)`/g;
const isFromRoot = (path: string) => /^(src|console|test|bin|bench|docs|\.ci)\//.test(path);
const isFromSource = (path: string) => rooms.includes(path.split('/')[0]);
/** A path with `<noun>` or `NNNN` stands for many. */
const isPattern = (path: string) => /<|NNNN|\.\.\./.test(path);

function missingPaths(text: string): string[] {
  const named = [...text.matchAll(NAMED)].map(([, path = '']) => path).filter((path) => !isPattern(path));
  const ours = named.filter((path) => isFromRoot(path) || (isFromSource(path) && path.endsWith('.ts')));
  return ours.filter((path) => !existsSync(join(ROOT, isFromRoot(path) ? path : `src/${path}`)));
}

const missingLinks = (path: string, text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => normalize(join(dirname(path), target)))
    .filter((target) => !existsSync(join(ROOT, target)));

describe('The map of the test helpers', () => {
  it('has a line for every file', () => {
    const map = sourcesIn('test/support/README.md')[0]?.text ?? '';
    const listed = [...map.matchAll(/^\| `([\w-]+\.ts)` \|/gm)].map(([, name]) => `test/support/${name}`);
    expect(listed.toSorted()).toEqual(sourcesIn('test/support/*.ts').map(({ path }) => path));
  });
});

describe('The documents', () => {
  for (const { path, text } of documents) {
    it(`name files that exist: ${path}`, () => {
      expect(missingPaths(text)).toEqual([]);
    });

    it(`link to files that exist: ${path}`, () => {
      expect(missingLinks(path, text)).toEqual([]);
    });
  }
});
