// Uploads: staged records become part of their table together, with a change of the metadata store, or not at all.

import { expect } from 'vitest';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import { type LineBatch, TableGone } from '#logs/log-store.ts';
import { DAY, record, TIME } from './samples.ts';
import { type EngineMaker, onEachForm } from './suite.ts';

const nothing = async () => {};

const numbered = (from: number, count: number, time = TIME) =>
  Array.from({ length: count }, (_, index) => record(`{"n":${from + index}}`, time));

export function stagingPromises(maker: EngineMaker): void {
  onEachForm(maker, { title: 'staged records', by: ['layout', 'protection'] }, (subject) => {
    const promise = (sentence: string, test: () => Promise<void>) => subject.promise('staging', sentence, test);
    const stage = () => subject.home.engine.stage(subject.table);
    const append = (from: number, count: number) => subject.home.engine.append(subject.table, numbered(from, count));
    const numbers = async () => (await subject.home.read(subject.table)).map(({ n }) => Number(n));
    const sorted = async () => (await numbers()).sort((a, b) => a - b);

    promise('are the same when they come as the lines they were sent in', async () => {
      const sent = ['{"n":1,"s":"x"}', '{"n":2,"s":"\\"한글\\""}', '{"n":3,"s":""}'];
      const timed = ['{"_time":1763175600000,"n":4}', '{"_time":1763175600001,"n":5}'];
      const odd = ['{"n":"six","s":6}', '{"n":"seven","s":7}'];
      const ragged = [
        '{"_time":"2025-11-15T03:00:00.001Z","n":8,"d":1.5,"o":{"x":[1,null]}}',
        '{"d":2,"_time":"2025-11-15T03:00:00.001Z", "n":9.25,"s":null}',
        '{"_id":77,"n":10,"_table":"other","b":true}',
      ];
      const staging = await stage();
      for (const lines of [sent, timed, odd, ragged]) await staging.add(batchOf(lines));
      await staging.commit(nothing);
      const rows = await subject.home.read(subject.table);
      const expected = [...sent, ...timed, ...odd, ...ragged].map((text) => JSON.parse(text));
      expect(rows.map(({ _id, _table, _time, ...fields }) => fields).sort(byNumber)).toEqual(
        expected.map(({ _id, _table, _time, ...fields }) => fields).sort(byNumber),
      );
      for (const n of [5, 8, 9.25]) expect(rows.find((row) => row.n === n)?._time).toBe(1_763_175_600_001);
      expect(rows.find(({ n }) => n === 1)?._time).toBe(TIME);
    });

    promise('are invisible before the commit, and all of them visible after it', async () => {
      const staging = await stage();
      const firstIds = await staging.add(numbered(0, 3));
      await staging.add(numbered(3, 2, TIME - DAY));
      expect(await numbers()).toEqual([]);
      await staging.commit(nothing);
      expect(await sorted()).toEqual([0, 1, 2, 3, 4]);
      const rows = await subject.home.read(subject.table);
      expect([0, 1, 2].map((index) => firstIds(index))).toEqual(
        [0, 1, 2].map((n) => rows.find((row) => row.n === n)?._id),
      );
      await subject.home.restart();
      expect(await sorted()).toEqual([0, 1, 2, 3, 4]);
    });

    promise('have ids of their own, whatever is appended and sealed meanwhile', async () => {
      const { home, table } = subject;
      const staging = await stage();
      for (let round = 0; round < 4; round += 1) {
        await staging.add(numbered(round * 10, 5));
        await append(round * 10 + 5, 5);
        await home.tick({ minutes: 6 });
      }
      await staging.commit(nothing);
      await home.restart();
      await append(40, 1);
      const rows = await home.read(table);
      expect(new Set(rows.map(({ _id }) => _id)).size).toBe(41);
      expect(Math.max(...rows.map(({ _id }) => Number(_id)))).toBe(rows.find(({ n }) => n === 40)?._id);
    });

    promise('of many stagings at once survive maintenance between their commits', async () => {
      const { home } = subject;
      const stagings = await Promise.all(Array.from({ length: 8 }, stage));
      await append(0, 1);
      await home.tick({ minutes: 6 });
      for (const [index, staging] of stagings.entries()) await staging.add(numbered(100 + index, 1));
      for (let round = 1; round < 4; round += 1) {
        await append(round, 1);
        await home.tick({ minutes: 6 });
      }
      for (const staging of stagings.slice(0, 4)) await staging.commit(nothing);
      await home.tick({ minutes: 6 });
      for (const staging of stagings.slice(4)) await staging.commit(nothing);
      await home.tick({ minutes: 6 });
      expect(await sorted()).toEqual([0, 1, 2, 3, ...Array.from({ length: 8 }, (_, index) => 100 + index)]);
    });

    promise('are written together with a change of the metadata store, or neither is', async () => {
      const { home, table } = subject;
      const staging = await stage();
      await staging.add(numbered(0, 3));
      await expect(staging.commit(() => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
      expect(await numbers()).toEqual([]);
      expect(await home.leftovers()).toEqual([]);
      const second = await stage();
      await second.add(numbered(0, 3));
      await second.commit(async (db) => {
        await db.updateTable('log_tables').set({ retention: 77 }).where('id', '=', table.id).execute();
      });
      expect(await numbers()).toEqual([0, 1, 2]);
      expect(await home.store.reader.all('select retention from log_tables')).toEqual([{ retention: 77 }]);
    });

    promise('leave nothing when they are discarded, and a second time does nothing', async () => {
      const { home } = subject;
      const staging = await stage();
      for (let day = 0; day < 40; day += 1) await staging.add(numbered(0, 10, TIME - day * DAY));
      expect(await home.leftovers()).not.toEqual([]);
      await staging.discard();
      await staging.discard();
      expect(await home.leftovers()).toEqual([]);
      await expect(staging.add(numbered(0, 1))).rejects.toThrow();
      await expect(staging.commit(nothing)).rejects.toThrow();
      expect(await numbers()).toEqual([]);
    });

    promise('are forgotten with a restart', async () => {
      const { home } = subject;
      const staging = await stage();
      for (let day = 0; day < 40; day += 1) await staging.add(numbered(0, 10, TIME - day * DAY));
      await append(0, 1);
      await home.restart();
      expect(await numbers()).toEqual([0]);
      expect(await home.leftovers()).toEqual([]);
    });

    promise('go with their table', async () => {
      const { home, table } = subject;
      const { engine } = home;
      const staging = await stage();
      await staging.add(numbered(0, 3000));
      await home.store.write((db) => db.deleteFrom('log_tables').execute());
      await expect((async () => staging.commit(nothing))()).rejects.toBeInstanceOf(TableGone);
      await engine.drop(table);
      await expect(engine.stage(table)).rejects.toBeInstanceOf(TableGone);
    });
  });
}

const byNumber = (a: { n?: unknown }, b: { n?: unknown }) => (String(a.n) < String(b.n) ? -1 : 1);

/** As an upload hands lines over. */
function batchOf(lines: readonly string[]): LineBatch {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const found = { bytes, begin: 0, end: bytes.length, arrival: TIME, maxLineBytes: 1000 };
  const batch = new LineScanner('UTC').scan(found);
  if (batch?.count !== lines.length) throw new Error('some line is not plain');
  return batch;
}
