// The windows of a batch rule: together they cover the time, whatever else runs and whenever the service stops.

import { afterEach, describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { BATCH_RULES, createLog, createRule, eventsOf } from '#test/support/detection.ts';
import { createRunning, SLOW } from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { BEGINNING, onEachDatabase, type Subject } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { Webhook } from '#test/support/webhook.ts';

const MINUTELY = { schedule: '* * * * *', duration: '60' };
const at = (time: string) => `2024-03-01 ${time}+0000`;

const slotsOf = async ({ call }: Pick<Subject, 'call'>, rule: string): Promise<Wire[]> =>
  (await call('GET', `${BATCH_RULES}/${rule}/slots`)).json.slots;

const slotsWhen = (subject: Pick<Subject, 'call'>, rule: string, isSo: (slots: Wire[]) => boolean): Promise<Wire[]> =>
  until(() => slotsOf(subject, rule), isSo);

const areOver = (slots: readonly Wire[]) => slots.every(({ state }) => state !== 'running' && state !== 'queued');

const briefly = (slots: readonly Wire[]) =>
  slots.map(({ slot_time, outcome, reason, state }) => [slot_time.slice(11, 16), outcome, reason, state]);

/** The union of the windows of runs that succeeded, oldest first. */
function analysed(slots: readonly Wire[]): [string, string][] {
  const found: [string, string][] = [];
  for (const { window_from, window_to, state } of slots.toReversed()) {
    if (state !== 'succeeded') continue;
    const last = found.at(-1);
    if (last && window_from <= last[1]) last[1] = window_to;
    else found.push([window_from, window_to]);
  }
  return found;
}

/** The id of the query that a rule runs. */
async function runningQuery(subject: Pick<Subject, 'call'>, rule: string): Promise<number> {
  const isRunning = ({ state, query_id }: Wire) => state === 'running' && query_id !== null;
  const slots = await slotsWhen(subject, rule, (all) => all.some(isRunning));
  return slots.find(isRunning).query_id;
}

onEachDatabase(
  'While others hold every place',
  (subject) => {
    const { call, clock } = subject;

    it('of scheduled queries, a rule runs in one of its own', async () => {
      await createRunning(subject);
      const rule = await createRule(subject, { name: 'own', ...MINUTELY, query: 'json "{}"' });
      clock.advance({ minutes: 1 });
      const slots = await slotsWhen(subject, rule, (all) => all.length === 1 && areOver(all));
      expect(slots).toMatchObject([{ outcome: 'ran', state: 'succeeded' }]);
      await call('DELETE', BATCH_RULES, { form: { guids: rule } });
    });

    it('of rules, slots wait in line, and the next run covers all of their windows', async () => {
      const push = await createLog(subject, 'attacked');
      const long = await createRule(subject, { name: 'long', query: SLOW });
      const { id } = (await call('POST', `${BATCH_RULES}/${long}/run`)).json;
      const rule = await createRule(subject, { name: 'waits', ...MINUTELY, query: 'table attacked' });
      for (let minute = 0; minute < 4; minute += 1) {
        clock.advance({ seconds: 30 });
        await push([{ _time: clock.now().epochMilliseconds, minute }]);
        clock.advance({ seconds: 30 });
        await slotsWhen(subject, rule, (all) => all.length === minute + 1);
      }
      const waiting = await slotsOf(subject, rule);
      expect(briefly(waiting)).toEqual([
        ['00:05', 'ran', null, 'queued'],
        ['00:04', 'ran', null, 'queued'],
        ['00:03', 'ran', null, 'queued'],
        ['00:02', 'ran', null, 'running'],
      ]);
      expect((await call('POST', `/api/core/queries/${id}/cancel`)).status).toBe(200);
      const slots = await slotsWhen(subject, rule, areOver);
      expect(briefly(slots)).toEqual([
        ['00:05', 'ran', null, 'succeeded'],
        ['00:04', 'skipped', 'covered', null],
        ['00:03', 'skipped', 'covered', null],
        ['00:02', 'ran', null, 'succeeded'],
      ]);
      expect(analysed(slots)).toEqual([[at('00:01:00'), at('00:05:00')]]);
      const found = (await eventsOf(subject, rule)).map(({ fields }) => fields.minute);
      expect(found.toSorted()).toEqual([0, 1, 2, 3]);
      expect((await call('GET', `${BATCH_RULES}/${rule}/gaps`)).json).toEqual({ gaps: [] });
      await call('DELETE', BATCH_RULES, { form: { guids: rule } });
    });

    it('a rule whose text has a time of its own runs for each slot', async () => {
      const long = await createRule(subject, { name: 'longer', query: SLOW });
      const { id } = (await call('POST', `${BATCH_RULES}/${long}/run`)).json;
      const rule = await createRule(subject, { name: 'own time', ...MINUTELY, query: 'table duration=60s attacked' });
      for (let count = 1; count <= 3; count += 1) {
        clock.advance({ minutes: 1 });
        await slotsWhen(subject, rule, (all) => all.length === count);
      }
      await call('POST', `/api/core/queries/${id}/cancel`);
      const slots = await slotsWhen(subject, rule, areOver);
      expect(slots.map(({ outcome, state }) => [outcome, state])).toEqual(Array(3).fill(['ran', 'succeeded']));
      await call('DELETE', BATCH_RULES, { form: { guids: rule } });
    });

    it('a run over several windows that fails is repeated for each of them', async () => {
      const push = await createLog(subject, 'loud');
      const long = await createRule(subject, { name: 'longest', query: SLOW });
      const { id } = (await call('POST', `${BATCH_RULES}/${long}/run`)).json;
      // Two records have more columns than a pivot may have.
      const query = 'table loud | repeat count=6000 | eval n = seq() | pivot count cols n';
      const rule = await createRule(subject, { name: 'loud', ...MINUTELY, query });
      for (let count = 1; count <= 3; count += 1) {
        clock.advance({ seconds: 30 });
        await push([{ _time: clock.now().epochMilliseconds, count }]);
        clock.advance({ seconds: 30 });
        await slotsWhen(subject, rule, (all) => all.length === count);
      }
      await call('POST', `/api/core/queries/${id}/cancel`);
      const slots = await slotsWhen(subject, rule, areOver);
      expect(slots.map(({ outcome, state }) => [outcome, state])).toEqual([
        ['ran', 'succeeded'],
        ['backfilled', 'succeeded'],
        ['ran', 'succeeded'],
      ]);
      expect((await call('GET', `${BATCH_RULES}/${rule}`)).json.rule.last_failure_time).toBeNull();
    });
  },
  { flags: { 'scheduler-concurrency': '1', 'scheduler-rule-concurrency': '1' } },
);

describe.each(['none', 'latest', 'all'])('With scheduler-catch-up %s', (catchUp) => {
  onEachDatabase(
    'the windows of a rule',
    (subject) => {
      const { clock } = subject;

      it('that fell due while the service was down are covered at the start', async () => {
        const push = await createLog(subject, 'web');
        const rule = await createRule(subject, { name: 'minutely', ...MINUTELY, query: 'table web' });
        clock.advance({ minutes: 1 });
        await slotsWhen(subject, rule, (all) => all.length === 1 && areOver(all));
        await push([1, 2, 3].map((n) => ({ _time: Date.parse(BEGINNING) + 60_000 * n + 30_000, n })));
        await subject.service.stop();
        clock.leap({ minutes: 3, seconds: 5 });
        await subject.service.restart();
        const slots = await slotsWhen(subject, rule, (all) => all.length === 4 && areOver(all));
        expect(briefly(slots)).toEqual([
          ['00:04', 'backfilled', 'service-down', 'succeeded'],
          ['00:03', 'skipped', 'covered', null],
          ['00:02', 'skipped', 'covered', null],
          ['00:01', 'ran', null, 'succeeded'],
        ]);
        expect(analysed(slots)).toEqual([['2024-03-01 00:00:00+0000', at('00:04:00')]]);
        expect((await eventsOf(subject, rule)).map(({ fields }) => fields.n).toSorted()).toEqual([1, 2, 3]);
      });
    },
    { flags: { 'scheduler-catch-up': catchUp } },
  );
});

onEachDatabase(
  'A window of a rule',
  (subject) => {
    const { call, clock } = subject;
    let webhook: Webhook | undefined;
    afterEach(() => webhook?.close());
    const gapsOf = async (rule: string) => (await call('GET', `${BATCH_RULES}/${rule}/gaps`)).json.gaps;

    it('whose run was cut off by a stop is analysed after the start, and nothing has failed', async () => {
      const rule = await createRule(subject, { name: 'cut off', ...MINUTELY, query: SLOW });
      clock.advance({ minutes: 1 });
      await runningQuery(subject, rule);
      await subject.service.stop();
      await subject.service.restart();
      const again = await runningQuery(subject, rule);
      expect(await slotsOf(subject, rule)).toMatchObject([
        { slot_time: at('00:01:00'), state: 'running', error: null },
      ]);
      const { rule: record } = (await call('GET', `${BATCH_RULES}/${rule}`)).json;
      expect(record).toMatchObject({ last_failure_time: null, last_failure_reason: null });
      await call('POST', `/api/core/queries/${again}/cancel`);
      await slotsWhen(subject, rule, ([slot]) => slot?.state === 'cancelled');
      expect(await gapsOf(rule)).toEqual([{ from: at('00:00:00'), to: at('00:01:00'), reason: 'cancelled' }]);

      const form = { name: 'cut off', msg: 'm', priority: 'LOW', enabled: 'true', ...MINUTELY, query: 'json "{}"' };
      expect((await call('PUT', `${BATCH_RULES}/${rule}`, { form })).status).toBe(200);
      const range = { from: at('00:00:00'), to: at('00:01:00') };
      const answer = await call('POST', `${BATCH_RULES}/${rule}/backfill`, { form: range });
      // Midnight was due before the rule was there.
      expect(answer.json).toEqual({ queued: 2, skipped: 0 });
      const slots = await slotsWhen(subject, rule, (all) => all.length === 2 && areOver(all));
      expect(slots).toMatchObject([
        { slot_time: at('00:01:00'), outcome: 'backfilled', state: 'succeeded' },
        { slot_time: at('00:00:00'), outcome: 'backfilled', state: 'succeeded' },
      ]);
      expect(await eventsOf(subject, rule)).toHaveLength(2);
      expect(await gapsOf(rule)).toEqual([]);
      await call('DELETE', BATCH_RULES, { form: { guids: rule } });
    });

    it('that is a week old when it could be analysed is a failure with its alarm, and a gap', async () => {
      webhook = await Webhook.open();
      const told = webhook.told;
      const members = JSON.stringify([{ type: 'WEBHOOK', url: webhook.url, secret: 's' }]);
      await created(subject, '/api/core/alarm-groups', { name: 'duty', members });
      const fields = { schedule: '0 12 * * *', duration: '86400', query: 'json "{}"' };
      const rule = await createRule(subject, { name: 'daily', ...fields });
      await subject.service.stop();
      clock.leap({ hours: 24 * 9 });
      await subject.service.restart();
      const slots = await slotsWhen(subject, rule, (all) => all.length === 9 && areOver(all));
      const late = 'the window is more than 7 days old';
      expect(slots.slice(7)).toMatchObject([
        {
          slot_time: '2024-03-02 12:00:00+0000',
          outcome: 'missed',
          reason: 'service-down',
          state: 'failed',
          error: late,
        },
        {
          slot_time: '2024-03-01 12:00:00+0000',
          outcome: 'missed',
          reason: 'service-down',
          state: 'failed',
          error: late,
        },
      ]);
      expect(analysed(slots)).toEqual([['2024-03-02 12:00:00+0000', '2024-03-09 12:00:00+0000']]);
      expect(await gapsOf(rule)).toEqual([
        { from: '2024-02-29 12:00:00+0000', to: '2024-03-02 12:00:00+0000', reason: late },
      ]);
      const alarms = () => told.map(({ body }) => JSON.parse(body).failure).filter(({ guid }) => guid === rule);
      await expect.poll(alarms).toMatchObject([{ reason: late, is_over: false }, { is_over: true }]);
      expect((await call('GET', `${BATCH_RULES}/${rule}`)).json.rule.last_failure_reason).toBe(late);
    });
  },
  { flags: { 'webhook-targets': 'any', 'failure-alarm-group': 'duty' } },
);
