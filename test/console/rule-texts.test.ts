// What Rules and Schedules compute by themselves: cells of a calendar, places in a workflow, differences, logs to test, trials.

import { describe, expect, it } from 'vitest';
import { calendarDays, cellBeside } from '#console/components/calendar-cells.ts';
import { findingsBehind } from '#console/components/query-editor/findings.ts';
import { slotsText } from '#console/components/slot-ledger/slots.ts';
import { en } from '#console/labels/en.ts';
import { draftOf, newDraft, requestOf } from '#console/pages/rules/editor/draft.ts';
import { changedParts, fieldText, messageText } from '#console/pages/rules/rule-values.ts';
import { pastedRecords, recordOfRow } from '#console/pages/rules/test/test-records.ts';
import { eventsOf, trialText, windowAt } from '#console/pages/rules/trial/trial.ts';
import { fieldOfFailure } from '#console/pages/rules/versions/restore-failures.ts';
import type { Schedule } from '#console/pages/schedules/schedules-search.ts';
import { workflowOf } from '#console/pages/schedules/workflow-layout.ts';
import { toStamp } from '#console/time/moments.ts';
import { durationText } from '#console/time/numbers.ts';
import { fillTemplate, mergeMatches } from '#detection/matches.ts';
import { chance, seededDice, times } from '#kernel/dice.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';

const at = (text: string): number => Date.parse(text);

describe('A calendar strip', () => {
  const end = at('2026-03-30T12:00:00Z');
  const zone = 'Europe/Berlin';
  const moments = ['2026-03-28T22:30:00Z', '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z', '2026-03-30T07:00:00Z'].map(
    at,
  );
  const calendar = calendarDays(moments, (moment) => moment, { end, count: 3, zone });

  it('has the days of the reader, across a clock change', () => {
    expect(calendar.days).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(calendar.cells.map(({ key }) => key)).toEqual([
      '2026-03-28 23',
      '2026-03-29 01',
      '2026-03-29 03',
      '2026-03-30 09',
    ]);
  });

  it('puts an hour that occurs twice into one cell, and leaves out other days', () => {
    const twice = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-20T00:00:00Z'].map(at);
    const { cells } = calendarDays(twice, (moment) => moment, { end: at('2026-10-25T20:00:00Z'), count: 2, zone });
    expect(cells.map(({ key, items }) => [key, items.length])).toEqual([['2026-10-25 02', 2]]);
  });

  it('is walked by keys', () => {
    const [first, second, third, last] = calendar.cells;
    if (!first || !second || !third || !last) throw new Error('four cells are expected');
    expect(cellBeside('ArrowRight', first, calendar)).toBe(second);
    expect(cellBeside('ArrowLeft', first, calendar)).toBeUndefined();
    expect(cellBeside('ArrowDown', first, calendar)).toBe(third);
    expect(cellBeside('ArrowUp', last, calendar)).toBe(third);
    expect(cellBeside('End', first, calendar)).toBe(last);
    expect(cellBeside('x', first, calendar)).toBeUndefined();
  });

  it('names the slots of a cell with their reasons', () => {
    const slot = { slot_time: toStamp(end), outcome: 'missed', reason: 'service-down', state: null };
    const ran = { ...slot, outcome: 'ran', reason: null, state: 'succeeded' };
    // Of a slot only these fields are read here.
    const slots = [slot, ran] as unknown as Parameters<typeof slotsText>[0];
    expect(slotsText(slots, en.slots)).toBe('2 slots: 1 Missed (The service was not running), 1 Succeeded');
  });
});

it('Lengths of time have two units at most', () => {
  const texts = [0, 999, 1500, 59_700, 61_000, 3_600_000, 90_000_000, 200_000_000].map(durationText);
  expect(texts).toEqual(['0 ms', '999 ms', '1.5 s', '1 min', '1 min 1 s', '1 h', '25 h', '2 d 8 h']);
});

describe('A workflow', () => {
  const schedule = (guid: string, preceding_guid: string | null): Schedule => ({ guid, preceding_guid }) as Schedule; // The links alone are read.
  const placesOf = (guid: string, schedules: readonly Schedule[]) =>
    Object.fromEntries(workflowOf(guid, schedules).placed.map((one) => [one.schedule.guid, [one.column, one.row]]));
  const schedules = [
    schedule('a', null),
    schedule('b', 'a'),
    schedule('c', 'a'),
    schedule('d', 'c'),
    schedule('other', null),
    schedule('lost', 'gone'),
  ];

  it('stands from left to right, a schedule in the middle of its followers', () => {
    const places = { a: [0, 0.5], b: [1, 0], c: [1, 1], d: [2, 1] };
    for (const guid of ['a', 'b', 'd']) expect(placesOf(guid, schedules)).toEqual(places);
  });

  it('begins with a schedule whose own is gone, and is one for a schedule alone', () => {
    expect(placesOf('lost', schedules)).toEqual({ lost: [0, 0] });
    expect(placesOf('other', schedules)).toEqual({ other: [0, 0] });
    expect(workflowOf('unknown', schedules).placed).toEqual([]);
  });
});

describe('Fields of a rule', () => {
  it('show references by their names, and those that are gone as such', () => {
    const rule = { logger_guids: ['1', '2'], logger_names: ['web', null], duration: 900, keep_alive: true };
    expect(fieldText('logger_guids', rule, en)).toBe('web\n2 (not there any more)');
    expect(fieldText('duration', rule, en)).toBe('15 min');
    expect(fieldText('keep_alive', rule, en)).toBe('Yes');
    expect(fieldText('msg', rule, en)).toBe('');
    expect(fieldText('mitre_techniques', { mitre_techniques: ['T1', { mitre_id: 'T2', name: null }] }, en)).toBe(
      'T1\nT2',
    );
  });

  it('differ between their common beginning and their common end', () => {
    expect(changedParts('failures >= 50', 'failures >= 20')).toEqual([
      { before: 'failures >= ', changed: '5', after: '0' },
      { before: 'failures >= ', changed: '2', after: '0' },
    ]);
    expect(changedParts('aa', 'aaa').map(({ changed }) => changed)).toEqual(['', 'a']);
    expect(changedParts('', '한').map(({ changed }) => changed)).toEqual(['', '한']);
  });

  it('come back from the editor as they went in', () => {
    const rule = {
      name: 'n',
      msg: 'm',
      priority: 'HIGH',
      schema_code: 'web',
      commands: [
        { template_id: 4, field_name: 'action', args: { values: ['a', 1] }, query: 'q', invert: true, ordinal: 1 },
      ],
      mitre_techniques: [{ mitre_id: 'T1', name: 'x' }],
      category_guid: null,
    };
    const sent = requestOf('stream', draftOf(rule, true));
    expect(sent).toMatchObject({ name: 'n', priority: 'HIGH', enabled: true, mitre_techniques: ['T1'] });
    expect(sent.commands).toEqual([
      { template_id: 4, field_name: 'action', args: { values: ['a', '1'] }, invert: true, ordinal: 1 },
    ]);
    expect(Object.keys(sent)).not.toContain('category_guid');
    expect(Object.keys(sent)).not.toContain('schedule');
    expect(requestOf('batch', { ...newDraft(), datetrunc: '60' })).toMatchObject({ datetrunc: 60, duration: 900 });
    expect(requestOf('batch', draftOf({ schedule: '* * * * *' }, false)).duration).toBeUndefined();
  });

  it('are named in failures of a restore of either kind', () => {
    expect(fieldOfFailure({ id: 'category', name: 'x', reason: 'not-found' }).field).toBe('category_guid');
    expect(fieldOfFailure({ field: 'rule_category', value: 'x', reason: 'not-found' }).field).toBe('category_guid');
  });
});

it('Logs are pasted as lines, as one array, or as text', () => {
  expect(pastedRecords('{"a":1}\n\nplain\n[1]')).toEqual([{ a: 1 }, { line: 'plain' }, { line: '[1]' }]);
  expect(pastedRecords('[{"a":1},"x"]')).toEqual([{ a: 1 }, { line: 'x' }]);
  expect(pastedRecords('{\n"a": {"b": 2}\n}')).toEqual([{ a: { b: 2 } }]);
  const row = { _id: 1, _table: 't', n: 12345678901234567890n, list: [1n], gone: null };
  expect(JSON.stringify(recordOfRow(row))).toBe('{"n":12345678901234567890,"list":[1]}');
});

it('Findings of a text stand behind the pipeline that it continues', () => {
  const finding = { code: 1, message: '', begin: 12, end: 18, line: 1, column: 13, suggestion: null, suggestions: [] };
  const moved = findingsBehind({ mistakes: [finding, { ...finding, begin: 2 }], warnings: [], hints: [] }, 10);
  expect(moved.mistakes.map(({ begin, end }) => [begin, end])).toEqual([
    [2, 8],
    [0, 8],
  ]);
});

describe('A trial of a batch rule', () => {
  it('continues the query of its dataset over its window', () => {
    expect(trialText('table a', 'stats count')).toBe('table a | stats count');
    expect(trialText(undefined, 'table b')).toBe('table b');
    const end = at('2026-11-16T10:07:30Z');
    expect(windowAt({ duration: 900, datetrunc: 3600 }, end).interval).toEqual({
      from: at('2026-11-16T09:00:00Z'),
      to: at('2026-11-16T10:00:00Z'),
    });
    expect(windowAt({}, end)).toEqual({ interval: { from: 0, to: end }, isOwn: false });
  });

  it('fills messages and counts events as the service does', () => {
    const template = '$a. $b.c $missing $@x! $';
    const row = { a: 1, 'b.c': 'two', '@x': ['y'] };
    expect(messageText(template, row)).toBe(fillTemplate(template, row));
    for (let seed = FUZZ_SEED; seed < FUZZ_SEED + 200; seed++) {
      const dice = seededDice(seed);
      const seconds = times(1 + dice.below(8), () => dice.below(60)).toSorted((one, other) => one - other);
      const isRenewed = chance(dice, 2);
      const interval = 1 + dice.below(20);
      const rows = seconds.map((second) => ({ _time: toStamp(second * 1000), src_ip: 'x' }));
      const matches = seconds.map((second) => ({ fields: {}, time: second * 1000 }));
      const { fresh } = mergeMatches('x', matches, undefined, { intervalMs: interval * 1000, isRenewed });
      const subject = { dataset_guid: null, msg: '', suppress_key: '$src_ip', event_suppress_interval: interval };
      expect(eventsOf(rows, { ...subject, keep_alive: isRenewed })).toBe(fresh.length);
    }
  });
});
