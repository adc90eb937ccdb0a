import { expect, it } from 'vitest';
import { searchText } from '#kernel/text/search-text.ts';
import { withCatalog } from '#logs/stores/embedded/storage/catalog-schema.ts';
import { openStore } from '#store/store.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const COUNT = 10_000;

onEachDatabase('Ten thousand tables', (subject) => {
  it('are listed, counted and searched', async () => {
    const { call, service } = subject;
    await service.stop();
    await insertTables(service.config.database ?? service.config.data);
    await service.restart();
    const { json } = await call('GET', '/api/core/tables');
    expect([json.total_count, json.tables.length]).toEqual([COUNT, COUNT]);
    expect(json.tables[1]).toMatchObject({
      table_name: 'table_00001',
      table_size: 1,
      min_day: '1970-01-02 00:00:00+0000',
    });
    const page = (await call('GET', '/api/core/tables?keywords=E_0999&offset=5&limit=2')).json;
    expect([page.total_count, page.tables[0].table_name]).toEqual([10, 'table_09995']);
  });
});

async function insertTables(location: string): Promise<void> {
  const nothing = () => undefined;
  const store = await openStore(location, { groupCommitted: nothing, storeFailed: nothing });
  await store.write(async (db) => {
    for (let number = 0; number < COUNT; number += 1) {
      const name = `table_${String(number).padStart(5, '0')}`;
      const time = (number % 365) * 86_400_000 + 1;
      await withCatalog(db)
        .insertInto('log_tables')
        .values({
          name,
          layout: 'columnar',
          compression: 'snappy',
          retention: 0,
          group_guid: null,
          schema_code: null,
          columns: '',
          last_id: 0,
          journal_from: 1,
          sealed_rows: number,
          sealed_bytes: number,
          min_time: time,
          max_time: time,
          search: searchText([name]),
          created_at: 0,
          updated_at: 0,
        })
        .execute();
    }
  });
  await store.close();
}
