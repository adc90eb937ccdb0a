// Tables that have records without a logger.

import { expect, it } from 'vitest';
import { tablesWithoutLogger } from './tables-without-logger.ts';

it('Tables without a logger are those with records that no logger writes to', () => {
  const tables = [
    { table_name: 'auth', max_day: '2026-11-17 00:00:00+0000' },
    { table_name: 'empty' },
    { table_name: 'web', max_day: '2026-11-17 00:00:00+0000' },
  ];
  expect(tablesWithoutLogger(tables, [])).toEqual(['auth', 'web']);
  expect(tablesWithoutLogger(tables, [{ table_name: 'auth' }, { table_name: 'empty' }])).toEqual(['web']);
  expect(tablesWithoutLogger([], [])).toEqual([]);
});
