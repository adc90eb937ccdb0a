import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { storeRecords } from '#test/support/records.ts';
import { onEachDatabase } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const TABLES = '/api/core/tables';

interface Listed {
  readonly table_name: string;
  readonly table_size: number;
  readonly ratio: number;
}

onEachDatabase(
  'What a table holds',
  (subject) => {
    const { call, clock } = subject;
    const listed = async (): Promise<Listed[]> => (await call('GET', TABLES)).json.tables;
    const one = async (name: string) => (await call('GET', `${TABLES}/${name}`)).json.table;

    it('is told by the days of the service’s zone, while it is fresh', async () => {
      for (const table of ['empty', 'large', 'small']) await created(subject, TABLES, { table });
      // The second is on the 11th in Seoul; there is a record on the 13th, none on the 12th.
      await storeRecords(subject.service, 'large', [
        '2024-02-11T15:30:00Z',
        '2024-02-10T15:00:00Z',
        '2024-02-12T15:00:00Z',
        '2024-02-12T14:59:59.999Z',
      ]);
      await storeRecords(subject.service, 'small', ['2024-02-12T03:00:00Z']);
      const large = await one('large');
      expect(large).toMatchObject({ min_day: '2024-02-11 00:00:00+0900', max_day: '2024-02-13 00:00:00+0900' });
      expect(large.table_size).toBeGreaterThan(0);
      expect(large.node_stats).toEqual([
        {
          node: 'vigil',
          min_day: large.min_day,
          max_day: large.max_day,
          table_size: large.table_size,
          index_size: large.index_size,
          ratio: large.ratio,
        },
      ]);
      expect(await one('small')).toMatchObject({
        min_day: '2024-02-12 00:00:00+0900',
        max_day: '2024-02-12 00:00:00+0900',
      });
      expect(await one('empty')).not.toHaveProperty('min_day');
    });

    it('has ratios that add up to one', async () => {
      const tables = await listed();
      expect(tables.map(({ table_name }) => table_name)).toEqual(['empty', 'large', 'small']);
      expect(tables[0]).toMatchObject({ table_size: 0, ratio: 0 });
      const bytes = tables.reduce((total, { table_size }) => total + table_size, 0);
      for (const { table_size, ratio } of tables) expect(ratio).toBeCloseTo(table_size / bytes, 10);
    });

    it('stays the same to the day when it is sealed, and after a restart', async () => {
      const fresh = await one('large');
      clock.advance({ minutes: 6 });
      const sealed = await until(
        async () => {
          // Maintenance looks every ten seconds.
          clock.advance({ seconds: 10 });
          return await one('large');
        },
        ({ table_size }) => table_size !== fresh.table_size,
      );
      expect(sealed.table_size).not.toBe(fresh.table_size);
      expect(sealed).toMatchObject({ min_day: fresh.min_day, max_day: fresh.max_day });
      await subject.service.restart();
      expect(await one('large')).toMatchObject({
        min_day: fresh.min_day,
        max_day: fresh.max_day,
        table_size: sealed.table_size,
      });
      const tables = await listed();
      expect(tables.reduce((total, { ratio }) => total + ratio, 0)).toBeCloseTo(1, 10);
    });

    it('loses the days that are removed, both ends included', async () => {
      await call('DELETE', `${TABLES}/large/partitions`, { form: { start: '2024-02-12', end: '2024-02-13' } });
      expect(await one('large')).toMatchObject({
        min_day: '2024-02-11 00:00:00+0900',
        max_day: '2024-02-11 00:00:00+0900',
      });
      await call('DELETE', `${TABLES}/large/partitions?start=0000-01-01&end=9999-12-31`);
      const emptied = await one('large');
      expect(emptied).toMatchObject({ table_size: 0, ratio: 0 });
      expect(emptied).not.toHaveProperty('max_day');
    });

    it('goes with the table: nothing of it is found under the same name', async () => {
      await call('DELETE', `${TABLES}/small`);
      await created(subject, TABLES, { table: 'small' });
      expect(await one('small')).toMatchObject({ table_size: 0, ratio: 0 });
    });

    it('loses the days beyond its retention by itself', async () => {
      await storeRecords(subject.service, 'small', ['2024-02-28T14:59:59Z', '2024-02-28T15:00:00Z']);
      await call('PUT', `${TABLES}/small/retention`, { form: { period: '1' } });
      clock.advance({ seconds: 10 });
      const kept = await until(
        () => one('small'),
        ({ min_day }) => min_day !== '2024-02-28 00:00:00+0900',
      );
      expect(kept).toMatchObject({ min_day: '2024-02-29 00:00:00+0900', max_day: '2024-02-29 00:00:00+0900' });
    });
  },
  { flags: { 'time-zone': 'Asia/Seoul' } },
);
