// Positions of schedules in their workflow, and what switching one sends.

import { describe, expect, it } from 'vitest';
import { answerConsole } from '#test/support/console-answers.ts';
import type { Schedule } from './schedules-search.ts';
import { switchSchedule } from './use-schedules.ts';
import { workflowOf } from './workflow-layout.ts';

const schedule = (guid: string, preceding_guid: string | null): Schedule => ({ guid, preceding_guid }) as Schedule; // The links alone are read.
const positionsOf = (guid: string, schedules: readonly Schedule[]) =>
  Object.fromEntries(workflowOf(guid, schedules).placed.map((one) => [one.schedule.guid, [one.column, one.row]]));

describe('A workflow', () => {
  const schedules = [
    schedule('a', null),
    schedule('b', 'a'),
    schedule('c', 'a'),
    schedule('d', 'c'),
    schedule('other', null),
    schedule('lost', 'gone'),
  ];

  it.each(['a', 'b', 'd'])('stands from left to right, the same seen from %s', (guid) => {
    expect(positionsOf(guid, schedules)).toEqual({ a: [0, 0.5], b: [1, 0], c: [1, 1], d: [2, 1] });
    expect(workflowOf(guid, schedules)).toMatchObject({ columns: 3, rows: 2 });
  });

  it('is one schedule where it has no followers, or where what it follows is gone', () => {
    expect(positionsOf('other', schedules)).toEqual({ other: [0, 0] });
    expect(positionsOf('lost', schedules)).toEqual({ lost: [0, 0] });
  });

  it('of an unknown schedule is empty', () => {
    expect(workflowOf('unknown', schedules)).toEqual({ placed: [], columns: 0, rows: 0 });
  });
});

describe('Switching a schedule', () => {
  const UPDATE = 'PUT /api/core/scheduled-queries/:guid';
  const base = { guid: 's', name: 'n', query: 'table web', output_parameter: {}, trigger_type: 'cron' };
  const unset = {
    description: null,
    node_types: null,
    cron_schedule: null,
    preceding_guid: null,
    preceding_action: null,
  };
  const set = {
    description: 'd',
    node_types: ['a'],
    cron_schedule: '* * * * *',
    preceding_guid: 'p',
    preceding_action: 'x',
  };

  it.each([
    ['what is set', set, set],
    ['nothing that is not set', unset, {}],
  ])('sends %s, as an update replaces all fields', async (_, fields, sent) => {
    const requests = answerConsole({ [UPDATE]: () => ({}) });
    // The fields that are read.
    await switchSchedule({ ...base, ...fields, enabled: true } as unknown as Schedule, false);
    expect(requests.map(({ params }) => params)).toEqual([{ ...base, ...sent, enabled: false }]);
  });
});
