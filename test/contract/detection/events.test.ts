// What becomes of matches: which of them are one event, and who sees it.

import { describe, expect, it } from 'vitest';
import { created, createTeam } from '#test/support/accounts.ts';
import { BATCH_RULES, createLog, createRule, EVENTS, eventsOf, RULE, runRule } from '#test/support/detection.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused, type Subject, serviceFor } from '#test/support/suites.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const at = (seconds: number) => new Date(Date.parse('2024-02-29T12:00:00Z') + seconds * 1000);
const stamp = (seconds: number) => at(seconds).toISOString().replace('T', ' ').replace('.000Z', '+0000');

describe('Listing events is refused', () => {
  const { call } = serviceFor();

  it.each([
    ['limit=1001', invalid("'limit' must be less than or equal to 1000.")],
    ['from=x', invalid('invalid date format')],
    ['from=2024-03-02 00:00:00%2B0000&to=2024-03-01 00:00:00%2B0000', invalid('date range is unacceptable.')],
    ['rule_guids=x', refused(400, 'invalid-param-type', 'rule_guids should be guid type.')],
    ['rule_types=both', invalid("rule_types value must be one of 'batch', 'stream'.")],
    ['priorities=high', invalid("priorities value must be one of 'LOW', 'MEDIUM', 'HIGH'.")],
    ['sort_type=asc', invalid("sort_type value must be one of 'ASC', 'DESC'.")],
    [
      'sort_column=msg',
      invalid(
        "sort_column value must be one of 'id', 'last_time', 'first_time', 'priority', 'count', 'rule_name', 'status'.",
      ),
    ],
    ['ticket_guid=x', refused(400, 'invalid-param-type', 'ticket_guid should be guid type.')],
  ])('with %s', async (query, complaint) => {
    expect(outcome(await call('GET', `${EVENTS}?${query}`))).toEqual(complaint);
  });

  it('unlike asking for one that is not there', async () => {
    expect(outcome(await call('GET', `${EVENTS}/${NOWHERE}`))).toEqual([200, { event: null }]);
  });
});

/** Moments of matches by key, how they merge, and the events there are then: key, first, last, count. */
type Merging = readonly [
  name: string,
  rule: Readonly<Record<string, string>>,
  runs: readonly (readonly (readonly [user: string, second: number])[])[],
  events: readonly (readonly [key: string | undefined, first: number, last: number, count: number])[],
];

const BY_USER = { suppress_key: '$user', event_suppress_interval: '60' };

onEachDatabase('Matches', (subject) => {
  const cases: readonly Merging[] = [
    [
      'are an event each without an interval',
      { suppress_key: '$user' },
      [
        [
          ['a', 0],
          ['a', 0],
        ],
      ],
      [
        ['a', 0, 0, 1],
        ['a', 0, 0, 1],
      ],
    ],
    [
      'of one key are one event within it',
      BY_USER,
      [
        [
          ['a', 0],
          ['b', 1],
          ['a', 59],
        ],
      ],
      [
        ['a', 0, 59, 2],
        ['b', 1, 1, 1],
      ],
    ],
    [
      'are a new one at its end',
      BY_USER,
      [
        [
          ['a', 0],
          ['a', 60],
        ],
      ],
      [
        ['a', 0, 0, 1],
        ['a', 60, 60, 1],
      ],
    ],
    [
      'start it anew with keep_alive',
      { ...BY_USER, keep_alive: 'true' },
      [
        [
          ['a', 0],
          ['a', 50],
          ['a', 100],
          ['a', 160],
        ],
      ],
      [
        ['a', 0, 100, 3],
        ['a', 160, 160, 1],
      ],
    ],
    [
      'join what an earlier run has found, one at a time',
      BY_USER,
      [
        [['a', 0]],
        [
          ['a', 50],
          ['a', 70],
          ['a', 90],
        ],
      ],
      [
        ['a', 0, 50, 2],
        ['a', 70, 90, 2],
      ],
    ],
    ['that are late join what began after them', BY_USER, [[['a', 100]], [['a', 50]]], [['a', 100, 100, 2]]],
    [
      'of a rule without a key are all the same',
      { event_suppress_interval: '60' },
      [
        [
          ['a', 0],
          ['b', 1],
        ],
      ],
      [[undefined, 0, 1, 2]],
    ],
  ];

  it.each(cases)('%s', async (name, fields, runs, events) => {
    const table = `m${cases.findIndex(([other]) => other === name)}`;
    const push = await createLog(subject, table);
    const rule = await createRule(subject, {
      name,
      query: `table ${table} | search run == 0 | fields _time, user`,
      ...fields,
    });
    for (const [index, matches] of runs.entries()) {
      await push(matches.map(([user, second]) => ({ _time: at(second).getTime(), user, run: index })));
      const query = `table ${table} | search run == ${index} | fields _time, user`;
      const form = { ...RULE, name, query, ...fields };
      await subject.call('PUT', `${BATCH_RULES}/${rule}`, { form });
      await runRule(subject, rule);
      const total = runs.slice(0, index + 1).flat().length;
      const counted = async () => (await eventsOf(subject, rule)).reduce((sum, { count }) => sum + count, 0);
      await expect.poll(counted).toBe(total);
    }
    const found = await eventsOf(subject, rule);
    expect(found.map((event) => [event.suppress_key, event.first_time, event.last_time, event.count])).toEqual(
      events.map(([key, first, last, count]) => [key, stamp(first), stamp(last), count]),
    );
  });
});

onEachDatabase('An event', (subject) => {
  const { call } = subject;

  it('is read back with the version that has found it, and only grows', async () => {
    const category = await created(subject, '/api/core/rule-categories', { name: 'c' });
    const fields = { name: 'seen', category_guid: category, event_suppress_interval: '60', suppress_key: 'k $user' };
    const rule = await createRule(subject, { ...fields, query: 'json "{\\"user\\":\\"kim\\",\\"n\\":[1,2]}"' });
    const id = await runRule(subject, rule);
    await expect.poll(() => eventsOf(subject, rule)).toHaveLength(1);
    const [event] = await eventsOf(subject, rule);
    expect(event).toStrictEqual({
      id: event.id,
      guid: event.guid,
      rule_type: 'batch',
      rule_guid: rule,
      rule_name: 'seen',
      rule_version: 1,
      priority: 'HIGH',
      category_guid: category,
      category_name: 'c',
      msg: 'login of kim failed.',
      suppress_key: 'k kim',
      count: 1,
      fields: { user: 'kim', n: [1, 2] },
      first_time: '2024-03-01 00:00:00+0000',
      last_time: '2024-03-01 00:00:00+0000',
      query_id: id,
      ticket_guid: null,
      status: 'new',
      status_reason: null,
      status_user: null,
      status_time: null,
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 00:00:00+0000',
    });
    expect((await call('GET', `${EVENTS}/${event.guid}`)).json).toEqual({ event });
    const put = { ...RULE, priority: 'LOW', msg: 'else', name: 'renamed', suppress_key: 'k $user' };
    const form = { ...put, event_suppress_interval: '60', query: 'json "{\\"user\\":\\"kim\\",\\"m\\":1}"' };
    expect((await call('PUT', `${BATCH_RULES}/${rule}`, { form })).status).toBe(200);
    await runRule(subject, rule);
    await expect.poll(() => eventsOf(subject, rule)).toEqual([{ ...event, count: 2 }]);
  });

  it('is found by what it is', async () => {
    const low = await createRule(subject, {
      name: 'Low',
      priority: 'LOW',
      query: 'json "{\\"user\\":\\"Ångström\\"}"',
    });
    await runRule(subject, low);
    await expect.poll(() => eventsOf(subject, low)).toHaveLength(1);
    const [event] = await eventsOf(subject, low);
    const cases = [
      ['priorities=LOW', 1],
      ['priorities=MEDIUM', 0],
      ['keywords=ångström', 1],
      ['keywords=nobody', 0],
      [`rule_guids=${low}`, 1],
      [`rule_guids=${NOWHERE}`, 0],
      ['rule_types=stream', 0],
      [`ticket_guid=${NOWHERE}`, 0],
      [`rule_guids=${low}&from=2024-03-01 00:00:00%2B0000&to=2024-03-01 00:00:00%2B0000`, 1],
      ['from=2024-03-01 00:00:01%2B0000', 0],
      ['to=2024-02-29 00:00:00%2B0000', 0],
    ] as const;
    for (const [query, total] of cases) {
      const { json } = await call('GET', `${EVENTS}?${query}`);
      expect([query, json.total_count]).toEqual([query, total]);
      if (total === 1) expect(json.events).toEqual([event]);
    }
    const ids = (await call('GET', EVENTS)).json.events.map(({ id }: Wire) => id);
    expect(ids).toEqual(ids.toSorted((one: number, other: number) => other - one));
  });

  it('stands where the list is sorted to, equal ones by their ids', async () => {
    const push = await createLog(subject, 'sorted');
    // Name, priority, seconds of its matches.
    const rules = [
      ['beta', 'MEDIUM', [50]],
      ['Alpha', 'HIGH', [10, 40]],
      ['gamma', 'LOW', [20, 21, 60]],
      ['Delta', 'HIGH', [30]],
    ] as const;
    const guids: string[] = [];
    for (const [name, priority, seconds] of rules) {
      await push(seconds.map((second) => ({ _time: at(second).getTime(), user: name })));
      const query = `table sorted | search user == "${name}" | fields _time, user`;
      const rule = await createRule(subject, { name, priority, query, event_suppress_interval: '3600' });
      await runRule(subject, rule);
      await expect.poll(() => eventsOf(subject, rule)).toMatchObject([{ count: seconds.length }]);
      guids.push(rule);
    }
    const cases = [
      ['', 'Delta gamma Alpha beta'],
      ['sort_type=ASC', 'beta Alpha gamma Delta'],
      ['sort_column=last_time', 'gamma beta Alpha Delta'],
      ['sort_column=last_time&sort_type=ASC', 'Delta Alpha beta gamma'],
      ['sort_column=first_time', 'beta Delta gamma Alpha'],
      ['sort_column=priority', 'Delta Alpha beta gamma'],
      ['sort_column=priority&sort_type=ASC', 'gamma beta Alpha Delta'],
      ['sort_column=count', 'gamma Alpha Delta beta'],
      ['sort_column=rule_name&sort_type=ASC', 'Alpha beta Delta gamma'],
      ['sort_column=status', 'Delta gamma Alpha beta'],
      ['sort_column=last_time&offset=1&limit=2', 'beta Alpha'],
    ] as const;
    for (const [query, names] of cases) {
      const { json } = await call('GET', `${EVENTS}?rule_guids=${guids.join(',')}&${query}`);
      const found = json.events.map(({ rule_name }: Wire) => rule_name).join(' ');
      expect([query, found]).toEqual([query, names]);
    }
  });

  it('is seen by members whom its rule names, or named when it was removed, or who see its ticket', async () => {
    await expectSeen(subject);
  });
});

async function expectSeen(subject: Subject) {
  const { call } = subject;
  const member = async (name: string) => (await createTeam(subject, name)).member;
  const assignee = await member('assignee');
  const reviewer = await member('reviewer');
  const auditor = await member('auditor');
  const alarmed = await member('alarmed');
  const granted = await member('granted');
  const stranger = await member('stranger');
  const group = await created(subject, '/api/core/alarm-groups', {
    name: 'duty',
    members: JSON.stringify([{ type: 'USER', guid: alarmed.guid }]),
  });
  const repo = await created(subject, '/api/core/ticket-repos', {
    name: 'soc',
    shared_users: JSON.stringify([granted.guid]),
  });
  const rule = await createRule(subject, {
    name: 'watched',
    query: 'json "{\\"user\\":\\"kim\\"}"',
    ticket_issue_cond: 'ALWAYS',
    ticket_repo_guid: repo,
    ticket_assignee_guids: assignee.guid,
    reviewer_guids: reviewer.guid,
    auditor_guid: auditor.guid,
    alarm_group_guid: group,
  });
  await runRule(subject, rule);
  await expect.poll(() => eventsOf(subject, rule)).toHaveLength(1);
  const [event] = await eventsOf(subject, rule);
  for (const { key, login } of [assignee, reviewer, auditor, alarmed, granted]) {
    expect([login, (await call('GET', EVENTS, { key })).json]).toEqual([login, { total_count: 1, events: [event] }]);
    expect((await call('GET', `${EVENTS}/${event.guid}`, { key })).json).toEqual({ event });
  }
  await call('DELETE', BATCH_RULES, { form: { guids: rule } });
  for (const { key, login } of [assignee, reviewer, auditor, alarmed, granted]) {
    expect([login, (await call('GET', `${EVENTS}/${event.guid}`, { key })).json]).toEqual([login, { event }]);
  }
  const dry = await call('DELETE', '/api/core/users', { form: { guids: reviewer.guid, dry_run: 'true' } });
  expect(dry.json).toEqual({ failures: [], references: [] });
  expect((await call('GET', EVENTS, { key: stranger.key })).json).toEqual({ total_count: 0, events: [] });
  expect((await call('GET', `${EVENTS}/${event.guid}`, { key: stranger.key })).json).toEqual({ event: null });
}
