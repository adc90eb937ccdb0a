import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Extent, PartCipher, PartCorrupted, type ReadAt } from './part-cipher.ts';
import { ProfileKey } from './profile-key.ts';

const key = new ProfileKey('aes-256-gcm', randomBytes(32));
const LABEL = 'upload token';

/** A file in memory is enough here: how it gets to disk is not the cipher's matter. */
const readerOf =
  (file: Buffer): ReadAt =>
  async (position, length) =>
    file.subarray(position, position + length);

async function part(contents: readonly Buffer[]): Promise<{ cipher: PartCipher; file: Buffer; end: Extent }> {
  const cipher = PartCipher.create(key, LABEL);
  let file = cipher.header;
  let end = cipher.beginning;
  for (const content of contents) {
    const chunk = await cipher.chunk(content, end);
    file = Buffer.concat([file, chunk]);
    end = { offset: end.offset + content.length, storedBytes: end.storedBytes + chunk.length };
  }
  return { cipher, file, end };
}

async function reopened(file: Buffer): Promise<PartCipher> {
  const cipher = await PartCipher.open(key, LABEL, readerOf(file));
  if (!cipher) throw new Error('it does not open');
  return cipher;
}

async function content(file: Buffer, end: Extent): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync((await reopened(file)).read(readerOf(file), end)));
}

const chunks = fc.array(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 6 },
);

describe('A part under a key', () => {
  it('is read back byte by byte, whatever pieces it came in', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, async (contents) => {
        const { file, end } = await part(contents);
        expect((await content(file, end)).equals(Buffer.concat(contents))).toBe(true);
        expect(end.offset).toBe(Buffer.concat(contents).length);
      }),
    );
  });

  it('knows after a crash, whatever was torn, how many bytes it has', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, fc.nat(2000), fc.uint8Array({ maxLength: 60 }), async (contents, cut, noise) => {
        const { cipher, file } = await part(contents);
        const kept = Math.max(cipher.header.length, Math.min(file.length, cut));
        const torn = Buffer.concat([file.subarray(0, kept), Buffer.from(noise)]);
        const end = await (await reopened(torn)).extent(readerOf(torn));
        expect(end.storedBytes).toBeLessThanOrEqual(kept === file.length ? file.length : kept);
        const whole = Buffer.concat(contents);
        expect((await content(torn, end)).equals(whole.subarray(0, end.offset))).toBe(true);
        if (kept === file.length) expect(end.offset).toBe(whole.length);
      }),
    );
  });

  it('goes on behind its last whole chunk, under a nonce that was not used for what was torn', async () => {
    const { file, end } = await part([Buffer.from('kept')]);
    const cipher = await reopened(file);
    const torn = await cipher.chunk(Buffer.from('one'), end);
    const again = await cipher.chunk(Buffer.from('two'), end);
    expect(torn.subarray(4, 16).equals(again.subarray(4, 16))).toBe(false);
    const longer = Buffer.concat([file, again]);
    const newEnd = await cipher.extent(readerOf(longer));
    expect((await content(longer, newEnd)).toString()).toBe('kepttwo');
  });

  it('is damaged when any byte of it is another one, or a chunk is missing, moved or repeated', async () => {
    const { file, end, cipher } = await part([Buffer.from('first'), Buffer.from('later')]);
    for (let byte = 0; byte < file.length; byte += 1) {
      const changed = Buffer.from(file);
      changed[byte] = (changed[byte] ?? 0) ^ 1;
      const opened = await PartCipher.open(key, LABEL, readerOf(changed));
      expect(opened === undefined, `byte ${byte}`).toBe(byte < cipher.header.length);
      if (opened) await expect(content(changed, end)).rejects.toBeInstanceOf(PartCorrupted);
    }
    const length = (file.length - cipher.header.length) / 2;
    const one = file.subarray(cipher.header.length, -length);
    const two = file.subarray(-length);
    for (const order of [[two, one], [one, one], [two]]) {
      await expect(content(Buffer.concat([cipher.header, ...order]), end)).rejects.toBeInstanceOf(PartCorrupted);
    }
  });

  it('holds nothing that can be read, and opens under its own label alone', async () => {
    const { file } = await part([Buffer.from('a known text')]);
    expect(file.includes('known')).toBe(false);
    expect(await PartCipher.open(key, 'another token', readerOf(file))).toBeUndefined();
    expect(await PartCipher.open(key, LABEL, readerOf(file.subarray(0, 30)))).toBeUndefined();
  });
});
