import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fsync, fsyncSync, makeFolder, makeFolderSync } from './durable.ts';
import { makeNamelessFile, makeUnlinkedFile } from './nameless.ts';
import { readUpTo, readWhole, writeWhole } from './whole.ts';

const root = mkdtempSync(join(tmpdir(), 'vigil-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'));
});

const CONTENT = Buffer.from('0123456789');

describe('Reading and writing whole', () => {
  const opened = async (): Promise<FileHandle> => {
    writeFileSync(join(folder, 'file'), CONTENT);
    return await open(join(folder, 'file'), 'r+');
  };

  it.each([
    [0, 10, '0123456789'],
    [3, 4, '3456'],
    [7, 3, '789'],
    [10, 0, ''],
  ])('reads what stands at %i, %i bytes long', async (position, length, text) => {
    await using file = await opened();
    expect((await readWhole(file, position, length)).toString()).toBe(text);
    expect((await readUpTo(file, position, length)).toString()).toBe(text);
  });

  it.each([
    [0, 11, '0123456789'],
    [8, 4, '89'],
    [10, 1, ''],
    [99, 1, ''],
  ])('reads at %i, %i bytes long, as far as the file goes, or complains', async (position, length, text) => {
    await using file = await opened();
    expect((await readUpTo(file, position, length)).toString()).toBe(text);
    await expect(readWhole(file, position, length)).rejects.toThrow('the file has become shorter');
  });

  it('writes at a place and leaves the rest', async () => {
    await using file = await opened();
    await writeWhole(file, Buffer.from('abc'), 4);
    await writeWhole(file, Buffer.from('xyz'), 9);
    await writeWhole(file, Buffer.alloc(0), 0);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('0123abc78xyz');
  });

  it.runIf(process.platform === 'linux')('goes on after a read that gave less than there is', async () => {
    await using file = await open('/proc/self/smaps', 'r');
    const length = 20_000;
    // The kernel gives these a few pages at a time.
    expect((await file.read(Buffer.alloc(length), 0, length, 0)).bytesRead).toBeLessThan(length);
    expect((await readUpTo(file, 0, length)).length).toBe(length);
  });

  it('goes on after a write that took less than it was given', async () => {
    await using file = await opened();
    // No file takes less on demand, so this one is given less.
    const write = (bytes: Buffer, at: number, length: number, position: number) =>
      file.write(bytes, at, Math.min(3, length), position);
    await writeWhole(Object.assign(Object.create(file), { write }), Buffer.from('abcdefgh'), 1);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('0abcdefgh9');
  });
});

describe.each([
  { name: 'Making durable', flush: fsync, make: makeFolder },
  {
    name: 'Making durable while everything waits',
    flush: async (path: string) => fsyncSync(path),
    make: async (path: string) => makeFolderSync(path),
  },
])('$name', ({ flush, make }) => {
  it('flushes files and folders by name, and complains about what is not there', async () => {
    writeFileSync(join(folder, 'file'), CONTENT);
    await flush(join(folder, 'file'));
    await flush(folder);
    await expect(flush(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('makes a folder and its parents for their owner alone, once or again', async () => {
    const path = join(folder, 'a', 'b', 'c');
    for (const again of [path, path, `${path}/`, `${folder}/none/../a/b`, relative(process.cwd(), join(path, 'd'))])
      await make(again);
    for (const name of ['a', 'a/b', 'a/b/c', 'a/b/c/d']) {
      expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o700);
    }
  });

  it('makes a folder behind a link', async () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    await make(join(folder, 'link', 'a', 'b'));
    expect(readdirSync(join(folder, 'real', 'a'))).toEqual(['b']);
  });

  it('does not take a file for a folder', async () => {
    writeFileSync(join(folder, 'file'), CONTENT);
    await expect(make(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

describe.each([
  ['from the start', makeNamelessFile],
  ['once it is made', makeUnlinkedFile],
  ['on macOS', (folder: string) => makeNamelessFile(folder, 'darwin')],
])('A file without a name %s', (_, make) => {
  it('keeps what is written, and is in no folder', async () => {
    await using file = await make(folder);
    await writeWhole(file.handle, CONTENT, 0);
    expect(readdirSync(folder)).toEqual([]);
    expect(await readWhole(file.handle, 0, CONTENT.length)).toEqual(CONTENT);
    expect((await file.handle.stat()).nlink).toBe(0);
    expect((await file.handle.stat()).mode & 0o777).toBe(0o600);
  });

  it('is reached through its descriptor until it is disposed of', async () => {
    const file = await make(folder);
    writeFileSync(file.path, CONTENT);
    expect(readFileSync(file.path)).toEqual(CONTENT);
    await file[Symbol.asyncDispose]();
    await expect(file.handle.stat()).rejects.toMatchObject({ code: 'EBADF' });
  });

  it('is not made where there is no folder', async () => {
    await expect(make(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
