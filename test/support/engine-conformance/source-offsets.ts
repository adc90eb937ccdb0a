// Offsets of sources: kept with the records that were read up to them, so that a collector neither repeats nor skips a line.

import { expect } from 'vitest';
import { record } from './samples.ts';
import { type EngineMaker, onEachForm } from './suite.ts';

export function sourceOffsetPromises(maker: EngineMaker): void {
  onEachForm(maker, { title: 'source offsets', by: ['protection'] }, (subject) => {
    const promise = (sentence: string, test: () => Promise<void>) => subject.promise('source offsets', sentence, test);
    const offsets = async () => [...(await subject.home.engine.sourceOffsets(subject.table))].sort();
    const append = (n: number, ...given: { source: string; position: number }[]) =>
      subject.home.engine.append(subject.table, [record(`{"n":${n}}`)], given);

    promise('are stored with their records: fresh, read back and sealed', async () => {
      const { home, table } = subject;
      expect(await offsets()).toEqual([]);
      const second = ['b "1"\n', 7] as const;
      await append(1, { source: 'a', position: 10 }, { source: second[0], position: second[1] });
      await append(2);
      await append(3, { source: 'a', position: 20 });
      for (const step of [
        async () => {},
        () => home.restart(),
        () => home.tick({ minutes: 6 }),
        () => home.restart(),
      ]) {
        await step();
        expect(await offsets()).toEqual([['a', 20], second]);
      }
      expect(await home.read(table)).toHaveLength(3);
      await append(4, { source: 'a', position: 30 });
      for (const step of [() => home.restart(), () => home.tick({ minutes: 6 }), () => home.restart()]) {
        await step();
        expect(await offsets()).toEqual([['a', 30], second]);
      }
    });

    promise('are forgotten by the name of their source or by its beginning, in the unit of the caller', async () => {
      const { home } = subject;
      for (const source of ['a/1', 'a/2', 'b/1']) await append(1, { source, position: 10 });
      await home.tick({ minutes: 6 });
      const undone = home.store.write(async (db) => {
        await home.engine.removeSourceOffsets(db, { prefix: 'a/' });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      await home.store.write((db) => home.engine.removeSourceOffsets(db, { sources: ['a/1'] }));
      await home.restart();
      expect((await offsets()).map(([source]) => source)).toEqual(['a/2', 'b/1']);
      await home.store.write((db) => home.engine.removeSourceOffsets(db, { prefix: 'a/' }));
      await home.restart();
      expect((await offsets()).map(([source]) => source)).toEqual(['b/1']);
    });
  });
}
