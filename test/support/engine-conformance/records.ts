// Records in, records out: whatever was sent comes back, fresh and sealed, before and after a restart.

import { expect } from 'vitest';
import { TableGone } from '#logs/log-store.ts';
import { ALL, DAY, record, TIME } from './samples.ts';
import { type EngineMaker, onEachForm } from './suite.ts';

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

export function recordPromises(maker: EngineMaker): void {
  onEachForm(maker, { title: 'records' }, (subject) => {
    const { promise } = subject;
    const all = (wanted = ALL) => subject.home.read(subject.table, wanted);
    const append = (...args: [readonly string[], number?]) => {
      const [texts, time = TIME] = args;
      return subject.home.engine.append(
        subject.table,
        texts.map((text) => record(text, time)),
      );
    };
    const days = async () => (await all()).map((row) => row.days);
    const appendDays = (count: number) =>
      subject.home.engine.append(
        subject.table,
        Array.from({ length: count }, (_, day) => record(`{"days":${day}}`, TIME - day * DAY)),
      );

    promise('records', 'reads an empty table', async () => {
      expect(await all()).toEqual([]);
      expect(await subject.home.count(subject.table, {})).toBe(0);
    });

    promise(
      'durability',
      'gives every record back as it was sent: fresh, after a restart, sealed, and after another restart',
      async () => {
        const { home, table } = subject;
        const texts = async () =>
          (await all()).map(({ _id, _time, _table, ...fields }) => canonical(JSON.stringify(fields)));
        const sent = RECORDS.map(canonical);
        await append(RECORDS);
        expect(await texts()).toEqual(sent);
        await home.restart();
        expect(await texts()).toEqual(sent);
        await home.tick({ minutes: 6 });
        expect((await home.engine.stats([table.id])).get(table.id)).toMatchObject({ rows: RECORDS.length });
        expect(await texts()).toEqual(sent);
        await home.restart();
        expect(await texts()).toEqual(sent);
      },
    );

    promise('numbering', 'numbers every record once, growing as they arrive, across restarts and seals', async () => {
      const { home } = subject;
      const given: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const first = await append(['{"n":1}', '{"n":2}']);
        given.push(first, first + 1);
        await home.tick({ minutes: 6 });
        await home.restart();
      }
      expect((await all()).map(({ _id }) => _id)).toEqual(given);
      expect(given).toEqual([...new Set(given)].sort((a, b) => a - b));
    });

    promise('ranges', 'counts and reads a range of time, both fresh and sealed', async () => {
      const { home, table } = subject;
      const hours = Array.from({ length: 48 }, (_, hour) => record(`{"hour":${hour}}`, TIME - hour * 3_600_000));
      await home.engine.append(table, hours.slice(0, 24));
      await home.tick({ minutes: 6 });
      await home.engine.append(table, hours.slice(24));
      const range = { from: TIME - 30 * 3_600_000, to: TIME - 20 * 3_600_000 };
      expect(await home.count(table, range)).toBe(10);
      const [first] = await all({ ...ALL, range });
      expect(first).toMatchObject({ hour: 30, _table: 'web' });
      const newest = await all({ range: {}, order: 'desc', offset: 1, limit: 2 });
      expect(newest.map(({ hour }) => hour)).toEqual([1, 2]);
    });

    promise('days', 'removes whole days of the zone, fresh records included', async () => {
      await appendDays(3);
      await subject.home.engine.removeDays(subject.table, '2026-11-14', '2026-11-14');
      expect(await days()).toEqual([2, 0]);
      await subject.home.restart();
      expect(await days()).toEqual([2, 0]);
    });

    promise('retention', 'removes records past the retention of their table', async () => {
      const { home } = subject;
      await appendDays(4);
      await home.store.write((db) => db.updateTable('log_tables').set({ retention: 2 }).execute());
      await home.tick({ seconds: 10 });
      expect(await days()).toEqual([2, 1, 0]);
    });

    promise('concurrency', 'takes batches and reads at the same time, and loses nothing', async () => {
      const { home, table } = subject;
      const batches = Array.from({ length: 40 }, (_, batch) =>
        append(Array.from({ length: 100 }, (_item, index) => `{"n":${batch * 100 + index}}`)),
      );
      const reads = Array.from({ length: 10 }, () => home.count(table, {}));
      await Promise.all([...batches, ...reads]);
      expect(await home.count(table, {})).toBe(4000);
      expect((await home.engine.stats([table.id])).get(table.id)).toMatchObject({ rows: 4000 });
    });

    promise('dropping', 'drops a table while it is written, read and maintained, without harm', async () => {
      const { home, table } = subject;
      const { engine } = home;
      const work = Array.from({ length: 20 }, (_, n) => append([`{"n":${n}}`]));
      await Promise.all([...work, home.count(table, {})]);
      await home.store.write((db) => db.deleteFrom('log_tables').execute());
      await Promise.allSettled([
        engine.removeDays(table, '2026-01-01', '2026-12-31'),
        engine.drop(table),
        engine.maintain(),
      ]);
      await engine.drop(table);
      await expect(append(['{"n":1}'])).rejects.toBeInstanceOf(TableGone);
      await expect(home.count(table, {})).rejects.toBeInstanceOf(TableGone);
      await expect.poll(() => home.leftovers()).toEqual([]);
    });

    promise('corruption', 'refuses a table whose records are spoiled, and names them; other tables go on', async () => {
      const { home, table } = subject;
      const other = await home.createTable({ name: 'other', layout: 'columnar', compression: 'snappy' });
      await append(['{"n":1}']);
      await home.engine.append(other, [record('{"n":2}')]);
      await home.tick({ minutes: 6 });
      await home.restart();
      const named = await home.corrupt(table);
      await expect(all()).rejects.toThrow(`table is damaged: web [file: ${named}]`);
      await append(['{"n":3}']);
      await expect(all()).rejects.toThrow(named);
      expect((await home.read(other)).map(({ n }) => n)).toEqual([2]);
    });
  });
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
