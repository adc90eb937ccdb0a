// Journals that are read back: what a start has to do for requests of an earlier process, and what a clean stop leaves for it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordOf } from '#ingest/decode/record.ts';
import { Days } from '#kernel/time/days.ts';
import type { Layout, TableSpec } from '#logs/log-store.ts';
import { type Instance, openInstance } from '#logs/runs/duckdb/instance.ts';
import { ColumnRegistry, NOTHING_LEARNT } from '#logs/stores/shared/columns.ts';
import { NO_LEAVES } from '#logs/stores/shared/leaves.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { Batches } from './batch.ts';
import { plainFraming } from './frames.ts';
import { Generation } from './generation.ts';
import { InsertBacklog } from './insert-backlog.ts';
import { Journal, journalPath } from './journal.ts';
import { readJournal } from './journal-frames.ts';
import { RecoveredLines } from './recovered-lines.ts';
import { sealAtStop } from './seal-at-stop.ts';
import { plainStorage } from './segment-storage.ts';

const AT = Date.parse('2026-11-15T03:00:00Z');
const NAME = '1 1';

const records = (texts: readonly string[]) =>
  texts.map((text, index) => {
    const record = recordOf(text, { at: AT + index, zone: 'UTC' });
    if (typeof record === 'string') throw new Error(`${record}: ${text}`);
    return record;
  });

describe('A journal of an earlier process', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-recovery-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['columnar', 'row'] as const)(
    'of very many small frames is read back in a few statements: %s',
    async (layout) => {
      const frames = 600;
      const rows = 3;
      await writeFrames(folder, layout, frames, rows);
      const instance = await openInstance({ memoryBytes: 100_000_000 });
      const statements: string[] = [];
      const counting: Instance = {
        ...instance,
        run(sql, values) {
          statements.push(sql);
          return instance.run(sql, values);
        },
      };
      const generation = await openGeneration(folder, layout, counting);
      await generation.hot.settled();
      expect(generation.rows).toBe(frames * rows);
      const [found] = await instance.run(
        `select count(distinct _id)::int as ids, min(_id)::int as first from ${generation.hot.name}`,
      );
      expect(found).toEqual({ ids: frames * rows, first: 1 });
      expect(statements.filter((sql) => sql.startsWith('insert')).length).toBeLessThan(5);
      await generation.close();
      instance.close();
    },
  );
});

async function writeFrames(folder: string, layout: Layout, frames: number, rows: number): Promise<void> {
  const batches = new Batches(layout, new ColumnRegistry(NOTHING_LEARNT), new Days('UTC'));
  const state = { name: NAME, sizeBytes: 0, codec: plainFraming().fresh() };
  const journal = await Journal.open(journalPath(folder, 1), state);
  for (let at = 0; at < frames; at += 1) {
    const texts = Array.from({ length: rows }, (_, row) => `{"n":${at + row},"text":"한글","left":{"over":${at}}}`);
    await journal.append((await batches.encode([records(texts)], 1 + at * rows)).frame);
  }
  await journal.close();
}

async function openGeneration(folder: string, layout: Layout, instance: Instance): Promise<Generation> {
  const content = await readJournal(journalPath(folder, 1), plainFraming(), NAME);
  if ('idsUpTo' in content) throw new Error('it is corrupt');
  const recovered = new RecoveredLines(
    new Batches(layout, new ColumnRegistry(NOTHING_LEARNT), new Days('UTC')),
    layout,
  );
  const spec: TableSpec = { id: 1, name: 'web', layout, compression: 'snappy' };
  return await Generation.open(spec, {
    number: 1,
    journalName: NAME,
    content,
    instance,
    backlog: new InsertBacklog(),
    leaves: () => NO_LEAVES,
    folder,
    begun: 0,
    examine: (frame) => recovered.examine(frame),
    scratch: (name) => plainStorage({ instance, folder, reportCorruption: fail }).scratch(name),
    isRead: () => false,
    olderSealed: async () => undefined,
  });
}

/** Names that share columns, have none, differ in case only, and mean something to us. */
const name = fc.constantFrom('a', 'b', 'A', 'text', 'nested', '_rest', '_doc', '_row', '', '한글', 'a"b', '__proto__');
const leaf = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed().replaceAll('\0', '')),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, 2 ** 60, -0),
);
const value = fc.oneof(leaf, leaf, fc.array(leaf, { maxLength: 2 }), fc.dictionary(name, leaf, { maxKeys: 2 }));
const record = fc.dictionary(name, value, { maxKeys: 5 }).map((fields) => JSON.stringify(fields));

describe('Records that a start reads back', () => {
  it.each(['columnar', 'row'] as const)('are those that were stored, with the same columns: %s', async (layout) => {
    await using home = await makeEngineHome();
    let tables = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(record, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        async (requests) => {
          tables += 1;
          const table = await home.createTable({ name: `t${layout}${tables}`, layout, compression: 'snappy' });
          for (const request of requests) await home.engine.append(table, records(request));
          const stored = await home.read(table);
          const learnt = await home.engine.describe(table);
          await home.restart();
          expect(await home.read(table)).toEqual(stored);
          expect(await home.engine.describe(table)).toEqual(learnt);
          await home.engine.drop(table);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('A clean stop', () => {
  const tableOf = (readBackMs: number, flush: () => Promise<void>) => ({ readBackMs, flush });

  it('seals tables that would take more than half a second to read back, the longest first', async () => {
    const sealed: number[] = [];
    const tables = [400, 600, 3000, 500, 700].map((ms) => tableOf(ms, async () => void sealed.push(ms)));
    await sealAtStop(tables, { clock: new ManualClock(AT_TEXT), interrupt: async () => {}, failed: fail });
    expect(sealed).toEqual([3000, 700, 600]);
  });

  it('goes on with the next table where one cannot be sealed, and reports it', async () => {
    const sealed: number[] = [];
    const failures: unknown[] = [];
    const broken = tableOf(900, () => Promise.reject(new Error('no space')));
    const whole = tableOf(800, async () => void sealed.push(800));
    const failed = (error: unknown) => void failures.push(error);
    await sealAtStop([broken, whole], { clock: new ManualClock(AT_TEXT), interrupt: async () => {}, failed });
    expect({ sealed, failures }).toEqual({ sealed: [800], failures: [new Error('no space')] });
  });

  it('takes five seconds for it at most: then what runs is interrupted, and the rest is left', async () => {
    const clock = new ManualClock(AT_TEXT);
    const sealing = Promise.withResolvers<void>();
    let interruptions = 0;
    const interrupt = async () => {
      interruptions += 1;
      sealing.reject(new Error('interrupted'));
    };
    const tables = [tableOf(9000, () => sealing.promise), tableOf(8000, fail)];
    const stopping = sealAtStop(tables, { clock, interrupt, failed: fail });
    clock.advance({ milliseconds: 4999 });
    await Promise.resolve();
    expect(interruptions).toBe(0);
    clock.advance({ milliseconds: 1 });
    await stopping;
    expect(interruptions).toBe(1);
  });

  it('leaves short journals to the next start, and no journal of a table with many records', async () => {
    await using home = await makeEngineHome();
    const few = await home.createTable({ name: 'few', layout: 'columnar', compression: 'snappy' });
    const many = await home.createTable({ name: 'many', layout: 'columnar', compression: 'snappy' });
    await home.engine.append(few, records(['{"n":1}']));
    // Thirty megabytes in less records than are sealed while running.
    const long = JSON.stringify({ text: 'x'.repeat(100_000) });
    for (let at = 0; at < 30; at += 1) await home.engine.append(many, records(Array(10).fill(long)));
    await home.restart();
    const segments = await home.store.reader.all('select table_id, rows from log_segments');
    expect(segments).toEqual([{ table_id: many.id, rows: 300 }]);
    expect((await home.engine.stats([few.id])).get(few.id)).toMatchObject({ rows: 1 });
  });
});

const AT_TEXT = '2026-11-15T03:00:00Z';

function fail(): never {
  throw new Error('not expected');
}
