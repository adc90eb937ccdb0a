// What events bring with them: tickets, entries of address groups, alarms.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { created, createTeam } from '#test/support/accounts.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { BATCH_RULES, createRule, eventsOf, RULE, runRule, TICKETS } from '#test/support/detection.ts';
import { metricsOf } from '#test/support/metrics.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, type Subject } from '#test/support/suites.ts';
import { signature, Webhook } from '#test/support/webhook.ts';

const REPOS = '/api/core/ticket-repos';
const GROUPS = '/api/core/address-groups';
const log = new CapturedLog();

/** A rule that finds these records. */
const finding = (records: readonly object[]) => `json "${JSON.stringify(records).replaceAll('"', '\\"')}"`;

const ticketsOf = async ({ call }: Subject, repo: string): Promise<Wire[]> =>
  (await call('GET', `${TICKETS}?sort_type=ASC`)).json.tickets.filter(
    ({ repo_guid }: { repo_guid: string }) => repo_guid === repo,
  );

/** Runs the rule so often, each time a minute later, and waits for so many events of it. */
async function runTimes(subject: Subject, rule: string, times: number, events: number) {
  for (let time = 0; time < times; time += 1) {
    await runRule(subject, rule);
    await subject.clock.pass({ minutes: 1 });
  }
  await expect.poll(async () => (await eventsOf(subject, rule)).length).toBe(events);
}

onEachDatabase(
  'A rule',
  (subject) => {
    const { call } = subject;

    it('with ALWAYS makes a ticket of every event, for those of its assignees that are there', async () => {
      const { admin, member } = await createTeam(subject, 'assigned');
      const repo = await created(subject, REPOS, { name: 'always' });
      const rule = await createRule(subject, {
        name: 'always',
        query: finding([{ user: 'kim' }, { user: 'ann' }]),
        suppress_key: '$user',
        ticket_issue_cond: 'ALWAYS',
        ticket_repo_guid: repo,
        ticket_assignee_guids: `${member.guid},${admin.guid}`,
      });
      await call('DELETE', '/api/core/users', { form: { guids: admin.guid } });
      await runTimes(subject, rule, 1, 2);
      const metrics = await metricsOf(subject.service);
      for (const what of ['matches', 'events', 'tickets']) {
        expect(metrics).toContain(`vigil_rule_${what}_total{kind="batch"} 2\n`);
      }
      const events = await eventsOf(subject, rule);
      const tickets = await ticketsOf(subject, repo);
      expect(tickets.map(({ guid }) => guid).sort()).toEqual(events.map(({ ticket_guid }) => ticket_guid).sort());
      expect(tickets.find(({ title }) => title === 'login of kim failed.')).toMatchObject({
        priority: 3,
        status: 'ASSIGNED',
        format: 'JSON',
        content: '{"user":"kim"}',
        count: 1,
        rule_guid: rule,
        assignees: [{ user_guid: member.guid, task_type: 'ASSIGNEE', task_status: 'ASSIGNED' }],
      });
      const [ticket] = tickets;
      const { json } = await call('GET', `/api/core/events?ticket_guid=${ticket.guid}`);
      expect(json).toMatchObject({ total_count: 1, events: [{ ticket_guid: ticket.guid }] });
      const dry = await call('DELETE', REPOS, { form: { guids: repo, dry_run: 'true' } });
      expect(dry.json.references).toEqual([
        { id: repo, kind: 'batch-rule', guid: rule, name: 'always', field: 'ticket_repo_guid' },
        ...tickets
          .toSorted((one, other) => (one.title < other.title ? -1 : 1))
          .map(({ guid, title }) => ({ id: repo, kind: 'ticket', guid, name: title, field: 'repo_guid' })),
      ]);
    });

    it('lets further events of a key join its open ticket within the interval', async () => {
      const { member } = await createTeam(subject, 'joining');
      const repo = await created(subject, REPOS, { name: 'joins', shared_users: JSON.stringify([member.guid]) });
      const rule = await createRule(subject, {
        name: 'joins',
        query: finding([{ user: 'kim' }]),
        ticket_issue_cond: 'ALWAYS',
        ticket_repo_guid: repo,
        ticket_suppress_interval: '180',
        ticket_assignee_guids: member.guid,
      });
      await runTimes(subject, rule, 4, 4);
      expect((await ticketsOf(subject, repo)).map(({ count }) => count)).toEqual([3, 1]);
      const [, open] = await ticketsOf(subject, repo);
      await call('PUT', `${TICKETS}/${open.guid}/assignee-status`, { form: { status: 'CLOSED' }, key: member.key });
      await runTimes(subject, rule, 1, 5);
      expect((await ticketsOf(subject, repo)).map(({ count }) => count)).toEqual([3, 1, 1]);
    });

    it('with ETIR_THRESHOLD makes one when so many events of a key have come together', async () => {
      const repo = await created(subject, REPOS, { name: 'threshold' });
      const rule = await createRule(subject, {
        name: 'threshold',
        query: finding([{ user: 'kim' }]),
        suppress_key: '$user',
        ticket_issue_cond: 'ETIR_THRESHOLD',
        ticket_threshold: '3',
        ticket_repo_guid: repo,
        ticket_suppress_interval: '300',
      });
      await runTimes(subject, rule, 2, 2);
      expect(await ticketsOf(subject, repo)).toEqual([]);
      await runTimes(subject, rule, 2, 4);
      const [ticket, ...others] = await ticketsOf(subject, repo);
      expect([ticket.count, others]).toEqual([4, []]);
      const events = await eventsOf(subject, rule);
      expect(events.map(({ ticket_guid }) => ticket_guid)).toEqual(new Array(4).fill(ticket.guid));
    });

    it('raises its event without a ticket and an address where these have nowhere to go, and says so', async () => {
      const repo = await created(subject, REPOS, { name: 'gone' });
      const group = await created(subject, GROUPS, { name: 'gone' });
      const rule = await createRule(subject, {
        name: 'gone',
        query: finding([{ user: 'kim', ip: '10.0.0.1' }]),
        ticket_issue_cond: 'ALWAYS',
        ticket_repo_guid: repo,
        address_group_guid: group,
        address_field: 'ip',
      });
      await call('DELETE', REPOS, { form: { guids: repo } });
      await call('DELETE', GROUPS, { form: { guids: group } });
      log.errors.length = 0;
      await runTimes(subject, rule, 1, 1);
      expect((await eventsOf(subject, rule))[0].ticket_guid).toBeNull();
      await expect
        .poll(() => log.errors.map(({ fields }) => fields.missing))
        .toEqual([`ticket repository ${repo}`, `address group ${group}`]);
    });

    it('enters the addresses of its matches, counts their hits and renews how long they stay', async () => {
      const group = await created(subject, GROUPS, { name: 'black' });
      await call('POST', `${GROUPS}/${group}/addresses`, { form: { ip: '10.0.0.9' } });
      const found = ['10.0.0.1', '10.0.0.1', '2001:DB8::0001', '10.0.0.9', '10.0.0.0/8', 'x', null, 7];
      const fields = {
        name: 'black',
        query: finding(found.map((ip) => ({ ip }))),
        event_suppress_interval: '86400',
        address_group_guid: group,
        address_field: 'ip',
        blacklist_expire_minute: '10',
      };
      const rule = await createRule(subject, fields);
      const entries = async () =>
        (await call('GET', `${GROUPS}/${group}/addresses`)).json.addresses.map(({ ip, count, expires_at }: Wire) => [
          ip,
          count,
          expires_at === null ? null : minutesFromNow(subject, expires_at),
        ]);
      const versionOf = async () => (await call('GET', `${GROUPS}/${group}`)).json.address_group.version;
      const before = await versionOf();
      await runRule(subject, rule);
      await expect.poll(entries).toEqual([
        ['10.0.0.1', 2, 10],
        ['10.0.0.9', 1, null],
        ['2001:db8::1', 1, 10],
      ]);
      expect(await versionOf()).toBe(before + 1);
      subject.clock.advance({ minutes: 5 });
      await runRule(subject, rule);
      await expect.poll(entries).toEqual([
        ['10.0.0.1', 4, 10],
        ['10.0.0.9', 2, null],
        ['2001:db8::1', 2, 10],
      ]);
      const shorter = { ...RULE, ...fields, blacklist_expire_minute: '1' };
      await call('PUT', `${BATCH_RULES}/${rule}`, { form: shorter });
      await runRule(subject, rule);
      await expect.poll(async () => (await entries())[0]).toEqual(['10.0.0.1', 6, 10]);
      subject.clock.advance({ minutes: 11 });
      expect((await entries()).map(([ip]: [string]) => ip)).toEqual(['10.0.0.9']);
    });
  },
  { log },
);

const minutesFromNow = ({ clock }: Subject, stamp: string): number =>
  (Date.parse(stamp.replace(' ', 'T')) - clock.now().epochMilliseconds) / 60_000;

onEachDatabase(
  'An alarm',
  (subject) => {
    const { call, clock } = subject;
    let webhook: Webhook;
    beforeAll(async () => {
      webhook = await Webhook.open();
    });
    afterAll(() => webhook.close());
    const metric = async (outcome: string) =>
      Number(new RegExp(`vigil_alarms_total{outcome="${outcome}"} (\\d+)`).exec(await metricsOf(subject.service))?.[1]);
    const withAlarms = async (name: string) => {
      const members = JSON.stringify([{ type: 'WEBHOOK', url: `${webhook.url}/${name}`, secret: 'hush' }]);
      const group = await created(subject, '/api/core/alarm-groups', { name, members });
      const fields = { name, query: finding([{ user: 'kim' }]), event_suppress_interval: '86400' };
      return { group, rule: await createRule(subject, { ...fields, alarm_group_guid: group }) };
    };
    const toldAt = (name: string) => webhook.told.filter(({ path }) => path === `/${name}`);

    it('is told of a new event once, signed, and not of matches that join it', async () => {
      const { rule } = await withAlarms('once');
      await runRule(subject, rule);
      await expect.poll(() => toldAt('once').length).toBe(1);
      const [event] = await eventsOf(subject, rule);
      const [told] = toldAt('once');
      expect(JSON.parse(told?.body ?? '')).toEqual({ event, rule: { guid: rule, name: 'once' } });
      expect(told?.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-vigil-signature': signature(told?.body ?? '', 'hush'),
      });
      await runRule(subject, rule);
      await expect.poll(async () => (await eventsOf(subject, rule))[0].count).toBe(2);
      await withTime();
      expect(toldAt('once').length).toBe(1);
    });

    it('is tried five times, ever later, and then given up', async () => {
      log.errors.length = 0;
      const { rule } = await withAlarms('refused');
      webhook.status = 302;
      await runRule(subject, rule);
      for (const [tries, seconds] of [30, 120, 600, 1800].entries()) {
        await expect.poll(() => toldAt('refused').length).toBe(tries + 1);
        await expect.poll(() => metric('retried')).toBe(tries + 1);
        clock.leap({ seconds });
      }
      await expect
        .poll(() => log.errors.map(({ fields, message }) => [message, fields.reason, fields.tries]))
        .toEqual([['an alarm could not be delivered', 'status 302', 5]]);
      await expect.poll(() => metric('failed')).toBe(1);
      expect(toldAt('elsewhere')).toEqual([]);
      webhook.status = 200;
    });

    it('is tried again after a time-out, and outlives the service', async () => {
      const { rule } = await withAlarms('late');
      webhook.status = undefined;
      await runRule(subject, rule);
      await expect.poll(() => toldAt('late').length).toBe(1);
      clock.advance({ seconds: 10 });
      await expect.poll(() => metric('retried')).toBe(5);
      await subject.service.restart();
      webhook.status = 200;
      clock.advance({ seconds: 30 });
      await expect.poll(() => toldAt('late').length).toBe(2);
      await expect.poll(() => metric('delivered')).toBe(1);
    });

    it('is not told to a webhook that has left', async () => {
      const { group, rule } = await withAlarms('left');
      webhook.status = 500;
      await runRule(subject, rule);
      await expect.poll(() => toldAt('left').length).toBe(1);
      await expect.poll(() => metric('retried')).toBe(1);
      webhook.status = 200;
      await call('PUT', `/api/core/alarm-groups/${group}`, { json: { name: 'left', members: [] } });
      clock.leap({ seconds: 30 });
      await expect.poll(() => metric('withdrawn')).toBe(1);
      expect(toldAt('left').length).toBe(1);
    });

    /** Lets whatever waits have its turn: another alarm goes all the way. */
    async function withTime() {
      const { rule } = await withAlarms('other');
      await runRule(subject, rule);
      await expect.poll(() => toldAt('other').length).toBe(1);
    }
  },
  { log, flags: { 'webhook-targets': 'any' } },
);
