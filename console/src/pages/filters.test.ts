// What the state of a page means to the operations behind it.

import { describe, expect, it } from 'vitest';
import * as audit from './audit/audit-search.ts';
import * as events from './events/events-search.ts';
import { ruleOf } from './rules/rules-search.ts';
import { type Schedule, stateOf as stateOfSchedule } from './schedules/schedules-search.ts';
import { rangeIn } from './search/address.ts';
import { type Logger, stateOf as stateOfLogger } from './sources/sources-search.ts';
import * as tickets from './tickets/tickets-search.ts';

const HOUR = { from: Date.parse('2026-11-15T01:00:00Z'), to: Date.parse('2026-11-15T02:00:00Z') };
const STAMPS = { from: '2026-11-15 01:00:00+0000', to: '2026-11-15 02:00:00+0000' };

describe('A page without a range of its own', () => {
  it('looks at the last day, Audit at the last week', () => {
    expect([rangeIn({}), events.rangeIn({}), audit.rangeIn({})]).toEqual([
      { from: 'now-24h', to: 'now' },
      { from: 'now-24h', to: 'now' },
      { from: 'now-7d', to: 'now' },
    ]);
    expect(audit.rangeIn({ from: 'now-1h', to: 'now' })).toEqual({ from: 'now-1h', to: 'now' });
  });
});

describe('Filters of Audit', () => {
  it.each([
    [{}, {}],
    [
      { categories: ['user'], actions: ['user.create'] },
      { categories: ['user'], actions: ['user.create'] },
    ],
    [{ company: 'c' }, { company_guids: ['c'] }],
    [{ keywords: 'k', user: 'kim', address: '10.0.0.1' }, { keywords: ['k', 'kim', '10.0.0.1'] }],
  ])('%j are %j to the operation', (search, filters) => {
    expect(audit.filtersOf(search, HOUR)).toEqual({ ...STAMPS, ...filters });
  });

  it.each([
    [{}, true],
    [{ user: 'kim' }, true],
    [{ user: 'lee' }, false],
    [{ user: 'kim', address: '10.0.0.1' }, true],
    [{ address: '10.0.0.10' }, false],
  ])('%j take an entry of kim from 10.0.0.1: %s', (search, isOf) => {
    // Of an entry only these fields are read.
    const entry = { user_name: 'kim', remote_ip: '10.0.0.1' } as audit.AuditEntry;
    expect(audit.isOf(entry, search)).toBe(isOf);
  });
});

describe('Filters of Events', () => {
  it.each([
    [{}, {}],
    [
      { priorities: ['HIGH'], statuses: ['new'] },
      { priorities: ['HIGH'], statuses: ['new'] },
    ],
    [
      { type: 'batch', rule: 'r', keywords: '로그인' },
      { rule_types: ['batch'], rule_guids: ['r'], keywords: '로그인' },
    ],
  ] as const)('%j are %j to the operation', (search, filters) => {
    expect(events.filtersOf(search, HOUR)).toEqual({ ...STAMPS, ...filters });
  });

  it.each([
    [{}, 'last_time', 'DESC', {}],
    [{ sort: 'last_time', order: 'ascending' }, 'last_time', 'ASC', { sort: 'last_time', order: 'ascending' }],
    [{ sort: 'priority' }, 'priority', 'DESC', { sort: 'priority', order: 'descending' }],
  ] as const)('of %j come by %s %s, as the header shows', (search, sort_column, sort_type, kept) => {
    expect(events.orderOf(search)).toEqual({ sort_column, sort_type });
    expect(events.searchOfSorting(events.sortingIn(search))).toEqual(kept);
  });

  const event = {
    priority: 'HIGH',
    status: 'new',
    rule_type: 'stream',
    rule_guid: 'r',
    rule_name: 'Brute Force',
    msg: '로그인 실패',
    suppress_key: 'src',
  } as unknown as events.EventRecord; // Of an event only these fields are read.

  it.each([
    [{}, true],
    [{ priorities: ['HIGH', 'LOW'] }, true],
    [{ priorities: ['LOW'] }, false],
    [{ statuses: ['closed'] }, false],
    [{ type: 'batch' }, false],
    [{ type: 'stream', rule: 'r' }, true],
    [{ rule: 'other' }, false],
    [{ keywords: 'brute' }, true],
    [{ keywords: '실패' }, true],
    [{ keywords: 'null' }, false],
    [{ keywords: 'SRC' }, true],
  ] as const)('%j show a new event: %s', (search, isShown) => {
    expect(events.fits(event, search)).toBe(isShown);
  });
});

describe('Filters of Tickets', () => {
  const at = Date.parse('2026-11-15T12:00:00Z');

  it.each([
    [{}, {}],
    [{ order: 'oldest' }, { sort_type: 'ASC' }],
    [{ order: 'changed' }, { sort_column: 'updated_at' }],
    [
      { order: 'closed', keywords: 'k' },
      { sort_column: 'closed_at', keywords: 'k' },
    ],
    // An approved ticket stands among the closed ones.
    [{ statuses: ['NEW', 'CLOSED'] }, { statuses: ['NEW', 'CLOSED', 'APPROVED'] }],
    [{ priorities: ['HIGH', 'LOW'] }, { priorities: ['3', '1'] }],
    [
      { assignee: 'a', approver: 'b' },
      { assignees: ['a'], approvers: ['b'] },
    ],
    [{ within: '24h' }, { from: '2026-11-14 12:00:00+0000' }],
  ] as const)('%j are %j to the operation', (search, filters) => {
    expect(tickets.filtersOf(search, at)).toEqual(filters);
  });

  it('have names for priorities that are numbers', () => {
    expect([3, 2, 1, 0, 99].map(tickets.priorityOf)).toEqual(['HIGH', 'MEDIUM', 'LOW', 'LOW', 'LOW']);
  });

  it('have a column for every status', () => {
    expect((['NEW', 'APPROVED', 'CLOSED'] as const).map(tickets.columnOf)).toEqual(['NEW', 'CLOSED', 'CLOSED']);
  });
});

describe('The state of a schedule', () => {
  const idle = { running_state: 'idle', query_error: null, enabled: true, result_state: 'succeeded' };

  it.each([
    [{}, 'idle'],
    [{ result_state: 'failed' }, 'failed'],
    [{ enabled: false, result_state: 'failed' }, 'disabled'],
    [{ query_error: {}, enabled: false }, 'broken'],
    [{ running_state: 'running', query_error: {} }, 'running'],
  ])('with %j is %s', (fields, state) => {
    // Of a schedule only these fields are read.
    expect(stateOfSchedule({ ...idle, ...fields } as unknown as Schedule)).toBe(state);
  });
});

describe('The state of a logger', () => {
  const running = { enabled: true, failure: null, silent_since: null };

  it.each([
    [{}, 'running'],
    [{ silent_since: '2026-11-15 01:00:00+0000' }, 'silent'],
    [{ failure: {}, silent_since: '2026-11-15 01:00:00+0000' }, 'failing'],
    [{ enabled: false, failure: {} }, 'stopped'],
  ])('with %j is %s', (fields, state) => {
    // Of a logger only these fields are read.
    expect(stateOfLogger({ ...running, ...fields } as unknown as Logger)).toBe(state);
  });
});

it('A rule carries its kind', () => {
  // Any record of a rule.
  expect(ruleOf('batch', { guid: 'r' } as Parameters<typeof ruleOf>[1])).toEqual({ guid: 'r', kind: 'batch' });
});
