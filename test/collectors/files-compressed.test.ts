// Files that are rotated and compressed between two looks.

import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { lines } from '#test/support/collected-logs.ts';
import { createCollector } from '#test/support/collectors.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const root = mkdtempSync(join(tmpdir(), 'vigil-compressed-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const compressors = { gz: gzipSync, zst: zstdCompressSync } as const;

/** As `gzip` does: the compressed file takes the place of the other. */
function compress(path: string, ending: keyof typeof compressors): void {
  writeFileSync(`${path}.${ending}`, compressors[ending](readFileSync(path)));
  rmSync(path);
}

onEachDatabase(
  'A file that was compressed before it was read to its end',
  (subject) => {
    let count = 0;
    const follow = async (from: 'start' | 'end', content: string) => {
      count += 1;
      const table = `compressed${subject.database}${count}`;
      const folder = join(root, table);
      mkdirSync(folder);
      const file = join(folder, 'app.log');
      writeFileSync(file, content);
      await createCollector(subject, { table, factory: 'file', configs: { path: folder, pattern: 'app*', from } });
      return { table, folder, file };
    };

    it.each(['gz', 'zst'] as const)('while the service was stopped is read on from there, once: %s', async (ending) => {
      const { table, file } = await follow('start', 'one\ntwo\n');
      expect(await lines(subject, table, 2)).toEqual(['one', 'two']);
      await subject.service.stop();
      appendFileSync(file, 'three\nfour without an end');
      renameSync(file, `${file}.1`);
      compress(`${file}.1`, ending);
      writeFileSync(file, 'five\n');
      await subject.service.restart();
      const all = ['one', 'two', 'three', 'four without an end', 'five'];
      expect((await lines(subject, table, 5)).toSorted()).toEqual(all.toSorted());
      await subject.service.restart();
      appendFileSync(file, 'six\n');
      expect((await lines(subject, table, 6)).toSorted()).toEqual([...all, 'six'].toSorted());
    });

    it('after it was copied and emptied is read from the compressed copy, then from its beginning', async () => {
      const { table, file } = await follow('start', 'one\n');
      expect(await lines(subject, table, 1)).toEqual(['one']);
      appendFileSync(file, 'two\nthree\n');
      writeFileSync(`${file}.1.gz`, gzipSync(readFileSync(file)));
      truncateSync(file);
      appendFileSync(file, 'four\n');
      expect((await lines(subject, table, 4)).toSorted()).toEqual(['four', 'one', 'three', 'two']);
      appendFileSync(file, 'five\n');
      expect((await lines(subject, table, 5)).at(-1)).toBe('five');
    });

    it('in several rotations is read from the one that it became', async () => {
      const { table, file } = await follow('start', 'banner\nday 1\n');
      expect(await lines(subject, table, 2)).toEqual(['banner', 'day 1']);
      await subject.service.stop();
      // An older file, of another beginning, a broken one, and one that nothing was ever read of.
      writeFileSync(`${file}.4.gz`, gzipSync('something else\nold\n'));
      writeFileSync(`${file}.3.gz`, gzipSync(readFileSync(file)).subarray(0, 15));
      appendFileSync(file, 'day 1, later\n');
      renameSync(file, `${file}.2`);
      compress(`${file}.2`, 'gz');
      writeFileSync(`${file}.1`, 'never seen\n');
      compress(`${file}.1`, 'gz');
      writeFileSync(file, 'day 3\n');
      await subject.service.restart();
      expect((await lines(subject, table, 4)).toSorted()).toEqual(
        ['banner', 'day 1', 'day 1, later', 'day 3'].toSorted(),
      );
    });
  },
  { flags: { 'collect-folders': root } },
);
