import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decryptFile, encryptFile, Tampered } from './file-cipher.ts';
import { ALGORITHMS, KEY_BYTES, ProfileKey } from './profile-key.ts';

const PIECE = 1024 * 1024;
const LABEL = 'segment 1 2026-11-15/000001.parquet';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-cipher-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function encrypt(key: ProfileKey, content: Buffer, label = LABEL): Promise<Buffer> {
  writeFileSync(at('clear'), content);
  await using from = await open(at('clear'), 'r');
  await using to = await open(at('sealed'), 'w');
  expect(await encryptFile(from, to, key, label)).toBe(readFileSync(at('sealed')).length);
  return readFileSync(at('sealed'));
}

async function decrypt(key: ProfileKey, sealed: Buffer, label = LABEL): Promise<Buffer> {
  writeFileSync(at('sealed'), sealed);
  await using from = await open(at('sealed'), 'r');
  await using to = await open(at('again'), 'w');
  await decryptFile(from, to, key, label);
  return readFileSync(at('again'));
}

describe.each(ALGORITHMS)('A file under %s', (algorithm) => {
  const key = new ProfileKey(algorithm, randomBytes(KEY_BYTES[algorithm]));
  const HEADER = 10 + key.wrappedBytes;

  it.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 9 * PIECE, 9 * PIECE + 17])('comes back, all %i bytes', async (bytes) => {
    const content = randomBytes(bytes);
    const sealed = await encrypt(key, content);
    expect((await decrypt(key, sealed)).equals(content)).toBe(true);
  });

  it('holds nothing of what it holds, and never the same twice', async () => {
    const content = Buffer.from('a known text '.repeat(1000));
    const one = await encrypt(key, content);
    const two = await encrypt(key, content);
    expect(one.includes('known')).toBe(false);
    expect(one.subarray(10).equals(two.subarray(10))).toBe(false);
  });

  it('is refused when any byte of it is another one', async () => {
    const sealed = await encrypt(key, randomBytes(200));
    for (let byte = 0; byte < sealed.length; byte += 1) {
      const changed = Buffer.from(sealed);
      changed[byte] = (changed[byte] ?? 0) ^ 1;
      await expect(decrypt(key, changed), `byte ${byte}`).rejects.toBeInstanceOf(Tampered);
    }
  });

  it('is refused when it is cut, reordered, repeated, lengthened, or another one', async () => {
    const stored = PIECE + 16;
    const sealed = await encrypt(key, randomBytes(3 * PIECE));
    const other = await encrypt(key, randomBytes(3 * PIECE));
    const pieces = [0, 1, 2].map((number) => sealed.subarray(HEADER + number * stored, HEADER + (number + 1) * stored));
    const [first, second, third] = pieces as [Buffer, Buffer, Buffer];
    const header = sealed.subarray(0, HEADER);
    const wrong = {
      'at its end': Buffer.concat([header, first, second]),
      'in a piece': sealed.subarray(0, sealed.length - 1),
      'to its header': header,
      'in its header': header.subarray(0, 20),
      'to nothing': Buffer.alloc(0),
      'in its middle': Buffer.concat([header, first, third]),
      reordered: Buffer.concat([header, second, first, third]),
      repeated: Buffer.concat([header, first, first, third]),
      lengthened: Buffer.concat([sealed, third]),
      'with a byte more': Buffer.concat([sealed, Buffer.alloc(1)]),
      'with the header of another': Buffer.concat([other.subarray(0, HEADER), first, second, third]),
      'with a piece of another': Buffer.concat([header, other.subarray(HEADER, HEADER + stored), second, third]),
    };
    for (const [how, bytes] of Object.entries(wrong)) {
      await expect(decrypt(key, bytes), how).rejects.toBeInstanceOf(Tampered);
    }
    await expect(decrypt(key, sealed, 'segment 2')).rejects.toBeInstanceOf(Tampered);
    const foreign = new ProfileKey(algorithm, randomBytes(KEY_BYTES[algorithm]));
    await expect(decrypt(foreign, sealed)).rejects.toBeInstanceOf(Tampered);
    expect((await decrypt(key, sealed)).length).toBe(3 * PIECE);
  });
});
