import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMPRESSIONS, LAYOUTS, type LogEngine, type TableSpec } from '#engines/engine.ts';
import { openStore, type Store } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { openDuckEngine } from './engine.ts';

const NOW = '2026-11-15T03:00:00Z';
const TIME = Temporal.Instant.from(NOW).epochMilliseconds;
const DAY = 86_400_000;
const ALL = { range: {}, order: 'asc', offset: 0, limit: 1000 } as const;

/** Each as it is sent; what comes back must be the same text, read as JSON. */
const RECORDS = [
  '{"status":500}',
  '{"status":"500"}',
  '{"status":{"code":500}}',
  '{"status":[5,{"x":null}],"a":null}',
  '{"status":5.5}',
  '{}',
  '{"big":12345678901234567890,"small":-9007199254740993,"huge":1e400}',
  '{"r":1,"_row":2,"_doc":{"x":1}}',
  '{"userName":"kim","username":"lee","USERNAME":"park"}',
  '{"we\\"ird; drop table x":"\'quoted\'","":"empty name","점":"한글"}',
  '{"line":"a\\nb\\tc\\\\"}',
  '{"flag":true,"flag2":false}',
];

describe.each(LAYOUTS.flatMap((layout) => COMPRESSIONS.map((compression) => ({ layout, compression }))))(
  'The embedded engine, $layout and $compression',
  ({ layout, compression }) => {
    let folder: string;
    let store: Store;
    let engine: LogEngine;
    let clock: ManualClock;
    let spec: TableSpec;
    const failures: unknown[] = [];
    const open = () =>
      openDuckEngine({
        store,
        clock,
        zone: 'Asia/Seoul',
        dataFolder: folder,
        maintenancePeriod: Temporal.Duration.from({ seconds: 10 }),
        sealing: { rows: 1000, after: Temporal.Duration.from({ minutes: 5 }) },
        failed: (error) => failures.push(error),
      });
    const record = (text: string, time = TIME) => ({ time, fields: JSON.parse(text), text });
    const texts = async () => {
      const rows = await engine.read(spec, ALL);
      return rows.map(({ _id, _time, _table, ...fields }) => canonical(JSON.stringify(fields)));
    };
    /** Until the round of maintenance that a tick began is over. */
    const tick = async (length: Temporal.DurationLike) => {
      clock.advance(length);
      await engine.maintain();
    };

    beforeEach(async () => {
      failures.length = 0;
      folder = mkdtempSync(join(tmpdir(), 'vigil-engine-'));
      store = await openStore(folder, { groupCommitted() {}, storeFailed: (error) => void failures.push(error) });
      clock = new ManualClock(NOW);
      spec = await createTable(store, { name: 'web', layout, compression });
      engine = await open();
    });
    afterEach(async () => {
      await engine.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
      expect(failures).toEqual([]);
    });

    it('reads an empty table', async () => {
      expect(await engine.read(spec, ALL)).toEqual([]);
      expect(await engine.count(spec, {})).toBe(0);
    });

    it('gives every record back as it was sent: fresh, after a restart, sealed, and after another restart', async () => {
      const sent = RECORDS.map(canonical);
      await engine.append(
        spec,
        RECORDS.map((text) => record(text)),
      );
      expect(await texts()).toEqual(sent);
      await engine.close();
      engine = await open();
      expect(await texts()).toEqual(sent);
      await tick({ minutes: 6 });
      expect(await engine.stats(spec.id)).toMatchObject({ rows: RECORDS.length });
      expect(await texts()).toEqual(sent);
      await engine.close();
      engine = await open();
      expect(await texts()).toEqual(sent);
    });

    it('numbers records from 1 upwards, across restarts and seals', async () => {
      for (let round = 0; round < 3; round += 1) {
        await engine.append(spec, [record('{"n":1}'), record('{"n":2}')]);
        await tick({ minutes: 6 });
        await engine.close();
        engine = await open();
      }
      const rows = await engine.read(spec, ALL);
      expect(rows.map(({ _id }) => _id)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it('merges the small segments of a day, and counts the same', async () => {
      for (let round = 0; round < 5; round += 1) {
        await engine.append(spec, [record(`{"n":${round}}`), record(`{"n":${round}}`, TIME - DAY)]);
        await tick({ minutes: 6 });
      }
      const files = await store.reader.all('select day, rows from log_segments order by day');
      expect(files).toEqual([
        { day: '2026-11-14', rows: 5 },
        { day: '2026-11-15', rows: 5 },
      ]);
      expect(await engine.count(spec, {})).toBe(10);
    });

    it('counts and reads a range of time, both fresh and sealed', async () => {
      const hours = Array.from({ length: 48 }, (_, hour) => record(`{"hour":${hour}}`, TIME - hour * 3_600_000));
      await engine.append(spec, hours.slice(0, 24));
      await tick({ minutes: 6 });
      await engine.append(spec, hours.slice(24));
      const range = { from: TIME - 30 * 3_600_000, to: TIME - 20 * 3_600_000 };
      expect(await engine.count(spec, range)).toBe(10);
      const [first] = await engine.read(spec, { ...ALL, range });
      expect(first).toMatchObject({ hour: 30, _table: 'web' });
    });

    it('removes whole days of the zone, fresh records included', async () => {
      await engine.append(
        spec,
        [0, 1, 2].map((days) => record(`{"days":${days}}`, TIME - days * DAY)),
      );
      await engine.removeDays(spec, '2026-11-14', '2026-11-14');
      expect((await engine.read(spec, ALL)).map(({ days }) => days)).toEqual([2, 0]);
    });

    it('removes what is past its retention', async () => {
      await engine.append(
        spec,
        [0, 1, 2, 3].map((days) => record(`{"days":${days}}`, TIME - days * DAY)),
      );
      await store.write((db) => db.updateTable('log_tables').set({ retention: 2 }).execute());
      await tick({ seconds: 10 });
      expect((await engine.read(spec, ALL)).map(({ days }) => days)).toEqual([2, 1, 0]);
    });

    it('seals a full generation while appends and reads go on, and loses nothing', async () => {
      const batches = Array.from({ length: 40 }, (_, batch) =>
        engine.append(
          spec,
          Array.from({ length: 100 }, (_item, index) => record(`{"n":${batch * 100 + index}}`)),
        ),
      );
      const reads = Array.from({ length: 10 }, () => engine.count(spec, {}));
      await Promise.all([...batches, ...reads]);
      expect(await engine.count(spec, {})).toBe(4000);
      expect(engine.stats(spec.id)).toMatchObject({ rows: 4000 });
    });

    it('drops a table while it is written, read and sealed, without harm', async () => {
      const work = Array.from({ length: 20 }, (_, n) => engine.append(spec, [record(`{"n":${n}}`)]));
      await Promise.all([...work, engine.count(spec, {})]);
      await store.write((db) => db.deleteFrom('log_tables').execute());
      await Promise.allSettled([
        engine.removeDays(spec, '2026-01-01', '2026-12-31'),
        engine.drop(spec),
        engine.maintain(),
      ]);
      await engine.drop(spec);
    });
  },
);

async function createTable(
  store: Store,
  fields: Pick<TableSpec, 'name' | 'layout' | 'compression'>,
): Promise<TableSpec> {
  const counted = { columns: '[]', last_id: 0, journal_from: 1, sealed_rows: 0, sealed_bytes: 0 };
  const empty = { retention: 0, group_guid: null, schema_code: null, min_time: null, max_time: null };
  const row = { ...fields, ...counted, ...empty, search: fields.name, created_at: 1, updated_at: 1 };
  const { id } = await store.write((db) =>
    db.insertInto('log_tables').values(row).returning('id').executeTakeFirstOrThrow(),
  );
  return { id, ...fields };
}

/** Members in one order, the text of every value as it is. */
function canonical(text: string): string {
  const inner = text.slice(1, -1);
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  let isText = false;
  for (let at = 0; at <= inner.length; at += 1) {
    const char = inner[at];
    if (char === '"' && inner[at - 1] !== '\\') isText = !isText;
    if (!isText && (char === '{' || char === '[')) depth += 1;
    if (!isText && (char === '}' || char === ']')) depth -= 1;
    if (at === inner.length || (char === ',' && depth === 0 && !isText)) {
      if (at > from) parts.push(inner.slice(from, at));
      from = at + 1;
    }
  }
  return `{${parts.sort().join(',')}}`;
}
