import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LAYOUTS, type RecordRun, TableGone, type TableSpec } from '#engines/engine.ts';
import { shapeOf } from '#engines/shape.ts';
import { Shapes } from '#ingest/shapes.ts';
import { type EngineHome, makeEngineHome, PROTECTIONS, record, segmentsIn, TIME } from '#test/support/log-engine.ts';

const DAY = 86_400_000;

describe.each(LAYOUTS.flatMap((layout) => PROTECTIONS.map((protection) => ({ layout, protection }))))(
  'Staged records of a $layout table, $protection',
  ({ layout, protection }) => {
    let home: EngineHome;
    let spec: TableSpec;
    const numbered = (from: number, count: number, time = TIME) =>
      Array.from({ length: count }, (_, index) => record(`{"n":${from + index}}`, time));
    const numbers = async () => (await home.read(spec)).map(({ n }) => n);
    const files = () => globSync('**/*{.parquet*,.ndjson}', { cwd: join(home.folder, 'tables') });
    const nothing = async () => {};

    beforeEach(async () => {
      home = await makeEngineHome();
      spec = await home.createTable({ name: 'web', layout, compression: 'snappy' }, protection);
    });
    afterEach(async () => {
      await home[Symbol.asyncDispose]();
      expect(home.failures).toEqual([]);
    });

    it('are the same when they come as the lines they were sent in', async () => {
      const sent = ['{"n":1,"s":"x"}', '{"n":2,"s":"\\"한글\\""}', '{"n":3,"s":""}'];
      const timed = ['{"_time":1763175600000,"n":4}', '{"_time":1763175600001,"n":5}'];
      const odd = ['{"n":"six","s":6}', '{"n":"seven","s":7}'];
      const staging = await home.engine.stage(spec);
      for (const lines of [sent, timed, odd]) await staging.add(runOf(lines));
      await staging.commit(nothing);
      const rows = await home.read(spec);
      const expected = [...sent, ...timed, ...odd].map((text) => JSON.parse(text));
      expect(rows.map(({ _id, _table, _time, ...fields }) => fields).sort(byNumber)).toEqual(
        expected.map(({ _time, ...fields }) => fields).sort(byNumber),
      );
      expect(rows.find(({ n }) => n === 5)?._time).toBe(1_763_175_600_001);
      expect(rows.find(({ n }) => n === 1)?._time).toBe(TIME);
    });

    it('are seen by nobody before the commit, and then all of them', async () => {
      const staging = await home.engine.stage(spec);
      await staging.add(numbered(0, 3));
      await staging.add(numbered(3, 2, TIME - DAY));
      expect(await numbers()).toEqual([]);
      await staging.commit(nothing);
      expect((await numbers()).sort()).toEqual([0, 1, 2, 3, 4]);
      expect((await segmentsIn(home.store)).map(({ day, rows }) => ({ day, rows }))).toEqual([
        { day: '2026-11-14', rows: 2 },
        { day: '2026-11-15', rows: 3 },
      ]);
      await home.restart();
      expect((await numbers()).sort()).toEqual([0, 1, 2, 3, 4]);
    });

    it('have ids of their own, whatever is appended and sealed meanwhile', async () => {
      const staging = await home.engine.stage(spec);
      for (let round = 0; round < 4; round += 1) {
        await staging.add(numbered(round * 10, 5));
        await home.engine.append(spec, numbered(round * 10 + 5, 5));
        await home.tick({ minutes: 6 });
      }
      await staging.commit(nothing);
      await home.restart();
      await home.engine.append(spec, numbered(40, 1));
      const rows = await home.read(spec);
      expect(new Set(rows.map(({ _id }) => _id)).size).toBe(41);
      expect(Math.max(...rows.map(({ _id }) => Number(_id)))).toBe(rows.find(({ n }) => n === 40)?._id);
    });

    it('survive merges whose ids they lie between', async () => {
      const stagings = await Promise.all(Array.from({ length: 8 }, () => home.engine.stage(spec)));
      await home.engine.append(spec, numbered(0, 1));
      await home.tick({ minutes: 6 });
      for (const [index, staging] of stagings.entries()) await staging.add(numbered(100 + index, 1));
      for (let round = 1; round < 4; round += 1) {
        await home.engine.append(spec, numbered(round, 1));
        await home.tick({ minutes: 6 });
      }
      expect(await segmentsIn(home.store)).toHaveLength(1);
      for (const staging of stagings.slice(0, 4)) await staging.commit(nothing);
      await home.tick({ minutes: 6 });
      for (const staging of stagings.slice(4)) await staging.commit(nothing);
      await home.tick({ minutes: 6 });
      const expected = [0, 1, 2, 3, ...Array.from({ length: 8 }, (_, index) => 100 + index)];
      expect((await numbers()).map(Number).sort((a, b) => a - b)).toEqual(expected);
    });

    it('are written with what is written alongside, or not at all', async () => {
      const staging = await home.engine.stage(spec);
      await staging.add(numbered(0, 3));
      await expect(staging.commit(() => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
      expect(await numbers()).toEqual([]);
      expect(files()).toEqual([]);
      const second = await home.engine.stage(spec);
      await second.add(numbered(0, 3));
      await second.commit(async (db) => {
        await db.updateTable('log_tables').set({ retention: 77 }).where('id', '=', spec.id).execute();
      });
      expect(await numbers()).toEqual([0, 1, 2]);
      expect(await home.store.reader.all('select retention from log_tables')).toEqual([{ retention: 77 }]);
    });

    it('leave nothing when they are discarded, and a second time does nothing', async () => {
      const staging = await home.engine.stage(spec);
      for (let day = 0; day < 40; day += 1) await staging.add(numbered(0, 10, TIME - day * DAY));
      // More days than are kept open: segments of some are there already.
      expect(files().filter((file) => file.endsWith('.parquet'))).not.toEqual([]);
      await staging.discard();
      await staging.discard();
      expect(files()).toEqual([]);
      await expect(staging.add(numbered(0, 1))).rejects.toThrow();
      await expect(staging.commit(nothing)).rejects.toThrow();
      expect(await numbers()).toEqual([]);
    });

    it('are forgotten with a restart', async () => {
      const staging = await home.engine.stage(spec);
      for (let day = 0; day < 40; day += 1) await staging.add(numbered(0, 10, TIME - day * DAY));
      await home.engine.append(spec, numbered(0, 1));
      await home.restart();
      expect(await numbers()).toEqual([0]);
      expect(files()).toEqual([]);
    });

    it('go with their table', async () => {
      const staging = await home.engine.stage(spec);
      await staging.add(numbered(0, 3000));
      await home.store.write((db) => db.deleteFrom('log_tables').execute());
      await expect((async () => staging.commit(nothing))()).rejects.toBeInstanceOf(TableGone);
      const { engine } = home;
      await engine.drop(spec);
      await expect(engine.stage(spec)).rejects.toBeInstanceOf(TableGone);
    });
  },
);

const byNumber = (a: { n?: unknown }, b: { n?: unknown }) => (String(a.n) < String(b.n) ? -1 : 1);

/** As an upload hands lines over: the first is parsed, the others are recognised. */
function runOf(lines: readonly string[]): RecordRun {
  const shapes = new Shapes('UTC');
  shapes.learn(lines[0] ?? '', shapeOf(JSON.parse(lines[0] ?? '')));
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const run = shapes.run({ bytes, text: bytes.toString('latin1'), begin: 0, arrival: TIME, lineMostBytes: 1000 });
  if (run?.count !== lines.length) throw new Error('the lines are not alike');
  return run;
}
