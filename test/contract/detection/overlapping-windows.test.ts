// What an event counts where the windows of a batch rule overlap: a record once, however many runs read it.

import { expect, it } from 'vitest';
import { BATCH_RULES, createLog, createRule, eventsOf, RULE, runRule } from '#test/support/detection.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const HOUR = { duration: '3600', event_suppress_interval: '86400' };

onEachDatabase('Overlapping windows of a batch rule', (subject) => {
  const { call, clock } = subject;

  /** Runs the rule a minute later and resolves when its events are there. */
  async function runAgain(rule: string): Promise<void> {
    clock.advance({ minutes: 1 });
    const id = await runRule(subject, rule);
    const slots = async () => (await call('GET', `${BATCH_RULES}/${rule}/slots`)).json.slots;
    const stateOf = async () => (await slots()).find(({ query_id }: Wire) => query_id === id)?.state;
    await expect.poll(stateOf).toBe('succeeded');
  }

  const countsOf = async (rule: string) =>
    (await eventsOf(subject, rule)).map(({ suppress_key, count }: Wire) => [suppress_key, count]).sort();
  const logins = (...users: string[]) => users.map((user) => ({ _time: clock.now().epochMilliseconds - 1000, user }));

  it('count a record once in its event, also after a restart and a change of the rule', async () => {
    const push = await createLog(subject, 'logins');
    const fields = { name: 'logins', query: 'table logins', ...HOUR, suppress_key: '$user' };
    const rule = await createRule(subject, fields);
    await push(logins('kim', 'kim', 'lee'));
    await runAgain(rule);
    const first = await eventsOf(subject, rule);
    expect(await countsOf(rule)).toEqual([
      ['kim', 2],
      ['lee', 1],
    ]);
    await runAgain(rule);
    expect(await eventsOf(subject, rule)).toEqual(first);
    await push(logins('kim'));
    await subject.service.restart();
    await runAgain(rule);
    expect(await countsOf(rule)).toEqual([
      ['kim', 3],
      ['lee', 1],
    ]);
    const form = { ...RULE, ...fields, query: 'table logins | eval seen = 1' };
    expect((await call('PUT', `${BATCH_RULES}/${rule}`, { form })).status).toBe(200);
    await push(logins('lee'));
    await runAgain(rule);
    await runAgain(rule);
    expect(await countsOf(rule)).toEqual([
      ['kim', 3],
      ['lee', 2],
    ]);
  });

  it('count a record once where its event is renewed, and where it makes several rows', async () => {
    const push = await createLog(subject, 'renewed');
    const query = 'table renewed | explode tags';
    const rule = await createRule(subject, { name: 'renewed', query, ...HOUR, keep_alive: 'true' });
    await push([{ _time: clock.now().epochMilliseconds, tags: ['a', 'b'] }]);
    await runAgain(rule);
    const [first] = await eventsOf(subject, rule);
    expect(first).toMatchObject({ count: 1 });
    await runAgain(rule);
    expect(await eventsOf(subject, rule)).toEqual([first]);
  });

  it('count a record for each rule, and a group once for each run', async () => {
    const push = await createLog(subject, 'grouped');
    await push(logins('kim', 'kim', 'lee'));
    const records = await createRule(subject, { name: 'records', query: 'table grouped', ...HOUR });
    const others = await createRule(subject, { name: 'others', query: 'table grouped', ...HOUR });
    const query = 'table grouped | stats count by user | search count > 1';
    const groups = await createRule(subject, { name: 'groups', query, ...HOUR });
    for (let run = 1; run <= 3; run += 1) {
      for (const rule of [records, others, groups]) await runAgain(rule);
      expect(await Promise.all([records, others, groups].map(countsOf)), `run ${run}`).toEqual([
        [[undefined, 3]],
        [[undefined, 3]],
        [[undefined, run]],
      ]);
    }
  });

  it('make an event for each run without an interval', async () => {
    const push = await createLog(subject, 'apart');
    await push(logins('kim'));
    const rule = await createRule(subject, { name: 'apart', query: 'table apart', duration: '3600' });
    await runAgain(rule);
    await runAgain(rule);
    expect(await countsOf(rule)).toEqual([
      [undefined, 1],
      [undefined, 1],
    ]);
  });
});
