// Figures of tables, and how a table comes into being.

import { expect } from 'vitest';
import { DAY, record, TIME } from './samples.ts';
import { type EngineMaker, onPlainTable } from './suite.ts';

export function figurePromises(maker: EngineMaker): void {
  onPlainTable(maker, 'figures', (subject) => {
    const statsOf = async (id = subject.table.id) => (await subject.home.engine.stats([id])).get(id);

    subject.promise('figures', 'tell rows, bytes and times of fresh, sealed and removed records', async () => {
      const { home, table } = subject;
      expect(await statsOf()).toMatchObject({ rows: 0, dataBytes: 0, minTime: undefined, maxTime: undefined });
      await home.engine.append(table, [record('{"n":1}'), record('{"n":2}', TIME - DAY)]);
      const fresh = await statsOf();
      expect(fresh).toMatchObject({ rows: 2, minTime: TIME - DAY, maxTime: TIME });
      expect(fresh?.dataBytes).toBeGreaterThan(0);
      for (const step of [() => home.restart(), () => home.tick({ minutes: 6 }), () => home.restart()]) {
        await step();
        expect(await statsOf()).toMatchObject({ rows: 2, minTime: TIME - DAY, maxTime: TIME });
        expect((await statsOf())?.dataBytes).toBeGreaterThan(0);
      }
      await home.engine.removeDays(table, '2026-11-15', '2026-11-15');
      expect(await statsOf()).toMatchObject({ rows: 1, minTime: TIME - DAY, maxTime: TIME - DAY });
    });

    subject.promise('figures', 'are asked for many tables at once; the total is that of all tables', async () => {
      const { home, table } = subject;
      const other = await home.createTable({ name: 'other', layout: 'row', compression: 'deflate' });
      const empty = await home.createTable({ name: 'empty', layout: 'row', compression: 'deflate' });
      await home.engine.append(table, [record('{"n":1}')]);
      await home.engine.append(other, [record('{"n":1}'), record('{"n":2}')]);
      await home.tick({ minutes: 6 });
      await home.engine.append(other, [record('{"n":3}')]);
      const gone = empty.id + 1;
      const stats = await home.engine.stats([table.id, other.id, empty.id, gone]);
      expect([table.id, other.id, empty.id, gone].map((id) => stats.get(id)?.rows)).toEqual([1, 3, 0, undefined]);
      const bytes = [...stats.values()].reduce((total, { dataBytes, indexBytes }) => total + dataBytes + indexBytes, 0);
      expect(await home.engine.totalBytes()).toBe(bytes);
    });

    subject.promise('figures', 'include what queries take right now', async () => {
      const { home, table } = subject;
      await home.engine.append(table, [record('{"n":1}')]);
      await home.engine.check();
      const use = await home.engine.use();
      expect(use).toMatchObject({ running: 0, waiting: 0 });
      expect(Math.min(use.memoryBytes, use.diskBytes)).toBeGreaterThanOrEqual(0);
    });

    subject.promise('creation', 'of a new table are there with its row, and not when its unit is undone', async () => {
      const { home } = subject;
      const row = {
        name: 'made',
        layout: 'columnar',
        compression: 'snappy',
        retention: 0,
        group_guid: null,
        schema_code: null,
        search: 'made',
        created_at: 1,
        updated_at: 1,
      } as const;
      let undone = 0;
      const failing = home.store.write(async (db) => {
        undone = await home.engine.insertTable(db, row);
        throw new Error('undone');
      });
      await expect(failing).rejects.toThrow('undone');
      expect(await statsOf(undone)).toBeUndefined();
      const id = await home.store.write((db) => home.engine.insertTable(db, row));
      expect(await statsOf(id)).toMatchObject({ rows: 0 });
      const made = { id, name: 'made', layout: 'columnar', compression: 'snappy' } as const;
      await home.engine.append(made, [record('{"n":1}')]);
      expect(await home.count(made, {})).toBe(1);
    });
  });
}
