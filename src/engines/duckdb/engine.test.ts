import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMPRESSIONS, LAYOUTS, type TableSpec } from '#engines/engine.ts';
import { ALL, type EngineHome, makeEngineHome, PROTECTIONS, record, TIME } from '#test/support/log-engine.ts';

const DAY = 86_400_000;

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

describe.each(
  PROTECTIONS.flatMap((protection) =>
    LAYOUTS.flatMap((layout) => COMPRESSIONS.map((compression) => ({ layout, compression, protection }))),
  ),
)('The embedded engine, $layout, $compression and $protection', ({ layout, compression, protection }) => {
  let home: EngineHome;
  let spec: TableSpec;
  const all = (wanted?: typeof ALL) => home.read(spec, wanted);
  const texts = async () => {
    const rows = await all();
    return rows.map(({ _id, _time, _table, ...fields }) => canonical(JSON.stringify(fields)));
  };

  beforeEach(async () => {
    home = await makeEngineHome();
    spec = await home.createTable({ name: 'web', layout, compression }, protection);
  });
  afterEach(async () => {
    await home[Symbol.asyncDispose]();
    expect(home.failures).toEqual([]);
  });

  it('reads an empty table', async () => {
    expect(await all()).toEqual([]);
    expect(await home.count(spec, {})).toBe(0);
  });

  it('gives every record back as it was sent: fresh, after a restart, sealed, and after another restart', async () => {
    const sent = RECORDS.map(canonical);
    await home.engine.append(
      spec,
      RECORDS.map((text) => record(text)),
    );
    expect(await texts()).toEqual(sent);
    await home.restart();
    expect(await texts()).toEqual(sent);
    await home.tick({ minutes: 6 });
    expect((await home.engine.stats([spec.id])).get(spec.id)).toMatchObject({ rows: RECORDS.length });
    expect(await texts()).toEqual(sent);
    await home.restart();
    expect(await texts()).toEqual(sent);
  });

  it('numbers records from 1 upwards, across restarts and seals', async () => {
    for (let round = 0; round < 3; round += 1) {
      await home.engine.append(spec, [record('{"n":1}'), record('{"n":2}')]);
      await home.tick({ minutes: 6 });
      await home.restart();
    }
    const rows = await all();
    expect(rows.map(({ _id }) => _id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('merges the small segments of a day, and counts the same', async () => {
    for (let round = 0; round < 4; round += 1) {
      await home.engine.append(spec, [record(`{"n":${round}}`), record(`{"n":${round}}`, TIME - DAY)]);
      await home.tick({ minutes: 6 });
    }
    const files = await home.store.reader.all('select day, rows from log_segments order by day');
    expect(files).toEqual([
      { day: '2026-11-14', rows: 4 },
      { day: '2026-11-15', rows: 4 },
    ]);
    expect(await home.count(spec, {})).toBe(8);
  });

  it('counts and reads a range of time, both fresh and sealed', async () => {
    const hours = Array.from({ length: 48 }, (_, hour) => record(`{"hour":${hour}}`, TIME - hour * 3_600_000));
    await home.engine.append(spec, hours.slice(0, 24));
    await home.tick({ minutes: 6 });
    await home.engine.append(spec, hours.slice(24));
    const range = { from: TIME - 30 * 3_600_000, to: TIME - 20 * 3_600_000 };
    expect(await home.count(spec, range)).toBe(10);
    const [first] = await all({ ...ALL, range });
    expect(first).toMatchObject({ hour: 30, _table: 'web' });
  });

  it('removes whole days of the zone, fresh records included', async () => {
    await home.engine.append(
      spec,
      [0, 1, 2].map((days) => record(`{"days":${days}}`, TIME - days * DAY)),
    );
    await home.engine.removeDays(spec, '2026-11-14', '2026-11-14');
    expect((await all()).map(({ days }) => days)).toEqual([2, 0]);
  });

  it('removes what is past its retention', async () => {
    await home.engine.append(
      spec,
      [0, 1, 2, 3].map((days) => record(`{"days":${days}}`, TIME - days * DAY)),
    );
    await home.store.write((db) => db.updateTable('log_tables').set({ retention: 2 }).execute());
    await home.tick({ seconds: 10 });
    expect((await all()).map(({ days }) => days)).toEqual([2, 1, 0]);
  });

  it('seals a full generation while appends and reads go on, and loses nothing', async () => {
    const batches = Array.from({ length: 40 }, (_, batch) =>
      home.engine.append(
        spec,
        Array.from({ length: 100 }, (_item, index) => record(`{"n":${batch * 100 + index}}`)),
      ),
    );
    const reads = Array.from({ length: 10 }, () => home.count(spec, {}));
    await Promise.all([...batches, ...reads]);
    expect(await home.count(spec, {})).toBe(4000);
    expect((await home.engine.stats([spec.id])).get(spec.id)).toMatchObject({ rows: 4000 });
  });

  it('drops a table while it is written, read and sealed, without harm', async () => {
    const work = Array.from({ length: 20 }, (_, n) => home.engine.append(spec, [record(`{"n":${n}}`)]));
    await Promise.all([...work, home.count(spec, {})]);
    await home.store.write((db) => db.deleteFrom('log_tables').execute());
    await Promise.allSettled([
      home.engine.removeDays(spec, '2026-01-01', '2026-12-31'),
      home.engine.drop(spec),
      home.engine.maintain(),
    ]);
    await home.engine.drop(spec);
  });
});

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
