// A `failure-alarm-group` that names no alarm group: whoever reads the service log hears of it, once.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { BATCH_RULES, createRule, runRule } from '#test/support/detection.ts';
import { FAILING } from '#test/support/scheduled-queries.ts';
import { nodesOf } from '#test/support/service.ts';
import { onEachDatabase } from '#test/support/suites.ts';
import { Webhook } from '#test/support/webhook.ts';

const log = new CapturedLog();
const AT_START = 'failure-alarm-group names no alarm group: failures raise no alarms';
const AT_ALARM = 'failure-alarm-group names no alarm group: an alarm was due and is not sent';

onEachDatabase(
  'A failure-alarm-group that names no group',
  (subject) => {
    const { call } = subject;
    let webhook: Webhook;
    beforeAll(async () => {
      webhook = await Webhook.open();
    });
    afterAll(() => webhook.close());
    const warned = (message: string) => log.warnings.filter((warning) => warning.message === message);
    /** Each node has a log of its own, and runs what it is asked to run. */
    const failOnEach = async (name: string) => {
      for (const [at, node] of nodesOf(subject.service).entries()) {
        const rule = await createRule(node, { name: `${name} ${at}`, query: FAILING });
        await runRule(node, rule);
        const failure = async () => (await call('GET', `${BATCH_RULES}/${rule}`)).json.rule.last_failure_reason;
        await expect.poll(failure).not.toBeNull();
      }
    };
    const ofEach = (message: string) => nodesOf(subject.service).map(() => ({ message, fields: { group: 'nights' } }));

    it('is told at the start, and once when alarms were due', async () => {
      const starts = warned(AT_START).length;
      const alarms = warned(AT_ALARM).length;
      await subject.service.restart();
      expect(warned(AT_START).slice(starts)).toEqual(ofEach(AT_START));
      expect(warned(AT_ALARM)).toHaveLength(alarms);
      for (const name of ['one', 'two', 'three']) await failOnEach(name);
      expect(warned(AT_ALARM).slice(alarms)).toEqual(ofEach(AT_ALARM));
    });

    it('is told again when the group has been there meanwhile', async () => {
      const alarms = warned(AT_ALARM).length;
      const members = JSON.stringify([{ type: 'WEBHOOK', url: webhook.url, secret: 's' }]);
      const group = await created(subject, '/api/core/alarm-groups', { name: 'nights', members });
      await failOnEach('four');
      await expect.poll(() => webhook.told.length).toBe(nodesOf(subject.service).length);
      expect(warned(AT_ALARM)).toHaveLength(alarms);
      await call('DELETE', '/api/core/alarm-groups', { form: { guids: group } });
      for (const name of ['five', 'six']) await failOnEach(name);
      expect(warned(AT_ALARM).slice(alarms)).toEqual(ofEach(AT_ALARM));
      const starts = warned(AT_START).length;
      await created(subject, '/api/core/alarm-groups', { name: 'nights', members });
      await subject.service.restart();
      expect(warned(AT_START)).toHaveLength(starts);
    });
  },
  { flags: { 'webhook-targets': 'any', 'failure-alarm-group': 'nights' }, log },
);
