// What rules raise of tables under key: events and tickets are kept sealed, and read and joined as any others.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { BATCH_RULES, createRule, EVENTS, eventsOf, RULE, runRule, TICKETS } from '#test/support/detection.ts';
import { createLogger, push } from '#test/support/logs.ts';
import type { Wire } from '#test/support/service.ts';
import { createGroup, createStream, createStreamRule, GROUPS, importRecords } from '#test/support/stream-rules.ts';
import { onEachDatabase, type Subject } from '#test/support/suites.ts';
import { Webhook } from '#test/support/webhook.ts';
import { everythingKept } from '#test/support/written-data.ts';

const CARD = 'xyzzy-card-4556';
const FIELDS = { msg: 'card $card was used', suppress_key: '$card' };

onEachDatabase(
  'What is raised of an encrypted table',
  (subject) => {
    const { call } = subject;
    let profile: string;
    let webhook: Webhook;
    let repo: string;
    let logger: string;
    beforeAll(async () => {
      webhook = await Webhook.open();
      profile = await created(subject, '/api/core/crypto-profiles', { name: 'cards' });
      repo = await created(subject, '/api/core/ticket-repos', { name: 'repo' });
      logger = await createLogger(subject, { table: 'cards', storage: encrypted() });
      await pushed(CARD);
    });
    afterAll(() => webhook.close());
    const encrypted = () => ({ crypto_profile_guid: profile, encryption: 'true' });
    const pushed = async (card: string, more: object = {}) => {
      const { json } = await push(subject, logger, { body: JSON.stringify({ card, ...more }) });
      expect(json.accepted).toBe(1);
    };
    const ticketed = () => ({ ticket_issue_cond: 'ALWAYS', ticket_repo_guid: repo });
    const raisedBy = async (rule: string): Promise<Wire> => {
      await runRule(subject, rule);
      await expect.poll(async () => (await eventsOf(subject, rule)).length).toBeGreaterThan(0);
      return (await eventsOf(subject, rule))[0];
    };
    const ticketOf = async ({ ticket_guid }: Wire): Promise<Wire> =>
      (await call('GET', `${TICKETS}/${ticket_guid}`)).json.ticket;

    it('is shown as it was found, in events and in tickets, and is nowhere in clear', async () => {
      const procedure = { name: 'cards_of', query: 'table cards', parameters: '[]' };
      await created(subject, '/api/core/procedures', procedure);
      const query = 'table cards | fields card';
      const grants = { shared_users: '[]', shared_groups: '[]' };
      const dataset_guid = await created(subject, '/api/core/datasets', { name: 'cards', query, ...grants });
      const ways: Record<string, Record<string, string>> = {
        'of the table': { query: 'table cards' },
        'of a subquery': { query: 'json "{n:1}" | union [ table cards ] | search isnotnull(card)' },
        'of a procedure': { query: 'proc cards_of()' },
        'of a dataset': { dataset_guid },
        'of a constant': { query: 'setq [ table cards | limit 1 ] | json "{}" | eval card = $("card")' },
      };
      for (const [name, source] of Object.entries(ways)) {
        const rule = await createRule(subject, { name, ...source, ...FIELDS, ...ticketed() });
        const event = await raisedBy(rule);
        expect(event, name).toMatchObject({ msg: `card ${CARD} was used`, suppress_key: CARD, fields: { card: CARD } });
        expect((await call('GET', `${EVENTS}/${event.guid}`)).json.event).toEqual(event);
        const ticket = await ticketOf(event);
        expect(ticket.title).toBe(`card ${CARD} was used`);
        expect(JSON.parse(ticket.content)).toMatchObject({ card: CARD });
        expect(await countOf(subject, CARD), name).toEqual(0);
      }
    });

    it('joins what is open of its key, in events and in tickets', async () => {
      const suppressed = { event_suppress_interval: '86400', ticket_suppress_interval: '86400' };
      const rule = await createRule(subject, {
        name: 'joining',
        query: 'table cards',
        ...FIELDS,
        ...ticketed(),
        ...suppressed,
      });
      await raisedBy(rule);
      await runRule(subject, rule);
      await expect.poll(async () => (await eventsOf(subject, rule))[0].count).toBe(2);
      const events = await eventsOf(subject, rule);
      expect(events).toHaveLength(1);
      const many = await createRule(subject, {
        name: 'counting',
        query: 'table cards',
        ...FIELDS,
        ticket_issue_cond: 'ETIR_THRESHOLD',
        ticket_threshold: '2',
        ticket_repo_guid: repo,
        ticket_suppress_interval: '86400',
      });
      for (let runs = 1; runs <= 3; runs += 1) {
        await runRule(subject, many);
        await expect.poll(async () => (await eventsOf(subject, many)).length).toBe(runs);
      }
      const tickets = new Set((await eventsOf(subject, many)).map(({ ticket_guid }) => ticket_guid));
      expect(tickets.size).toBe(1);
      expect((await ticketOf((await eventsOf(subject, many))[0])).count).toBe(3);
      expect(await countOf(subject, CARD)).toBe(0);
    });

    it('is found by keywords, by those who may see it', async () => {
      const stranger = await createAccount(subject, 'MEMBER', { login: 'stranger' });
      const total = async (path: string, keywords: string, key?: string) => {
        const { json } = await call('GET', `${path}?keywords=${encodeURIComponent(keywords)}`, key ? { key } : {});
        return json.total_count ?? json.total;
      };
      const all = (await call('GET', EVENTS)).json.total_count;
      expect(all).toBeGreaterThan(5);
      expect(await total(EVENTS, CARD.toUpperCase())).toBe(all);
      expect(await total(EVENTS, 'of a procedure')).toBe(1);
      expect(await total(EVENTS, 'no such card')).toBe(0);
      expect(await total(EVENTS, CARD, stranger.key)).toBe(0);
      expect(await total(TICKETS, CARD)).toBe((await call('GET', TICKETS)).json.total);
      expect(await total(TICKETS, 'no such card')).toBe(0);
      const elsewhere = await call('GET', `${EVENTS}?rule_guids=${NOWHERE}&keywords=${CARD}`);
      expect(elsewhere.json.total_count).toBe(0);
    });

    it('is sealed where a stream rule finds it in logs pushed or uploaded', async () => {
      const stream = await createStream(subject, { storage: encrypted() });
      const where = [`search n > 0`];
      const group = await createGroup(subject);
      const addresses = { address_group_guid: group, address_field: 'ip', blacklist_expire_minute: '60' };
      const fields = { ...FIELDS, ...ticketed(), ...addresses };
      const rule = await createStreamRule(subject, { schema: stream.schema, where, fields });
      await stream.push({ n: 1, card: CARD, ip: '203.0.113.7' });
      await importRecords(subject, stream.table, [{ n: 2, card: `${CARD}-2`, ip: '203.0.113.8' }]);
      const events = await eventsOf(subject, rule);
      expect(events.map(({ msg }) => msg)).toEqual([`card ${CARD} was used`, `card ${CARD}-2 was used`]);
      expect((await ticketOf(events[1])).title).toBe(`card ${CARD}-2 was used`);
      expect(await countOf(subject, CARD)).toBe(0);
      const entered = (await call('GET', `${GROUPS}/${group}/addresses`)).json.addresses.map(({ ip }: Wire) => ip);
      expect(entered.sort()).toEqual(['203.0.113.7', '203.0.113.8']);
    });

    it('is told to webhooks as it is, and waits for them sealed', async () => {
      const url = `${webhook.url}/xyzzy-path-of-a-hook`;
      const members = JSON.stringify([{ type: 'WEBHOOK', url, secret: 's' }]);
      const alarm_group_guid = await created(subject, '/api/core/alarm-groups', { name: 'told', members });
      webhook.status = 500;
      const rule = await createRule(subject, { name: 'told', query: 'table cards', ...FIELDS, alarm_group_guid });
      const event = await raisedBy(rule);
      await expect.poll(() => webhook.told.length).toBe(1);
      expect(JSON.parse(webhook.told[0]?.body ?? '')).toEqual({ event, rule: { guid: rule, name: 'told' } });
      expect([await countOf(subject, CARD), await countOf(subject, 'xyzzy-path-of-a-hook')]).toEqual([0, 0]);
      webhook.status = 200;
      await expect
        .poll(async () => {
          await subject.clock.pass({ seconds: 30 });
          return webhook.told.length;
        })
        .toBe(2);
    });

    it('reads *** without the master secret, and again when it is back', async () => {
      const file = join(subject.service.config.keys, 'master-secret');
      const secret = readFileSync(file);
      const before = (await call('GET', EVENTS)).json;
      rmSync(file);
      const { events } = (await call('GET', EVENTS)).json;
      const texts = events.map(({ msg, suppress_key, fields }: Wire) => [msg, suppress_key, fields]);
      expect(texts).toEqual(Array(events.length).fill(['***', '***', '***']));
      const { tickets } = (await call('GET', TICKETS)).json;
      expect(tickets.map(({ title, content }: Wire) => [title, content])).toEqual(
        Array(tickets.length).fill(['***', '***']),
      );
      writeFileSync(file, secret, { mode: 0o600 });
      expect((await call('GET', EVENTS)).json).toEqual(before);
    });

    it('is in clear where no table that was read is encrypted, and where it was raised before', async () => {
      const open = await createLogger(subject, { table: 'open' });
      await push(subject, open, { body: JSON.stringify({ card: 'plugh-open-card' }) });
      const rule = await createRule(subject, { name: 'open', query: 'table open', ...FIELDS });
      await raisedBy(rule);
      expect(await countOf(subject, 'plugh-open-card')).toBeGreaterThan(0);
      const form = { ...RULE, name: 'open', ...FIELDS, query: 'table cards | eval card = "plugh-open-card"' };
      expect((await call('PUT', `${BATCH_RULES}/${rule}`, { form })).status).toBe(200);
      await runRule(subject, rule);
      await expect.poll(async () => (await eventsOf(subject, rule)).length).toBe(2);
      expect((await eventsOf(subject, rule)).map(({ msg }) => msg)).toEqual(
        Array(2).fill('card plugh-open-card was used'),
      );
    });
  },
  { flags: { 'webhook-targets': 'any' } },
);

const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** In how many files, and rows of PostgreSQL, a text is. */
const countOf = async ({ service }: Subject, text: string): Promise<number> =>
  (await everythingKept(service)).filter((bytes) => bytes.includes(text)).length;
