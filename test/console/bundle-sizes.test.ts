// What a browser has to fetch: the first page, and each page beyond it.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSOLE_FOLDER, type ConsoleManifest, MANIFEST_FILE } from '#runtime/bundle.ts';
import { ROOT } from '#test/support/sources.ts';

const FIRST_LOAD_BYTES = 350_000;
const PAGE_BYTES = 150_000;

const folder = join(ROOT, CONSOLE_FOLDER);
const gzipped = (path: string): number => statSync(join(folder, `${path}.gz`)).size;
const sum = (paths: Iterable<string>): number => [...paths].reduce((bytes, path) => bytes + gzipped(path), 0);

describe('The console', () => {
  const { first, pages }: ConsoleManifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8'));

  it(`loads at most ${FIRST_LOAD_BYTES} gzipped bytes first`, () => {
    expect(first.length).toBeGreaterThan(1);
    expect(sum(first)).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
  });

  it(`loads at most ${PAGE_BYTES} gzipped bytes more with each page`, () => {
    const sizes = Object.entries(pages).map(([page, files]) => [page, sum(new Set(files).difference(new Set(first)))]);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.filter(([, bytes]) => Number(bytes) > PAGE_BYTES)).toEqual([]);
  });
});
