import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkKeysFolder } from './keys-folder.ts';

describe('A keys folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-keys-'));
    mkdirSync(join(folder, 'inner'), { mode: 0o700 });
    writeFileSync(join(folder, 'inner/key'), '', { mode: 0o600 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const own = () => [process.getegid?.() ?? 0];
  const open = (who: string) => expect.objectContaining({ code: 'keys-folder-open', values: { who, folder } });

  it('that nobody else can read is right, and so is one that does not exist yet', () => {
    expect(checkKeysFolder(folder)).toBeUndefined();
    expect(checkKeysFolder(join(folder, 'none'))).toBeUndefined();
  });

  it.each([
    { it: 'others can list', path: '', mode: 0o704 },
    { it: 'others can look into', path: '', mode: 0o701 },
    { it: 'others can read a file of', path: 'inner/key', mode: 0o604 },
    { it: 'others can write to a file of', path: 'inner/key', mode: 0o602 },
  ])('that $it is refused', ({ path, mode }) => {
    chmodSync(join(folder, path), mode);
    expect(() => checkKeysFolder(folder)).toThrow(open('o'));
  });

  it('that a group can read is refused, unless it is a group of the process: then it is a warning', () => {
    chmodSync(join(folder, 'inner/key'), 0o640);
    expect(() => checkKeysFolder(folder, [])).toThrow(open('g'));
    const warning = `the group of this process can read the keys folder: chmod -R g= ${folder}`;
    expect(checkKeysFolder(folder, own())).toBe(warning);
  });
});
