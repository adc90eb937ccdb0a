// What matches of stream rules lead to: events that grow, tickets, address entries, alarms; and of uploads all of it at once.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { TICKETS } from '#test/support/detection.ts';
import { metricsOf } from '#test/support/metrics.ts';
import type { Wire } from '#test/support/service.ts';
import {
  createGroup,
  createStream,
  createStreamRule,
  eventsOf,
  found,
  GROUPS,
  importRecords,
  STREAM_RULES,
} from '#test/support/stream-rules.ts';
import { onEachDatabase } from '#test/support/suites.ts';
import { append, opened, STREAMS } from '#test/support/uploads.ts';
import { Webhook } from '#test/support/webhook.ts';

const FAILED = ['search outcome == "failed"'];
const failed = (user: string, at: number) => ({ outcome: 'failed', user, _time: 1_700_000_000_000 + at * 1000 });

onEachDatabase(
  'A match of a stream rule',
  (subject) => {
    const { call } = subject;
    let webhook: Webhook;
    beforeAll(async () => {
      webhook = await Webhook.open();
    });
    afterAll(() => webhook.close());

    it('joins the event of its key within the interval, in one push and in several', async () => {
      const { schema, push } = await createStream(subject);
      const fields = { suppress_key: '$user', event_suppress_interval: '60' };
      const rule = await createStreamRule(subject, { schema, where: FAILED, fields });
      await push(failed('kim', 0), failed('kim', 59), failed('lee', 1), failed('kim', 61));
      await push(failed('kim', 62), failed('lee', 30));
      const events = await eventsOf(subject, rule);
      expect(events.map(({ suppress_key, count }) => [suppress_key, count]).sort()).toEqual([
        ['kim', 2],
        ['kim', 2],
        ['lee', 2],
      ]);
    });

    it('joins the event whose time fits, when late records alternate with current ones', async () => {
      const { schema, push } = await createStream(subject);
      const repo = await created(subject, '/api/core/ticket-repos', { name: `late ${schema}` });
      const tickets = { ticket_issue_cond: 'ALWAYS', ticket_repo_guid: repo, ticket_suppress_interval: '60' };
      const merged = { suppress_key: '$user', event_suppress_interval: '60', ...tickets };
      const rule = await createStreamRule(subject, { schema, where: FAILED, fields: merged });
      const apart = { suppress_key: '$user', ...tickets };
      const ticketed = await createStreamRule(subject, { schema, where: FAILED, fields: apart });
      const LATE = 3 * 3600;
      for (let n = 0; n < 6; n += 1) {
        await push(failed('kim', LATE + n));
        await push(failed('kim', n));
      }
      expect((await eventsOf(subject, rule)).map(({ count }) => count)).toEqual([6, 6]);
      const raised = (await eventsOf(subject, ticketed)).map(({ ticket_guid }) => ticket_guid);
      expect([raised.length, new Set(raised).size]).toEqual([12, 2]);
    });

    it('is of the time of its record, though the rule has dropped that', async () => {
      const { schema, table, push } = await createStream(subject);
      const fields = { event_suppress_interval: '60' };
      const rule = await createStreamRule(subject, { schema, where: [`${FAILED} | fields user`], fields });
      await push(failed('kim', 0), failed('kim', 30), failed('kim', 61));
      await importRecords(subject, table, [failed('kim', 3600)]);
      expect((await eventsOf(subject, rule)).map(({ first_time, last_time }) => [first_time, last_time])).toEqual([
        ['2023-11-14 22:13:20+0000', '2023-11-14 22:13:50+0000'],
        ['2023-11-14 22:14:21+0000', '2023-11-14 22:14:21+0000'],
        ['2023-11-14 23:13:20+0000', '2023-11-14 23:13:20+0000'],
      ]);
    });

    it('has a key as long as what was sent, told apart to its end', async () => {
      const { schema, push } = await createStream(subject);
      const repo = await created(subject, '/api/core/ticket-repos', { name: `r ${schema}` });
      const tickets = { ticket_issue_cond: 'ALWAYS', ticket_repo_guid: repo, ticket_suppress_interval: '60' };
      const fields = { suppress_key: '$user', event_suppress_interval: '60', ...tickets };
      const rule = await createStreamRule(subject, { schema, where: FAILED, fields });
      // Digits that nothing can compress, as an index would.
      const long = Array.from({ length: 500 }, (_, n) => createHash('md5').update(String(n)).digest('hex')).join('한');
      await push(failed(`${long}a`, 0), failed(`${long}b`, 1));
      await push(failed(`${long}b`, 2));
      const events = await eventsOf(subject, rule);
      expect(events.map(({ count, fields: { user } }) => [count, user])).toEqual([
        [1, `${long}a`],
        [2, `${long}b`],
      ]);
      expect(events[0].suppress_key).toMatch(new RegExp(`^${long.slice(0, 1500)}.*…[0-9a-f]{64}$`));
    });

    it('says what a rule has decoded, but for what no text may hold', async () => {
      const { schema, push } = await createStream(subject);
      const where = [`${FAILED} | eval user = urldecode(user)`];
      const fields = { suppress_key: '$user', msg: 'by $user', event_suppress_interval: '60' };
      const rule = await createStreamRule(subject, { schema, where, fields });
      await push(failed('a%00b', 0));
      await push(failed('a%00b', 1));
      expect(await eventsOf(subject, rule)).toMatchObject([
        { count: 2, msg: 'by a\uFFFDb', suppress_key: 'a\uFFFDb', fields: { user: 'a\0b' } },
      ]);
    });

    it('makes tickets by the threshold, and one that is not enough makes none', async () => {
      const { schema, push } = await createStream(subject);
      const repo = await created(subject, '/api/core/ticket-repos', { name: `r ${schema}` });
      const fields = {
        suppress_key: '$user',
        ticket_issue_cond: 'ETIR_THRESHOLD',
        ticket_threshold: '3',
        ticket_suppress_interval: '600',
        ticket_repo_guid: repo,
      };
      const rule = await createStreamRule(subject, { schema, where: FAILED, fields });
      await push(failed('kim', 0), failed('lee', 0));
      await push(failed('kim', 1));
      await push(failed('kim', 2));
      const tickets = (await call('GET', TICKETS)).json.tickets.filter(({ repo_guid }: Wire) => repo_guid === repo);
      expect(tickets).toMatchObject([{ count: 3 }]);
      const events = await eventsOf(subject, rule);
      expect(events.filter(({ ticket_guid }) => ticket_guid === tickets[0].guid)).toHaveLength(3);
    });

    it('enters its address, which other rules know from the next log on, and forget when it has expired', async () => {
      const { schema, push } = await createStream(subject);
      const group = await createGroup(subject);
      const fields = { address_group_guid: group, address_field: 'ip', blacklist_expire_minute: '5' };
      await createStreamRule(subject, { schema, where: FAILED, fields });
      const known = await createStreamRule(subject, { schema, where: [`matchnet field=ip guid=${group}`] });
      await push({ n: 1, ip: '198.51.100.7' }, { n: 2, outcome: 'failed', ip: '198.51.100.7' });
      await push({ n: 3, ip: '198.51.100.7' }, { n: 4, ip: '198.51.100.8' });
      subject.clock.advance({ minutes: 4 });
      await push({ n: 5, outcome: 'failed', ip: '198.51.100.7' });
      subject.clock.advance({ minutes: 4 });
      await push({ n: 6, ip: '198.51.100.7' });
      subject.clock.advance({ minutes: 1 });
      await push({ n: 7, ip: '198.51.100.7' });
      expect(await found(subject, known)).toEqual([3, 5, 6]);
      const { version } = (await call('GET', `${GROUPS}/${group}`)).json.address_group;
      expect(version).toBe(2);
    });

    it('alarms the group of its rule', async () => {
      const { schema, push } = await createStream(subject);
      const members = JSON.stringify([{ type: 'WEBHOOK', url: webhook.url, secret: 's' }]);
      const alarm_group_guid = await created(subject, '/api/core/alarm-groups', { name: `a ${schema}`, members });
      const rule = await createStreamRule(subject, { schema, where: FAILED, fields: { alarm_group_guid } });
      await push(failed('kim', 0));
      const heard = () =>
        webhook.told.map(({ body }) => JSON.parse(body).event).filter((event) => event.rule_guid === rule);
      await expect.poll(() => heard().length).toBe(1);
      expect(heard()[0].guid).toBe((await eventsOf(subject, rule))[0]?.guid);
    });

    it('counts in the metrics of its kind', async () => {
      const count = async (what: string) => {
        const text = await metricsOf(subject.service);
        return Number(new RegExp(`vigil_rule_${what}_total{kind="stream"} (\\d+)`).exec(text)?.[1]);
      };
      const before = [await count('matches'), await count('events')];
      const { schema, push } = await createStream(subject);
      await createStreamRule(subject, { schema, where: FAILED, fields: { event_suppress_interval: '60' } });
      await push(failed('kim', 0), failed('kim', 1));
      expect([await count('matches'), await count('events')]).toEqual([(before[0] ?? 0) + 2, (before[1] ?? 0) + 1]);
    });

    it('leaves no audit entry', async () => {
      const { schema, push } = await createStream(subject);
      await createStreamRule(subject, { schema, where: FAILED });
      const total = async () => (await call('GET', '/api/core/audit-logs?limit=1')).json.total;
      const before = await total();
      await push(failed('kim', 0));
      expect([before > 0, await total()]).toEqual([true, before]);
    });

    it('of a push that is refused makes no event', async () => {
      const { schema, logger, push } = await createStream(subject);
      const rule = await createStreamRule(subject, { schema, where: FAILED });
      const body = `${JSON.stringify(failed('kim', 0))}\nnonsense`;
      const headers = { 'content-type': 'application/json' };
      expect((await call('POST', `/api/core/loggers/${logger}/logs`, { body, headers })).status).toBe(400);
      await push({ n: 1 });
      await call('POST', `/api/core/loggers/${logger}/disable`);
      expect((await call('POST', `/api/core/loggers/${logger}/logs`, { json: [failed('kim', 0)] })).status).toBe(500);
      expect(await eventsOf(subject, rule)).toEqual([]);
    });

    it('of an upload comes with its import, once, and not before', async () => {
      const { schema, table } = await createStream(subject);
      const rule = await createStreamRule(subject, { schema, where: FAILED });
      const records = Array.from({ length: 5000 }, (_, n) => ({ n, outcome: n % 100 === 0 ? 'failed' : 'done' }));
      const body = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      const token = await opened(subject, { file_size: Buffer.byteLength(body), metadata: { table } });
      await append(subject, token, { offset: 0, body });
      expect(await found(subject, rule)).toEqual([]);
      const complete = () => call('POST', `${STREAMS}/${token}/complete`, { key: null });
      expect((await complete()).json.accepted).toBe(5000);
      expect((await complete()).json.accepted).toBe(5000);
      expect((await found(subject, rule)).length).toBe(50);
    });

    it('of an upload of each format counts', async () => {
      const { schema, table } = await createStream(subject);
      const rule = await createStreamRule(subject, { schema, where: ['search n == 2 or line == "*two*"'] });
      const files = [
        ['csv', 'n,outcome\n1,a\n2,b\n'],
        ['text', 'one\nnumber two\n'],
        ['ndjson', '{"n":1}\n{"n":"2.0"}\n{"n":2,"a":{"b":1}}\n'],
      ] as const;
      for (const [format, body] of files) {
        const token = await opened(subject, { file_size: Buffer.byteLength(body), metadata: { table, format } });
        await append(subject, token, { offset: 0, body });
        await call('POST', `${STREAMS}/${token}/complete`, { key: null });
      }
      const events = await eventsOf(subject, rule);
      expect(events.map(({ fields }) => fields.line ?? fields.n)).toEqual(['2', 'number two', '2.0', 2]);
    });

    it('of an upload that is cancelled makes no event', async () => {
      const { schema, table } = await createStream(subject);
      const rule = await createStreamRule(subject, { schema, where: FAILED });
      const body = JSON.stringify(failed('kim', 0));
      const token = await opened(subject, { file_size: Buffer.byteLength(body), metadata: { table } });
      await append(subject, token, { offset: 0, body });
      await call('DELETE', `${STREAMS}/${token}`, { key: null });
      await importRecords(subject, table, [{ n: 1 }]);
      expect(await eventsOf(subject, rule)).toEqual([]);
    });

    it('of a rule that is disabled meanwhile makes no event', async () => {
      const { schema, push } = await createStream(subject);
      const rule = await createStreamRule(subject, { schema, where: FAILED });
      // All at once: whichever comes first, an event is of a rule that was in force when it was raised.
      const pushes = Array.from({ length: 20 }, (_, at) => push(failed('kim', at)));
      await call('POST', `${STREAM_RULES}/${rule}/disable`);
      const afterwards = (await eventsOf(subject, rule)).length;
      await Promise.all(pushes);
      expect((await eventsOf(subject, rule)).length).toBe(afterwards);
    });
  },
  { flags: { 'webhook-targets': 'any' } },
);
