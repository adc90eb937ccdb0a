// What fails is told: in the records of rules, in the log and the metrics, and to the group of `failure-alarm-group`.

import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { createCollector } from '#test/support/collectors.ts';
import { BATCH_RULES, createRule, runRule } from '#test/support/detection.ts';
import { metricsOf } from '#test/support/metrics.ts';
import {
  createSchedule,
  FAILING,
  QUICK,
  recordOf,
  runToEnd,
  SCHEDULES,
  YEARLY,
} from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import {
  createGroup,
  createStream,
  createStreamRule,
  found,
  GROUPS,
  STREAM_RULES,
} from '#test/support/stream-rules.ts';
import { onEachDatabase, outcome, pass, refused } from '#test/support/suites.ts';
import { Webhook } from '#test/support/webhook.ts';

const log = new CapturedLog();
const options = { flags: { 'webhook-targets': 'any', 'failure-alarm-group': 'duty' }, log };

onEachDatabase(
  'What fails',
  (subject) => {
    const { call } = subject;
    let webhook: Webhook;
    const failures = (): Wire[] => webhook.told.map(({ body }) => JSON.parse(body).failure);
    const toldOf = (guid: string) => failures().filter((failure) => failure.guid === guid);
    const ruleOf = async (guid: string): Promise<Wire> => (await call('GET', `${BATCH_RULES}/${guid}`)).json.rule;
    const slotsOf = async (guid: string, query = ''): Promise<Wire> =>
      (await call('GET', `${BATCH_RULES}/${guid}/slots${query}`)).json;
    const streamOf = async (guid: string): Promise<Wire> => (await call('GET', `${STREAM_RULES}/${guid}`)).json.rule;

    beforeAll(async () => {
      webhook = await Webhook.open();
      const members = JSON.stringify([{ type: 'WEBHOOK', url: webhook.url, secret: 's' }]);
      await created(subject, '/api/core/alarm-groups', { name: 'duty', members });
    });
    afterAll(() => webhook.close());

    it('is a batch rule whose run fails, until one succeeds', async () => {
      const rule = await createRule(subject, { name: 'heavy', query: FAILING });
      expect(await ruleOf(rule)).toMatchObject({
        last_run_time: null,
        last_success_time: null,
        last_failure_time: null,
        last_failure_reason: null,
        query_error: null,
        running: false,
      });
      await runRule(subject, rule);
      await expect.poll(() => toldOf(rule)).toHaveLength(1);
      const [begun] = toldOf(rule);
      const reason = expect.stringMatching(/^\(\d{5}\) /);
      expect(begun).toEqual({
        kind: 'batch-rule',
        guid: rule,
        name: 'heavy',
        reason,
        time: '2024-03-01 00:00:00+0000',
        is_over: false,
      });
      expect(await ruleOf(rule)).toMatchObject({
        last_success_time: null,
        last_failure_time: begun.time,
        last_failure_reason: begun.reason,
        running: false,
      });
      await runRule(subject, rule);
      await expect.poll(async () => (await slotsOf(rule)).total_count).toBe(2);
      await expect.poll(async () => (await ruleOf(rule)).running).toBe(false);
      const form = { name: 'mended', priority: 'HIGH', msg: 'm', schedule: '0 0 1 1 *', query: QUICK };
      expect((await call('PUT', `${BATCH_RULES}/${rule}`, { form })).status).toBe(200);
      await runRule(subject, rule);
      await expect.poll(() => toldOf(rule)).toHaveLength(2);
      expect(toldOf(rule)[1]).toEqual({ ...begun, name: 'mended', is_over: true });
      expect(await ruleOf(rule)).toMatchObject({ last_success_time: begun.time, last_failure_reason: begun.reason });
      expect(log.errors).toContainEqual({
        message: 'a run has failed',
        fields: { kind: 'batch-rule', guid: rule, name: 'heavy', reason: begun.reason },
      });
      const metrics = await metricsOf(subject.service);
      expect(metrics).toMatch(/^vigil_slots_total\{kind="batch-rule",outcome="ran",state="failed"\} 2$/m);
      expect(metrics).toMatch(/^vigil_slots_total\{kind="batch-rule",outcome="ran",state="succeeded"\} 1$/m);
    });

    it('is kept in the slots of a batch rule, which members read', async () => {
      const rule = await createRule(subject, { name: 'slots', query: FAILING });
      await runRule(subject, rule);
      await expect.poll(async () => (await ruleOf(rule)).running).toBe(false);
      const { key } = await createAccount(subject, 'MEMBER', { login: 'reader' });
      const { json } = await call('GET', `${BATCH_RULES}/${rule}/slots`, { key });
      expect(json).toEqual({
        total_count: 1,
        slots: [
          {
            slot_time: '2024-03-01 00:00:00+0000',
            outcome: 'ran',
            reason: 'manual',
            run_guid: expect.any(String),
            query_id: expect.any(Number),
            node: expect.any(String),
            started: '2024-03-01 00:00:00+0000',
            finished: '2024-03-01 00:00:00+0000',
            state: 'failed',
            rows: expect.any(Number),
            error: (await ruleOf(rule)).last_failure_reason,
            constants: null,
            window_from: null,
            window_to: null,
          },
        ],
      });
      expect(await slotsOf(rule, '?outcome=skipped,missed')).toEqual({ total_count: 0, slots: [] });
      const range = 'from=2024-03-02%2000:00:00%2B0000&to=2024-03-01%2000:00:00%2B0000';
      expect(outcome(await call('GET', `${BATCH_RULES}/${rule}/slots?${range}`))).toEqual(
        refused(400, 'invalid-argument', 'date range is unacceptable.'),
      );
      const nowhere = '00000000-0000-4000-8000-000000000000';
      expect(outcome(await call('GET', `${BATCH_RULES}/${nowhere}/slots`))).toEqual(
        refused(500, 'illegal-state', `batch rule not found: ${nowhere}`),
      );
    });

    it('is a batch rule whose table has gone', async () => {
      await call('POST', '/api/core/tables', { form: { table: 'passing' } });
      const rule = await createRule(subject, { name: 'of a table', query: 'table passing' });
      expect(await ruleOf(rule)).toMatchObject({ query_error: null });
      expect((await call('DELETE', '/api/core/tables/passing')).json).toEqual({});
      const complaint = '(10001) there is no table passing at 1:7';
      await expect.poll(async () => (await ruleOf(rule)).query_error).toBe(complaint);
      const { rules } = (await call('GET', `${BATCH_RULES}?keywords=of+a+table`)).json;
      expect(rules).toMatchObject([{ query_error: complaint }]);
    });

    it('is a scheduled query, and one that follows a query that has gone', async () => {
      const query = await createSchedule(subject, { name: 'report', query: FAILING });
      await runToEnd(subject, query);
      await expect.poll(() => toldOf(query)).toHaveLength(1);
      expect(toldOf(query)[0]).toMatchObject({ kind: 'scheduled-query', name: 'report', is_over: false });
      await runToEnd(subject, query);
      await call('PUT', `${SCHEDULES}/${query}`, { form: { name: 'report', query: QUICK, ...YEARLY } });
      await runToEnd(subject, query);
      await expect.poll(() => toldOf(query)).toHaveLength(2);
      expect(toldOf(query)[1]).toMatchObject({ kind: 'scheduled-query', is_over: true });
      const workflow = { trigger_type: 'workflow', preceding_guid: query, preceding_action: 'finished' };
      const follower = await createSchedule(subject, { name: 'follower', ...workflow });
      expect(await recordOf(subject, follower)).toMatchObject({ query_error: null, preceding_name: 'report' });
      await call('DELETE', SCHEDULES, { form: { guids: query } });
      expect(await recordOf(subject, follower)).toMatchObject({
        query_error: `preceding query not found: ${query}`,
        preceding_guid: query,
        preceding_name: null,
      });
    });

    it('is a stream rule that asks an address group that has gone, even what is not in it', async () => {
      const stream = await createStream(subject);
      const group = await createGroup(subject, '10.0.0.1');
      const where = [`matchnet field=ip guid=${group} invert=t`];
      const rule = await createStreamRule(subject, { schema: stream.schema, where });
      await stream.push({ n: 1, ip: '10.0.0.1' }, { n: 2, ip: '10.0.0.2' });
      expect(await found(subject, rule)).toEqual([2]);
      await call('DELETE', GROUPS, { form: { guids: group } });
      await expect.poll(() => toldOf(rule)).toHaveLength(1);
      const reason = `address group not found: ${group}`;
      expect(toldOf(rule)[0]).toMatchObject({ kind: 'stream-rule', reason, is_over: false });
      await expect.poll(async () => (await streamOf(rule)).last_failure_reason).toBe(reason);
      expect(await streamOf(rule)).toMatchObject({ query_error: reason, last_failure_time: expect.any(String) });
      await stream.push({ n: 3, ip: '10.0.0.2' });
      expect(await found(subject, rule)).toEqual([2]);
      await created(subject, GROUPS, { guid: group, name: 'again' });
      await expect.poll(() => toldOf(rule)).toHaveLength(2);
      expect(toldOf(rule)[1]).toMatchObject({ reason, is_over: true });
      expect(await streamOf(rule)).toMatchObject({ query_error: null, last_failure_reason: reason });
      await stream.push({ n: 4, ip: '10.0.0.1' });
      expect(await found(subject, rule)).toEqual([2, 4]);
    });

    it('is a stream rule whose schema, logger or model has gone', async () => {
      const stream = await createStream(subject);
      const { schema, logger, model } = stream;
      const where = ['search n > 0'];
      const bySchema = await createStreamRule(subject, { schema, where });
      const byLogger = await createStreamRule(subject, { schema, where, fields: { logger_guids: logger } });
      const fields = { source_type: 'LOGGER_MODEL', logger_model_guids: model };
      const byModel = await createStreamRule(subject, { schema, where, fields });
      await call('DELETE', '/api/core/loggers', { form: { guids: logger } });
      await call('DELETE', '/api/core/logger-models', { form: { guids: model } });
      expect(await streamOf(byLogger)).toMatchObject({ query_error: `logger not found: ${logger}` });
      expect(await streamOf(byModel)).toMatchObject({ query_error: `logger model not found: ${model}` });
      expect(await streamOf(bySchema)).toMatchObject({ query_error: null });
      await call('DELETE', '/api/core/log-schemas', { form: { codes: schema } });
      expect(await streamOf(bySchema)).toMatchObject({ query_error: `log schema not found: ${schema}` });
      for (const rule of [bySchema, byLogger, byModel]) await expect.poll(() => toldOf(rule)).toHaveLength(1);
    });

    it('is a logger that cannot collect', async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => taken.once('listening', resolve));
      const address = taken.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const logger = await createCollector(subject, {
        table: 'collected',
        factory: 'syslog-tcp',
        configs: { port, bind: '127.0.0.1' },
      });
      await expect.poll(() => toldOf(logger)).toHaveLength(1);
      expect(toldOf(logger)[0]).toMatchObject({ kind: 'logger', name: 'logger of collected', is_over: false });
      await new Promise((resolve) => taken.close(resolve));
      await expect
        .poll(async () => {
          await subject.clock.pass({ seconds: 5 });
          return toldOf(logger).length;
        })
        .toBe(2);
      expect(toldOf(logger)[1]).toMatchObject({ is_over: true, reason: toldOf(logger)[0].reason });
    });

    it('is told in order: that it is over only after that it fails, however often a webhook refuses that', async () => {
      const rule = await createRule(subject, { name: 'refused', query: FAILING });
      webhook.status = 500;
      await runRule(subject, rule);
      await expect.poll(() => toldOf(rule)).toHaveLength(1);
      const form = { name: 'refused', priority: 'HIGH', msg: 'm', schedule: '0 0 1 1 *', query: QUICK };
      expect((await call('PUT', `${BATCH_RULES}/${rule}`, { form })).status).toBe(200);
      await runRule(subject, rule);
      await expect.poll(async () => (await slotsOf(rule)).total_count).toBe(2);
      await expect.poll(async () => (await ruleOf(rule)).running).toBe(false);
      webhook.status = 200;
      const told = () => toldOf(rule).map(({ is_over }) => is_over);
      await pass(subject, { seconds: 29 });
      expect(told()).toEqual([false]);
      await pass(subject, { seconds: 2 });
      await expect.poll(told).toEqual([false, false, true]);
    });

    it('is told of once, however often the service starts', async () => {
      const rule = await createRule(subject, { name: 'again and again', query: FAILING });
      await runRule(subject, rule);
      await expect.poll(() => toldOf(rule)).toHaveLength(1);
      await subject.service.restart();
      await runRule(subject, rule);
      await expect.poll(async () => (await ruleOf(rule)).running).toBe(false);
      const form = { name: 'mended again', priority: 'HIGH', msg: 'm', schedule: '0 0 1 1 *', query: QUICK };
      await call('PUT', `${BATCH_RULES}/${rule}`, { form });
      await runRule(subject, rule);
      await expect.poll(() => toldOf(rule).at(-1)?.is_over).toBe(true);
      expect(toldOf(rule).map(({ is_over }) => is_over)).toEqual([false, true]);
    });
  },
  options,
);
