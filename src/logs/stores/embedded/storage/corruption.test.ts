import { globSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { PROTECTIONS } from '#test/support/engine-conformance/suite.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';
import { withCatalog } from './catalog-schema.ts';

const DAY = '2026-11-15';
const corruptFile = (file: string) => `table is damaged: web [file: ${file}]`;

describe.each(PROTECTIONS)('A damaged file of a table, %s,', (protection) => {
  let home: DuckdbHome;
  let spec: TableSpec;
  let other: TableSpec;
  const folder = () => join(home.folder, 'tables', `web.${spec.id}`);
  const numbers = async (table = spec) => (await home.read(table)).map(({ n }) => n);
  const append = async (n: number, table = spec) => home.engine.append(table, [record(`{"n":${n}}`, TIME + n)]);

  function flip(file: string, at: number): void {
    const path = join(folder(), file);
    const bytes = readFileSync(path);
    bytes[at < 0 ? bytes.length + at : at] = (bytes.at(at) ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }

  async function seal(): Promise<void> {
    await home.tick({ minutes: 6 });
  }

  beforeEach(async () => {
    home = await makeEngineHome();
    spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' }, protection);
    other = await home.createTable({ name: 'other', layout: 'columnar', compression: 'snappy' }, protection);
    await append(100, other);
  });
  afterEach(async () => {
    await home[Symbol.asyncDispose]();
    expect(home.failures).toEqual([]);
  });

  async function expectCorrupt(file: string): Promise<void> {
    await expect(numbers()).rejects.toThrow(corruptFile(file));
    await expect(home.count(spec, { from: TIME + 2 })).rejects.toThrow(corruptFile(file));
    expect(await numbers(other)).toEqual([100]);
    expect(home.corruptions.map(({ table, path }) => ({ table, path }))).toEqual([
      { table: 'web', path: join(folder(), file) },
    ]);
  }

  describe('its journal', () => {
    const file = '000001.journal';

    beforeEach(async () => {
      for (const n of [1, 2, 3]) await append(n);
    });

    it('is named and left as it is, while records go on into a new one', async () => {
      await home.engine.close();
      flip(file, -20);
      const before = readFileSync(join(folder(), file));
      await home.restart();
      await expectCorrupt(file);
      await append(4);
      await seal();
      await append(5);
      await seal();
      await expectCorrupt(file);
      await home.restart();
      await append(6);
      expect(readFileSync(join(folder(), file)).equals(before)).toBe(true);
      await expect(numbers()).rejects.toThrow(corruptFile(file));
    });

    it('is read again once it is mended, with everything that came after', async () => {
      await home.engine.close();
      const whole = readFileSync(join(folder(), file));
      flip(file, 30);
      await home.restart();
      await append(4);
      await seal();
      await append(5);
      await home.engine.close();
      writeFileSync(join(folder(), file), whole);
      await home.restart();
      const rows = await home.read(spec);
      expect(rows.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
      expect(new Set(rows.map(({ _id }) => _id)).size).toBe(5);
      await seal();
      await home.restart();
      expect(await numbers()).toEqual([1, 2, 3, 4, 5]);
      expect(globSync('*.journal', { cwd: folder() })).toHaveLength(1);
    });

    it('is given up by moving it away', async () => {
      await home.engine.close();
      flip(file, 30);
      await home.restart();
      await append(4);
      await seal();
      await home.engine.close();
      renameSync(join(folder(), file), join(home.folder, 'given-up'));
      await home.restart();
      expect(await numbers()).toEqual([4]);
    });
  });

  describe('a segment', () => {
    const file = `${DAY}/000001.parquet`;

    beforeEach(async () => {
      for (const n of [1, 2, 3]) await append(n);
      await seal();
      await home.restart();
    });

    it('is named when it is missing', async () => {
      rmSync(join(folder(), file));
      await expectCorrupt(file);
      await append(4);
      await expectCorrupt(file);
    });

    it('is named when its end is cut off', async () => {
      truncateSync(join(folder(), file), 200);
      await expectCorrupt(file);
    });

    it('is passed over when segments are merged, those of other tables are not', async () => {
      for (const table of [spec, other]) {
        for (const n of [4, 5, 6, 7]) {
          await append(n, table);
          await seal();
        }
      }
      const [merged = ''] = globSync(`${DAY}/*-*.parquet`, { cwd: folder() });
      await home.restart();
      truncateSync(join(folder(), merged), 100);
      for (const n of [8, 9, 10, 11]) {
        await append(n);
        await append(n, other);
        await seal();
      }
      await expect(numbers()).rejects.toThrow(corruptFile(merged));
      expect(await numbers(other)).toHaveLength(9);
      expect(home.corruptions.map(({ path }) => path)).toEqual([join(folder(), merged)]);
    });

    it('does not keep its days from being removed', async () => {
      rmSync(join(folder(), file));
      await append(4);
      await home.engine.removeDays(spec, DAY, DAY);
      expect(await numbers()).toEqual([]);
    });

    // Nothing proves a file in clear.
    if (protection === 'plain') return;

    it('is named when any byte is another one', async () => {
      const whole = readFileSync(join(folder(), file));
      for (const at of [0, 9, 20, 100, Math.floor(whole.length / 2), whole.length - 1]) {
        writeFileSync(join(folder(), file), whole);
        await home.restart();
        expect(await numbers()).toEqual([1, 2, 3]);
        flip(file, at);
        await home.restart();
        await expect(numbers(), `byte ${at}`).rejects.toThrow(corruptFile(file));
      }
      expect(new Set(home.corruptions.map(({ path }) => path))).toEqual(new Set([join(folder(), file)]));
    });

    it('is named when it is another one of the table', async () => {
      await append(4);
      await seal();
      const second = `${DAY}/000002.parquet`;
      await home.engine.close();
      const [one, two] = [file, second].map((name) => readFileSync(join(folder(), name))) as [Buffer, Buffer];
      writeFileSync(join(folder(), file), two);
      writeFileSync(join(folder(), second), one);
      await home.restart();
      await expect(numbers()).rejects.toThrow(corruptFile(file));
    });

    if (protection === 'encrypted') {
      it('is not all that is proven: the names of the fields in the catalog are, too', async () => {
        const [row] = await home.store.reader.all('select columns from log_tables where name = ?', ['web']);
        const columns = Buffer.from(String(row?.columns), 'base64');
        columns[20] = (columns[20] ?? 0) ^ 1;
        await home.store.write((db) =>
          withCatalog(db)
            .updateTable('log_tables')
            .set({ columns: columns.toString('base64') })
            .where('name', '=', 'web')
            .execute(),
        );
        await home.restart();
        await expect(numbers()).rejects.toThrow(corruptFile('columns in the catalog'));
        expect(await numbers(other)).toEqual([100]);
      });

      // A changed file is not met while its copy is read.
      return;
    }

    it('is named when it changes while the service runs', async () => {
      expect(await numbers()).toEqual([1, 2, 3]);
      flip(file, 100);
      await expectCorrupt(file);
    });
  });
});
