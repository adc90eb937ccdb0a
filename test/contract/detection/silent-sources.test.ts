// Loggers and tables from which records are expected: what their silence raises, and what ends it.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { toStamp } from '#contract/times.ts';
import { created } from '#test/support/accounts.ts';
import { createCollector } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { nodesOf, type Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { Webhook } from '#test/support/webhook.ts';

const LOGGERS = '/api/core/loggers';
const TABLES = '/api/core/tables';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const options = { flags: { 'webhook-targets': 'any', 'failure-alarm-group': 'duty' } };

onEachDatabase(
  'A source from which records are expected',
  (subject) => {
    const { call, clock } = subject;
    const webhooks = new Map<string, Webhook>();
    const groups = new Map<string, string>();
    const told = (group: string): Wire[] => webhooks.get(group)?.told.map(({ body }) => JSON.parse(body).failure) ?? [];
    const toldOf = (group: string, name: string) => told(group).filter((failure) => failure.name === name);
    const states = (group: string, name: string) => toldOf(group, name).map(({ is_over }) => is_over);
    const loggerOf = async (guid: string): Promise<Wire> => (await call('GET', `${LOGGERS}/${guid}`)).json.logger;
    const tableOf = async (name: string): Promise<Wire> => (await call('GET', `${TABLES}/${name}`)).json.table;
    const log = (logger: string) => push(subject, logger, { body: '{"a":1}' });
    /** What each node says; they tell each other within a second what has arrived and changed. */
    const onEachNode = async (path: string, family: 'logger' | 'table', fields: Wire) => {
      const nodes = nodesOf(subject.service);
      const ask = () => Promise.all(nodes.map(async (node) => (await node.call('GET', path)).json[family]));
      await expect.poll(ask).toEqual(nodes.map(() => expect.objectContaining(fields)));
    };
    const loggerEverywhere = (guid: string, fields: Wire) => onEachNode(`${LOGGERS}/${guid}`, 'logger', fields);
    const tableEverywhere = (name: string, fields: Wire) => onEachNode(`${TABLES}/${name}`, 'table', fields);

    beforeAll(async () => {
      for (const name of ['duty', 'own']) {
        const webhook = await Webhook.open();
        webhooks.set(name, webhook);
        const members = JSON.stringify([{ type: 'WEBHOOK', url: webhook.url, secret: 's' }]);
        groups.set(name, await created(subject, '/api/core/alarm-groups', { name, members }));
      }
    });
    afterAll(async () => {
      for (const webhook of webhooks.values()) await webhook.close();
    });

    const number = (message: string) => refused(400, 'invalid-argument', `'expect_every' ${message}`);
    it.each([
      [{ expect_every: 'x' }, number('parameter should be int type')],
      [{ expect_every: '-1' }, number('must be greater than or equal to 0.')],
      [{ expect_every: '31536001' }, number('must be less than or equal to 31536000.')],
      [{ alarm_group_guid: 'x' }, refused(400, 'invalid-param-type', 'alarm_group_guid should be guid type.')],
      [{ alarm_group_guid: NOWHERE }, refused(500, 'illegal-state', `alarm group not found: ${NOWHERE}`)],
    ])('is refused with %j', async (form, complaint) => {
      await call('POST', TABLES, { form: { table: 'there' } });
      const model = { name: 'm', logger_factory_name: 'http', parser_code: 'json' };
      await call('POST', '/api/core/logger-models', { form: model });
      const { json } = await call('GET', '/api/core/logger-models');
      const logger = { model_guid: json.logger_models[0].guid, name: 'x', table_name: 'there' };
      expect(outcome(await call('POST', LOGGERS, { form: { ...logger, ...form } }))).toEqual(complaint);
      expect(outcome(await call('POST', TABLES, { form: { table: 'fresh', ...form } }))).toEqual(complaint);
      expect(outcome(await call('PUT', `${TABLES}/there`, { form }))).toEqual(complaint);
    });

    it('is a logger: its silence is told to its own group once, and its end with the next log', async () => {
      const fields = { expect_every: '60', alarm_group_guid: groups.get('own') ?? '' };
      const guid = await createLogger(subject, { table: 'web', fields });
      expect(await loggerOf(guid)).toMatchObject({ ...fields, expect_every: 60, last_log: null, silent_since: null });
      await clock.pass({ seconds: 50 });
      await log(guid);
      await clock.pass({ seconds: 1 });
      await loggerEverywhere(guid, { last_log: '2024-03-01 00:00:50+0000', silent_since: null });
      await clock.pass({ seconds: 59 });
      await loggerEverywhere(guid, { last_log: '2024-03-01 00:00:50+0000', silent_since: null });
      await clock.pass({ seconds: 1 });
      await expect.poll(() => states('own', 'logger of web')).toEqual([false]);
      expect(told('own')[0]).toEqual({
        kind: 'logger',
        guid,
        name: 'logger of web',
        reason: 'silent',
        time: '2024-03-01 00:01:51+0000',
        is_over: false,
      });
      await loggerEverywhere(guid, { silent_since: '2024-03-01 00:00:50+0000', status: 'running' });
      for (const node of nodesOf(subject.service))
        expect((await node.call('GET', '/metrics')).text).toMatch(/^vigil_silent_loggers 1$/m);
      await clock.pass({ minutes: 10 });
      await log(guid);
      await clock.pass({ seconds: 1 });
      await expect.poll(() => states('own', 'logger of web')).toEqual([false, true]);
      await loggerEverywhere(guid, { silent_since: null, last_log: '2024-03-01 00:11:51+0000' });
      const [row] = await rowsOf(subject, 'system loggers | search name == "logger of web" | fields last_time');
      expect(row.last_time).toMatch(/^2024-03-01 00:11:51/);
      expect(told('duty')).toEqual([]);
    });

    it('is a table, whatever brings its records', async () => {
      const form = { table: 'bare', expect_every: '60' };
      expect(outcome(await call('POST', TABLES, { form }))).toEqual([200, {}]);
      await tableEverywhere('bare', { expect_every: 60, silent_since: null });
      await clock.pass({ seconds: 61 });
      await expect.poll(() => states('duty', 'bare')).toEqual([false]);
      expect(toldOf('duty', 'bare')[0]).toMatchObject({ kind: 'table', guid: 'bare', reason: 'silent' });
      await tableEverywhere('bare', { silent_since: expect.stringMatching(/^2024-03-01/) });
      await rowsOf(subject, 'table web | limit 1 | import bare');
      await clock.pass({ seconds: 1 });
      await expect.poll(() => states('duty', 'bare')).toEqual([false, true]);
      // The node that has found the record in one second tells it in the next.
      await clock.pass({ seconds: 1 });
      await tableEverywhere('bare', { silent_since: null });
      const alarm_group_guid = groups.get('own') ?? '';
      await call('PUT', `${TABLES}/bare`, { form: { alarm_group_guid } });
      expect(await tableOf('bare')).toMatchObject({ expect_every: 60, alarm_group_guid, alarm_group_name: 'own' });
      await clock.pass({ seconds: 61 });
      await expect.poll(() => states('own', 'bare')).toEqual([false]);
      await call('PUT', `${TABLES}/bare`, { form: { expect_every: '0' } });
      await expect.poll(() => states('own', 'bare')).toEqual([false, true]);
      await tableEverywhere('bare', { expect_every: 0, silent_since: null });
    });

    it('is silent no longer when it is removed, and that is told', async () => {
      const fields = { expect_every: '60', alarm_group_guid: groups.get('own') ?? '' };
      const guid = await createLogger(subject, { table: 'leaving', fields });
      await call('POST', TABLES, { form: { table: 'dropped', expect_every: '60' } });
      await clock.pass({ seconds: 61 });
      await expect
        .poll(() => [states('own', 'logger of leaving'), states('duty', 'dropped')])
        .toEqual([[false], [false]]);
      await call('DELETE', `${LOGGERS}?guids=${guid}`);
      await call('DELETE', `${TABLES}/dropped`);
      const both = [
        [false, true],
        [false, true],
      ];
      await expect.poll(() => [states('own', 'logger of leaving'), states('duty', 'dropped')]).toEqual(both);
    });

    it('is expected anew when it is enabled, and not while it is disabled', async () => {
      const guid = await createLogger(subject, { table: 'off', fields: { expect_every: '60' } });
      await clock.pass({ seconds: 61 });
      await expect.poll(() => states('duty', 'logger of off')).toEqual([false]);
      await call('POST', `${LOGGERS}/${guid}/disable`);
      await expect.poll(() => states('duty', 'logger of off')).toEqual([false, true]);
      await clock.pass({ minutes: 10 });
      await loggerEverywhere(guid, { silent_since: null });
      await call('POST', `${LOGGERS}/${guid}/enable`);
      await clock.pass({ seconds: 59 });
      await log(guid);
      const last_log = toStamp(clock.now(), 'UTC');
      await clock.pass({ seconds: 1 });
      await loggerEverywhere(guid, { last_log });
      await clock.pass({ seconds: 58 });
      expect(states('duty', 'logger of off')).toEqual([false, true]);
      await clock.pass({ seconds: 2 });
      await expect.poll(() => states('duty', 'logger of off')).toEqual([false, true, false]);
      const record = await loggerOf(guid);
      const form = { model_guid: record.model_guid, name: 'renamed', table_name: 'off', enabled: 'true' };
      await call('PUT', `${LOGGERS}/${guid}`, { form });
      await loggerEverywhere(guid, { expect_every: 0, silent_since: null });
    });

    it('is told of beside its other failures', async () => {
      const port = await freePort();
      const fields = { expect_every: '60' };
      const configs = { port, bind: '192.0.2.1' };
      await createCollector(subject, { table: 'nowhere', factory: 'syslog-tcp', configs, fields });
      await expect.poll(() => states('duty', 'logger of nowhere')).toEqual([false]);
      await clock.pass({ seconds: 61 });
      await expect
        .poll(() => toldOf('duty', 'logger of nowhere').map(({ reason }) => reason))
        .toEqual(['address is not available: 192.0.2.1', 'silent']);
    });

    it('stays silent over a restart, and the time of a stop does not count', async () => {
      const silent = await createLogger(subject, { table: 'stays', fields: { expect_every: '60' } });
      const hourly = await createLogger(subject, { table: 'hourly', fields: { expect_every: '3600' } });
      await clock.pass({ seconds: 61 });
      await expect.poll(() => states('duty', 'logger of stays')).toEqual([false]);
      const since = expect.stringMatching(/^2024-03-01/);
      await loggerEverywhere(silent, { silent_since: since });
      const { silent_since } = await loggerOf(silent);
      await clock.pass({ minutes: 49 });
      await subject.service.stop();
      clock.leap({ hours: 5 });
      await subject.service.restart();
      expect(await loggerOf(silent)).toMatchObject({ silent_since });
      await clock.pass({ minutes: 9 });
      expect(await loggerOf(hourly)).toMatchObject({ silent_since: null });
      await clock.pass({ minutes: 2 });
      await expect.poll(() => states('duty', 'logger of hourly')).toEqual([false]);
      await log(silent);
      await clock.pass({ seconds: 1 });
      await expect.poll(() => states('duty', 'logger of stays')).toEqual([false, true]);
    });

    it('is named by a dry run of the removal of its group, and forgotten with its own', async () => {
      const guid = await createLogger(subject, {
        table: 'last',
        fields: { expect_every: '60', alarm_group_guid: groups.get('own') ?? '' },
      });
      const removal = { guids: groups.get('own') ?? '', dry_run: 'true' };
      const { json } = await call('DELETE', '/api/core/alarm-groups', { form: removal });
      expect(json.references.map(({ kind, name, field }: Wire) => [kind, name, field])).toEqual([
        ['logger', 'logger of last', 'alarm_group_guid'],
        ['logger', 'logger of web', 'alarm_group_guid'],
        ['table', 'bare', 'alarm_group_guid'],
      ]);
      await clock.pass({ seconds: 61 });
      await expect.poll(() => states('own', 'logger of last')).toEqual([false]);
      await call('DELETE', LOGGERS, { form: { guids: guid, drop_table: 'true' } });
      await clock.pass({ seconds: 61 });
      expect(states('own', 'logger of last')).toEqual([false, true]);
      const again = await createLogger(subject, { table: 'last2', fields: { expect_every: '60' } });
      await call('DELETE', '/api/core/alarm-groups', { form: { guids: groups.get('own') ?? '' } });
      expect(await tableOf('bare')).toMatchObject({ alarm_group_name: null });
      await clock.pass({ seconds: 61 });
      await expect.poll(() => states('duty', 'logger of last2')).toEqual([false]);
      await loggerEverywhere(again, { silent_since: expect.stringMatching(/^2024-03-01/) });
    });
  },
  options,
);
