// What Home says of the schedules.

import { describe, expect, it } from 'vitest';
import type { Schedule } from '#console/pages/schedules/schedules-search.ts';
import { healthOf, leftOutOf } from './schedule-health.ts';

const FINE = {
  enabled: true,
  trigger_type: 'cron',
  query_error: null,
  result_state: 'succeeded',
  running_state: 'idle',
  next_run_time: '2026-11-17 06:00:00+0000',
};
const schedule = (guid: string, change: object = {}) => ({ ...FINE, guid, ...change }) as unknown as Schedule;
const NONE = new Map<string, number>();

describe('The health of schedules', () => {
  it.each([
    ['a disabled one that cannot run', { enabled: false, query_error: '(92000) no' }, 'broken'],
    ['an enabled one that cannot run', { query_error: '(92000) no' }, 'broken'],
    ['one whose text was broken while it runs', { running_state: 'running', query_error: '(92000) no' }, 'broken'],
    ['one whose last run failed', { result_state: 'failed' }, 'failed'],
    ['one that runs again after a failure', { running_state: 'running', result_state: 'failed' }, 'failed'],
    ['one that never falls due', { next_run_time: null }, 'never-due'],
  ])('names %s', (_, change, issue) => {
    const { affected, planned, disabled } = healthOf([schedule('a', change), schedule('b')], NONE);
    expect(affected.map((one) => [one.schedule.guid, one.issue])).toEqual([['a', issue]]);
    expect([planned, disabled]).toEqual([1, 0]);
  });

  it.each([
    ['before its first run', { result_state: null, running_state: null }],
    ['that runs', { running_state: 'running' }],
    ['whose run was stopped by hand', { result_state: 'cancelled' }],
    ['that follows another', { trigger_type: 'workflow', next_run_time: null }],
  ])('counts one %s as planned', (_, change) => {
    expect(healthOf([schedule('a', change)], NONE)).toEqual({ affected: [], planned: 1, disabled: 0 });
  });

  it('counts a disabled one apart, also where its last run failed', () => {
    const off = { enabled: false, next_run_time: null };
    const health = healthOf([schedule('a', off), schedule('b', { ...off, result_state: 'failed' })], NONE);
    expect(health).toEqual({ affected: [], planned: 0, disabled: 2 });
  });

  it('names those with slots that did not run, after worse ones', () => {
    const left = new Map([
      ['a', 3],
      ['b', 0],
    ]);
    const { affected } = healthOf([schedule('a'), schedule('b'), schedule('c', { result_state: 'failed' })], left);
    expect(affected.map((one) => [one.schedule.guid, one.issue, one.leftOut])).toEqual([
      ['c', 'failed', 0],
      ['a', 'left-out', 3],
    ]);
  });

  it('does not count slots of a time when the schedule was disabled', () => {
    const slots = [{ reason: 'disabled' }, { reason: 'still-running' }, { reason: 'service-down' }];
    expect(leftOutOf(12, slots)).toBe(11);
    expect(leftOutOf(0, [])).toBe(0);
  });
});
