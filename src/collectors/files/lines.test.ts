import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Charset } from './charset.ts';
import { type FileLine, LineSource } from './lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const MIB = 1024 * 1024;

/** All steps one after another, as far as there is one. */
async function read(bytes: Buffer, { charset = 'utf-8', lineBytes = 2 * MIB, takesRest = false, from = 0 } = {}) {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  await using file = await open(path);
  const source = new LineSource(new Charset(charset), lineBytes);
  const lines: FileLine[] = [];
  let position = from;
  for (;;) {
    const step = await source.read(file, { position, until: bytes.length, searched: 0, takesRest });
    if (!step) return { lines, position };
    lines.push(...step.lines);
    position = step.end;
  }
}

const texts = ({ lines }: { lines: readonly FileLine[] }) => lines.map(({ text }) => text);

describe('Lines of a file', () => {
  it.each([
    ['', false, [], 0],
    ['a\nb\n', false, ['a', 'b'], 4],
    ['a\r\n\nb', false, ['a', ''], 4],
    ['a\nb', true, ['a', 'b'], 3],
    ['\ufeffa\n', false, ['a'], 5],
  ] as const)('of %j, the rest taken: %s', async (text, takesRest, expected, position) => {
    const found = await read(Buffer.from(text), { takesRest });
    expect([texts(found), found.position]).toEqual([expected, position]);
  });

  it('are whole wherever a step ends, however long they are', async () => {
    const lines = [10, MIB - 20, 9, 1, MIB, 2 * MIB, 5, 2 * MIB - 3, 7].map((length, index) =>
      String(index).repeat(length),
    );
    const found = await read(Buffer.from(`${lines.join('\n')}\n`));
    expect(texts(found).map((text) => `${text[0]} ${text.length}`)).toEqual(
      lines.map((text) => `${text[0]} ${text.length}`),
    );
    expect(found.lines.some(({ isCut }) => isCut)).toBe(false);
  });

  it('that are too long are cut, short ones beside them are not', async () => {
    const text = `${'a'.repeat(200)}\nb\n${'c'.repeat(3 * MIB)}\nd\n`;
    const { lines, position } = await read(Buffer.from(text), { lineBytes: 100 });
    expect(lines).toEqual([
      { text: 'a'.repeat(100), isCut: true },
      { text: 'b', isCut: false },
      { text: 'c'.repeat(100), isCut: true },
      { text: 'd', isCut: false },
    ]);
    expect(position).toBe(text.length);
  });

  it.each(['utf-16le', 'utf-16be'])('of %s are not torn where two letters look like a line feed', async (charset) => {
    const text = '\u0a41\u0100\u0a00\u010a\nnext\n';
    const little = Buffer.from(text, 'utf16le');
    const bytes = charset === 'utf-16le' ? little : little.swap16();
    expect(texts(await read(bytes, { charset }))).toEqual(['\u0a41\u0100\u0a00\u010a', 'next']);
    const long = Buffer.from(`${'\u0a41\u0100'.repeat(MIB / 2)}\nnext\n`, 'utf16le');
    const found = await read(charset === 'utf-16le' ? long : long.swap16(), { charset, lineBytes: 4 * MIB });
    expect(texts(found).map(({ length }) => length)).toEqual([MIB, 4]);
  });

  it('begin where the last one before a place does', async () => {
    const path = join(folder, 'file');
    const source = new LineSource(new Charset('utf-8'), 100);
    for (const [text, expected] of [
      ['', 0],
      ['abc', 0],
      ['a\n', 2],
      ['a\nb', 2],
      [`a\n${'x'.repeat(2 * MIB)}`, 2 * MIB + 2],
    ] as const) {
      writeFileSync(path, text);
      await using file = await open(path);
      expect(await source.lineStartBefore(file, text.length)).toBe(expected);
    }
  });
});
