// Triage of events: counts over time, the status that people set, tickets for several events, and the stream of new ones.

import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Account, createAccount, created, createTeam } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLog, createRule, EVENTS, eventsOf, runRule, TICKETS } from '#test/support/detection.ts';
import { openStream } from '#test/support/event-streams.ts';
import { rowsOf } from '#test/support/logs.ts';
import { MASTER_KEY, nodesOf, type Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const STATUS = `${EVENTS}/status`;
const DAY = { from: '2024-02-29 00:00:00+0000', to: '2024-03-01 00:00:00+0000' };
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const STATUSES = "'new', 'seen', 'closed', 'false-positive'";

describe('Triage is refused', () => {
  const { call } = serviceFor();

  it.each([
    [{}, missing('guids')],
    [{ guids: 'x' }, refused(400, 'invalid-param-type', 'guids should be guid type.')],
    [{ guids: NOWHERE }, missing('status')],
    [{ guids: NOWHERE, status: 'open' }, invalid(`status value must be one of ${STATUSES}.`)],
    [
      { guids: NOWHERE, status: 'seen', reason: 'r'.repeat(2001) },
      invalid("'reason' must be shorter than or equal to 2000 characters."),
    ],
  ])('of a status with %j', async (form, complaint) => {
    expect(outcome(await call('PUT', STATUS, { form }))).toEqual(complaint);
  });

  it.each([
    [{}, missing('from')],
    [{ from: DAY.from }, missing('to')],
    [{ from: DAY.to, to: DAY.from }, invalid('date range is unacceptable.')],
    [{ ...DAY, interval: '0' }, invalid("'interval' must be greater than or equal to 1.")],
    [{ ...DAY, interval: '31536001' }, invalid("'interval' must be less than or equal to 31536000.")],
    [{ ...DAY, interval: '43' }, invalid('date range is unacceptable.')],
    [{ ...DAY, top: '101' }, invalid("'top' must be less than or equal to 100.")],
    [{ ...DAY, statuses: 'open' }, invalid(`statuses value must be one of ${STATUSES}.`)],
  ])('of a histogram with %j', async (query, complaint) => {
    expect(outcome(await call('GET', `${EVENTS}/histogram?${new URLSearchParams(query)}`))).toEqual(complaint);
  });

  it('of tickets for more than 1,000 events', async () => {
    const json = { repo_guid: NOWHERE, title: 't', priority: 1, event_guids: Array(1001).fill(NOWHERE) };
    const complaint = invalid("'event_guids' must be less than or equal to 1000 items.");
    expect(outcome(await call('POST', TICKETS, { json }))).toEqual(complaint);
  });
});

onEachDatabase('Events', (subject) => {
  const { call, clock } = subject;
  const histogram = async (query: object) =>
    (await call('GET', `${EVENTS}/histogram?${new URLSearchParams({ ...DAY, ...query })}`)).json;
  const setStatus = (json: object, options = {}) => call('PUT', STATUS, { json, ...options });
  let rules: { high: string; low: string };
  let member: Account;
  let push: (records: readonly object[]) => Promise<void>;
  const guidsOf = async (rule: string) => (await eventsOf(subject, rule)).map(({ guid }) => guid);

  it('are counted in buckets, by rule, priority and status', async () => {
    push = await createLog(subject, 'web');
    const at = (time: string, user: string) => ({ _time: `2024-02-29 ${time}+0000`, user });
    await push([at('10:00:00', 'a'), at('10:30:00', 'a'), at('23:30:00', 'a'), at('11:00:00', 'b')]);
    member = (await createTeam(subject, 'soc')).member;
    rules = {
      high: await createRule(subject, { name: 'high', query: 'table web | search user == "a"' }),
      low: await createRule(subject, {
        name: 'low',
        priority: 'LOW',
        query: 'table web | search user == "b"',
        reviewer_guids: member.guid,
      }),
    };
    for (const rule of Object.values(rules)) await runRule(subject, rule);
    await expect.poll(async () => (await call('GET', EVENTS)).json.total_count).toBe(4);
    const counted = await histogram({ interval: '3600' });
    expect(counted).toMatchObject({
      total_count: 4,
      interval: 3600,
      priorities: { LOW: 1, MEDIUM: 0, HIGH: 3 },
      statuses: { new: 4, seen: 0, closed: 0, 'false-positive': 0 },
      rules: [
        { rule_guid: rules.high, rule_name: 'high', rule_type: 'batch', count: 3 },
        { rule_guid: rules.low, rule_name: 'low', rule_type: 'batch', count: 1 },
      ],
    });
    expect(counted.buckets).toHaveLength(25);
    expect(counted.buckets.filter(({ count }: Wire) => count > 0)).toEqual([
      { time: '2024-02-29 10:00:00+0000', count: 2, LOW: 0, MEDIUM: 0, HIGH: 2 },
      { time: '2024-02-29 11:00:00+0000', count: 1, LOW: 1, MEDIUM: 0, HIGH: 0 },
      { time: '2024-02-29 23:00:00+0000', count: 1, LOW: 0, MEDIUM: 0, HIGH: 1 },
    ]);
    for (const [query, total] of [
      [{ priorities: 'LOW,MEDIUM' }, 1],
      [{ rule_guids: rules.high }, 3],
      [{ statuses: 'seen' }, 0],
      [{ keywords: 'HIGH' }, 3],
      [{ to: '2024-02-29 10:30:00+0000' }, 2],
    ] as const) {
      expect([query, (await histogram(query)).total_count]).toEqual([query, total]);
    }
    const { rules: none, interval, buckets } = await histogram({ top: '0' });
    expect([none, interval, buckets.length]).toEqual([[], 300, 289]);
    const seen = `${EVENTS}/histogram?${new URLSearchParams(DAY)}`;
    expect((await call('GET', seen, { key: member.key })).json).toMatchObject({
      total_count: 1,
      priorities: { LOW: 1 },
    });
  });

  it('get a status, many at once, with a reason, the account and the time', async () => {
    const guids = [...(await guidsOf(rules.high)), ...(await guidsOf(rules.low))];
    expect((await eventsOf(subject, rules.low))[0]).toMatchObject({
      status: 'new',
      status_reason: null,
      status_user: null,
      status_time: null,
    });
    const [entry, ...others] = await entriesOf(subject, async () => {
      const { json } = await setStatus({ guids: [...guids, guids[0], NOWHERE], status: 'closed', reason: 'checked' });
      expect(json).toEqual({ succeeded: 4, failures: [{ id: NOWHERE, reason: 'event-not-found' }] });
    });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      module: 'events',
      method: 'status',
      action: 'Set event status',
      result: 'Partial success',
    });
    expect(entry.msg_params).toMatchObject({
      succeeded: 4,
      failed: 1,
      objects: expect.arrayContaining([{ guid: guids[0], name: 'high' }]),
    });
    const changed = {
      status: 'closed',
      status_reason: 'checked',
      status_user: 'master',
      status_time: '2024-03-01 00:00:00+0000',
    };
    for (const event of (await call('GET', `${EVENTS}?statuses=closed`)).json.events)
      expect(event).toMatchObject(changed);
    expect((await call('GET', `${EVENTS}?statuses=new,seen`)).json.total_count).toBe(0);
    const [row] = await rowsOf(
      subject,
      'system events | search priority == "LOW" | fields status, status_reason, status_user, status_time',
    );
    expect(row).toEqual(changed);
    // Absent again, and by its own account.
    expect((await setStatus({ guids, status: 'new' }, { key: member.key })).json).toMatchObject({ succeeded: 1 });
    expect((await eventsOf(subject, rules.low))[0]).toMatchObject({
      status: 'new',
      status_reason: null,
      status_user: member.login,
    });
    expect((await eventsOf(subject, rules.high))[0]).toMatchObject({ status: 'closed', status_user: 'master' });
  });

  it('of none that can be found are a failure as a whole', async () => {
    const [entry] = await entriesOf(subject, () => setStatus({ guids: NOWHERE, status: 'seen' }));
    expect(entry).toMatchObject({ error: 'event-not-found', result: 'Failure' });
  });

  it('become one ticket, which makes new ones seen', async () => {
    const repo_guid = await created(subject, '/api/core/ticket-repos', { name: 'soc' });
    const high = (await guidsOf(rules.high))[0] ?? '';
    const low = (await guidsOf(rules.low))[0] ?? '';
    const open = (event_guids: readonly string[]) =>
      call('POST', TICKETS, { json: { repo_guid, title: 'attack', priority: 3, event_guids } });
    const absent = refused(500, 'illegal-state', `event not found: ${NOWHERE}`);
    expect(outcome(await open([high, NOWHERE]))).toEqual(absent);
    const { guid } = (await open([high, low, high])).json;
    expect((await call('GET', `${TICKETS}/${guid}`)).json.ticket).toMatchObject({ count: 2, title: 'attack' });
    const { events } = (await call('GET', `${EVENTS}?ticket_guid=${guid}`)).json;
    expect(events.map(({ rule_name, status, status_user }: Wire) => [rule_name, status, status_user]).sort()).toEqual([
      ['high', 'closed', 'master'],
      ['low', 'seen', 'master'],
    ]);
    expect(outcome(await open([low]))).toEqual(refused(500, 'illegal-state', `event has a ticket: ${low}`));
    expect((await call('GET', TICKETS)).json.total).toBe(1);
  });

  /** What has come so far of a stream that goes on. */
  async function follow(query = '', more: Readonly<Record<string, string>> = {}) {
    const opened = await openStream(`${subject.service.url}${EVENTS}/stream?${query}`, more);
    const records = () =>
      [...opened.got.text.matchAll(/^event: event\nid: (\d+)\ndata: (.*)$/gm)].map(([, id, data = '']) => {
        expect(JSON.parse(data).id).toBe(Number(id));
        return JSON.parse(data);
      });
    return { ...opened, records };
  }
  const users = (records: readonly Wire[]) => records.map(({ fields }) => fields.user);

  it('are streamed as they come, to accounts that may see them, and again after the last that was seen', async () => {
    const all = await follow();
    const low = await follow('priorities=LOW');
    const own = await follow('', { key: member.key });
    expect(all.answer.headers['content-type']).toBe('text/event-stream');
    const before = (await call('GET', `${EVENTS}?limit=1`)).json.events[0].id;
    await push([
      { user: 'a', n: 1 },
      { user: 'b', n: 2 },
    ]);
    for (const rule of Object.values(rules)) await runRule(subject, rule);
    const arrive = (stream: typeof all, count: number) =>
      until(
        async () => {
          clock.advance({ seconds: 1 });
          return stream.records();
        },
        (records) => records.length >= count,
      );
    // The rules find what they have found before once more.
    expect(users(await arrive(all, 6)).sort()).toEqual(['a', 'a', 'a', 'a', 'b', 'b']);
    expect(users(await arrive(low, 2))).toEqual(['b', 'b']);
    expect(users(await arrive(own, 2))).toEqual(['b', 'b']);
    const again = await follow('', { 'last-event-id': String(before) });
    expect((await arrive(again, 6)).map(({ id }) => id)).toEqual(all.records().map(({ id }) => id));
    clock.advance({ seconds: 15 });
    await until(
      async () => all.got.text,
      (text) => text.includes('\n: still there\n'),
    );
    // It ends with its key.
    const { api_keys } = (await call('GET', `/api/core/users/${member.guid}/api-keys`)).json;
    await call('DELETE', `/api/core/users/${member.guid}/api-keys/${api_keys[0].guid}`);
    await until(
      async () => {
        clock.advance({ seconds: 1 });
        return own.got.isClosed;
      },
      (isClosed) => isClosed,
    );
    expect([all.got.isClosed, low.got.isClosed]).toEqual([false, false]);
    for (const stream of [all, low, again]) stream.leave();
  });
});

onEachDatabase('An open stream of events', (subject) => {
  const { call, clock } = subject;
  const follow = (key: string) => openStream(`${subject.service.url}${EVENTS}/stream`, { key });
  const idsIn = ({ got }: Awaited<ReturnType<typeof follow>>) => [...got.text.matchAll(/^id: (\d+)$/gm)].length;
  const change = (guid: string, form: Readonly<Record<string, string>>) =>
    call('PUT', `/api/core/users/${guid}`, { form });

  it('goes on for a key that is used for nothing else, until its session is idle', async () => {
    const { key } = await createAccount(subject, 'ADMIN', { login: 'idle', idle_timeout: '60' });
    const stream = await follow(key);
    await clock.pass({ seconds: 30 });
    expect(stream.got.isClosed).toBe(false);
    await until(
      async () => {
        await clock.pass({ seconds: 5 });
        return stream.got.isClosed;
      },
      (isClosed) => isClosed,
    );
    const again = await follow(key);
    await clock.pass({ seconds: 30 });
    expect(again.got.isClosed).toBe(false);
    again.leave();
  });

  it('shows an account without its former role what the account may still see', async () => {
    const log = await createLog(subject, 'seen');
    const rule = await createRule(subject, { name: 'all', query: 'table seen' });
    const admin = await createAccount(subject, 'ADMIN', { login: 'demoted' });
    const all = await follow(MASTER_KEY);
    const own = await follow(admin.key);
    const arrived = async (count: number) => {
      await log([{ user: `u${count}` }]);
      await runRule(subject, rule);
      await until(
        async () => {
          await clock.pass({ seconds: 1 });
          return idsIn(all);
        },
        (ids) => ids >= count,
      );
    };
    await arrived(1);
    const before = idsIn(own);
    expect(before).toBeGreaterThan(0);
    await change(admin.guid, { role: 'MEMBER' });
    await clock.pass({ seconds: 6 });
    await arrived(idsIn(all) + 1);
    await clock.pass({ seconds: 2 });
    expect([idsIn(own), own.got.isClosed]).toEqual([before, false]);
    for (const stream of [all, own]) stream.leave();
  });

  it('ends when its account no longer trusts the address', async () => {
    const { guid, key } = await createAccount(subject, 'ADMIN', { login: 'elsewhere' });
    const stream = await follow(key);
    await change(guid, { trust_hosts: '10.1.2.3' });
    await until(
      async () => {
        await clock.pass({ seconds: 1 });
        return stream.got.isClosed;
      },
      (isClosed) => isClosed,
    );
  });
});

describe('Streams of events', () => {
  const subject = serviceFor({ flags: { 'streams-per-account': '1' } });

  it('are limited for each account', async () => {
    const headers = { authorization: `Bearer ${MASTER_KEY}` };
    const answers: IncomingMessage[] = [];
    // As limits of connections are, it is one of each node.
    for (const url of subject.service.nodeUrls) {
      const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
      get(`${url}${EVENTS}/stream`, { headers, agent: false }, resolve);
      answers.push(await promise);
    }
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    for (const node of nodesOf(subject.service)) expect((await node.call('GET', `${EVENTS}/stream`)).status).toBe(429);
    for (const answer of answers) answer.destroy();
  });
});
