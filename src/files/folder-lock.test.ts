import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identifyFolder } from './folder-identity.ts';
import { lockFolder } from './folder-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('The lock of a data folder', () => {
  it('is held once, and can be had again when it was released', () => {
    const first = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(
      expect.objectContaining({ code: 'data-folder-in-use', values: { folder } }),
    );
    first[Symbol.dispose]();
    lockFolder(folder)[Symbol.dispose]();
  });
});

describe('The identity of a data folder', () => {
  it('stays with the folder wherever it is moved to', () => {
    const data = join(folder, 'data');
    lockFolder(data)[Symbol.dispose]();
    const made = identifyFolder(data);
    expect(identifyFolder(data)).toEqual(made);
    renameSync(data, join(folder, 'moved'));
    expect(identifyFolder(join(folder, 'moved'))).toEqual(made);
  });

  it('of a copy is the same in another file', () => {
    const one = join(folder, 'one');
    const copy = join(folder, 'copy');
    for (const each of [one, copy]) lockFolder(each)[Symbol.dispose]();
    const { guid, inode } = identifyFolder(one);
    writeFileSync(join(copy, 'folder-id'), readFileSync(join(one, 'folder-id')));
    expect(identifyFolder(copy).guid).toBe(guid);
    expect(identifyFolder(copy).inode).not.toBe(inode);
  });

  it('is made anew where what stands there is none', () => {
    writeFileSync(join(folder, 'folder-id'), 'x'.repeat(8));
    expect(identifyFolder(folder).guid).toMatch(/^[0-9a-f-]{36}$/);
  });
});
