// The state of every page in its address: what a link reproduces, and what is left out of a broken one.

import { describe, expect, it } from 'vitest';
import { readAdministrationSearch } from './administration/address.ts';
import { readAuditSearch } from './audit/audit-search.ts';
import { readDashboardsSearch } from './dashboards/dashboards-search.ts';
import { readEventsSearch } from './events/events-search.ts';
import { readRulesSearch } from './rules/rules-search.ts';
import { readSchedulesSearch } from './schedules/schedules-search.ts';
import { readAddress } from './search/address.ts';
import { readSourcesSearch } from './sources/sources-search.ts';
import { readTablesSearch } from './tables/tables-search.ts';
import { readTicketsSearch } from './tickets/tickets-search.ts';

const RANGE = { from: 'now-7d', to: 'now' };

const PAGES: readonly [string, (search: Record<string, unknown>) => object, Record<string, unknown>][] = [
  [
    'Administration',
    readAdministrationSearch,
    { family: 'users', keywords: '김', of: 'g', record: 'r', dialog: 'new' },
  ],
  [
    'Audit',
    readAuditSearch,
    {
      ...RANGE,
      view: 'proof',
      categories: ['user'],
      actions: ['user.create'],
      user: 'kim',
      address: '::1',
      company: 'c',
      keywords: '"x"',
      entry: 5,
    },
  ],
  ['Dashboards', readDashboardsSearch, { ...RANGE, dashboard: 'd', refresh: 30, edit: true }],
  [
    'Events',
    readEventsSearch,
    {
      ...RANGE,
      priorities: ['HIGH'],
      statuses: ['new', 'seen'],
      type: 'batch',
      rule: 'r',
      keywords: 'k',
      event: 'e',
      sort: 'count',
      order: 'ascending',
    },
  ],
  [
    'Rules',
    readRulesSearch,
    {
      ...RANGE,
      keywords: 'k',
      kind: 'stream',
      enabled: 'off',
      priority: 'LOW',
      category: 'c',
      rule: 'r',
      of: 'batch',
      tab: 'versions',
      left: 1,
      right: 2,
      edit: true,
      base: 3,
      days: 14,
      hour: '2026-11-15 10',
    },
  ],
  [
    'Schedules',
    readSchedulesSearch,
    { keywords: 'k', states: ['running', 'failed'], schedule: 's', tab: 'workflow', days: 7, hour: '2026-11-15 10' },
  ],
  [
    'Search',
    readAddress,
    {
      ...RANGE,
      q: 'table web | search a == "x"',
      view: 'json',
      columns: ['_time', '상태'],
      page: 2,
      mark: 7,
      live: true,
    },
  ],
  [
    'Sources',
    readSourcesSearch,
    { keywords: 'k', state: 'silent', logger: 'l', add: 'table', kind: 'syslog', parser: 'json', table: 'web' },
  ],
  ['Tables', readTablesSearch, { keywords: 'k', table: 'web', tab: 'days', measure: 'bytes' }],
  [
    'Tickets',
    readTicketsSearch,
    {
      view: 'list',
      keywords: 'k',
      statuses: ['NEW', 'CLOSED'],
      priorities: ['HIGH', 'LOW'],
      assignee: 'a',
      approver: 'b',
      within: '7d',
      order: 'oldest',
      ticket: 't',
      part: 'history',
    },
  ],
];

describe.each(PAGES)('The address of %s', (_, read, search) => {
  it('is reproduced by a link', () => expect(read(search)).toEqual(search));

  it('has nothing where it says nothing', () => expect(read({})).toEqual({}));

  it('leaves out what the page does not know', () => expect(read({ ...search, unknown: 'x' })).toEqual(search));

  it('is not broken by values of other kinds', () => {
    for (const value of [null, {}, [null], [{}], 'nonsense', -1.5, false]) {
      const broken = read(Object.fromEntries(Object.keys(search).map((name) => [name, value])));
      const texts = Object.values(broken)
        .flat()
        .map((item) => typeof item);
      expect(texts.filter((type) => type !== 'string' && type !== 'number')).toEqual([]);
    }
  });
});

describe('The address of Search', () => {
  it.each([
    [{ page: 1 }, {}],
    [{ page: -2 }, {}],
    [{ live: 'true' }, {}],
    [{ columns: ['a', 'a', 5] }, { columns: ['a', '5'] }],
    [{ columns: [] }, {}],
    [{ columns: 'a' }, {}],
    [{ q: 5 }, { q: '5' }],
  ])('%j is read as %j', (search, address) => expect(readAddress(search)).toEqual(address));

  it('names a hundred columns at most', () => {
    const columns = Array.from({ length: 200 }, (_, n) => `c${n}`);
    expect(readAddress({ columns }).columns).toHaveLength(100);
  });
});

describe('A choice among numbers', () => {
  it.each([
    [readDashboardsSearch({ refresh: 7 }), {}],
    [readDashboardsSearch({ refresh: '30' }), {}],
    [readRulesSearch({ days: 8, left: 1.5 }), {}],
    [readSchedulesSearch({ days: '7' }), {}],
  ])('is one of those that the page offers', (search, expected) => expect(search).toEqual(expected));
});
