import { afterEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '#engines/engine.ts';
import { shapeOf } from '#engines/shape.ts';
import { type EngineHome, makeEngineHome, PROTECTIONS, TIME } from '#test/support/log-engine.ts';
import { removeSourceOffsets } from './catalog.ts';

const record = (n: number): LogRecord => ({ time: TIME, text: `{"n":${n}}`, shape: shapeOf({ n }) });

describe.each(PROTECTIONS)('Marks of a table that is %s', (protection) => {
  let home: EngineHome;
  afterEach(() => home[Symbol.asyncDispose]());
  const made = async () => {
    home = await makeEngineHome();
    return await home.createTable({ name: 'marked', layout: 'columnar', compression: 'snappy' }, protection);
  };

  it('are there with their records, fresh, read back and sealed', async () => {
    const table = await made();
    expect([...(await home.engine.sourceOffsets(table))]).toEqual([]);
    const [a, b] = [
      { source: 'a', position: 10 },
      { source: 'b "1"\n', position: 7 },
    ];
    await home.engine.append(table, [record(1), record(2)], [a, b]);
    await home.engine.append(table, [record(3)]);
    await home.engine.append(table, [record(4)], [{ source: 'a', position: 20 }]);
    const expected = [
      ['a', 20],
      ['b "1"\n', 7],
    ];
    const offsets = async () => [...(await home.engine.sourceOffsets(table))].sort();
    expect(await offsets()).toEqual(expected);
    await home.restart();
    expect(await offsets()).toEqual(expected);
    expect(await home.read(table)).toHaveLength(4);
    await home.tick({ minutes: 6 });
    expect(await offsets()).toEqual(expected);
    await home.restart();
    expect(await offsets()).toEqual(expected);
    await home.engine.append(table, [record(5)], [{ source: 'a', position: 30 }]);
    await home.restart();
    expect(await offsets()).toEqual([['a', 30], expected[1]]);
    await home.tick({ minutes: 6 });
    await home.restart();
    expect(await offsets()).toEqual([['a', 30], expected[1]]);
    expect(home.failures).toEqual([]);
  });

  it('are forgotten with their source, and with their table', async () => {
    const table = await made();
    await home.engine.append(table, [record(1)], [{ source: 'a', position: 10 }]);
    await home.tick({ minutes: 6 });
    await home.store.write((db) => removeSourceOffsets(db, ['a']));
    await home.restart();
    expect([...(await home.engine.sourceOffsets(table))]).toEqual([]);
  });
});
